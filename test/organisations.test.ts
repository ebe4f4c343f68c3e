import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from './support/desk.ts'
import { aMail, receiverOf } from './support/mails.ts'
import { aCompany, aPersonOf, belong, type Company, everywhere, meets } from './support/organisations.ts'
import { aClient, anAdmin } from './support/people.ts'
import { withoutAttemptLimits } from './support/routes.ts'
import { listen } from './support/streams.ts'
import { aFile, aTicket } from './support/tickets.ts'

const desk = await bootDesk({ connections: 6, config: { ...withoutAttemptLimits, NOTIFICATION_DELAY_SECONDS: 0 } })
const admin = await anAdmin(desk)

test('G1, G2: a manager meets the ticket of a colleague everywhere; a member, a stranger and another manager nowhere', async () => {
  const [company, other] = [await aCompany(desk), await aCompany(desk)]
  const member = await aPersonOf(desk, company.organisation)

  assert.deepEqual(await meets(desk, company.manager, company), everywhere)
  for (const person of [member, await aClient(desk, { is_email_verified: true }), other.manager]) {
    assert.deepEqual(await meets(desk, person, company), [])
  }
})

test('G1: a manager answers and closes in their own name, and removes no follower of a colleague', async () => {
  const { manager, member, id } = await aCompany(desk)
  const followers = await desk.post('/api/admin/tickets/followers/add', admin, { id, email: 'follower@example.com' })
  const [{ id: follower_id }] = followers.data.followers

  await desk.post('/api/tickets/reply', manager, { id, message: 'I know more.' })
  const removed = await desk.post('/api/tickets/followers/remove', manager, { id, follower_id })

  const { messages } = (await desk.post('/api/tickets/detail', member, { id })).data
  const last = messages.at(-1)
  assert.deepEqual([last.first_name, last.sender_type, last.message], ['Mara', 'customer', 'I know more.'])
  assert.equal(removed.status, 404)
  const timeline = (await desk.post('/api/admin/tickets/detail', admin, { id })).data.events
  assert.deepEqual([timeline.at(-1).actor_type, timeline.at(-1).actor_id], ['client', manager.id])
})

test('G1: what was opened before joining stays own, what was opened meanwhile stays with the organisation', async () => {
  const company = await aCompany(desk)
  const joiner = await aClient(desk, { is_email_verified: true })
  const before = await aTicket(desk, joiner)
  await belong(desk, joiner, company.organisation)
  const meanwhile = await aTicket(desk, joiner)
  const byStaff = await desk.post('/api/admin/tickets/create', admin, {
    ...{ client_id: joiner.id, department_id: 1, subject: 'A call', message: 'You called.' }
  })
  await belong(desk, joiner, undefined)
  const after = await aTicket(desk, joiner)

  const statuses = []
  for (const id of [before.ticket_id, meanwhile.ticket_id, byStaff.data.ticket.id, after.ticket_id]) {
    statuses.push((await desk.post('/api/tickets/detail', company.manager, { id })).status)
  }

  assert.deepEqual(statuses, [404, 200, 200, 404])
})

test('G1: what is split off stays with the organisation, and for another client goes to theirs', async () => {
  const [company, other] = [await aCompany(desk), await aCompany(desk)]
  const joiner = await aPersonOf(desk, company.organisation)
  const { ticket_id: id } = await aTicket(desk, joiner)
  const messages: number[] = []
  for (const message of ['One.', 'Two.']) {
    messages.push((await desk.post('/api/tickets/reply', joiner, { id, message })).data.message_id)
  }
  await belong(desk, joiner, undefined)
  const split = (message: number, given: object) =>
    desk.post('/api/admin/tickets/split', admin, {
      id,
      message_ids: [message],
      note_ids: [],
      subject: 'Else',
      ...given
    })

  const same = (await split(messages[0]!, {})).data.ticket_id
  const others = (await split(messages[1]!, { client_id: other.member.id })).data.ticket_id

  const { organisation_id: kept } = await organisationOf(same)
  const { organisation_id: taken } = await organisationOf(others)
  assert.deepEqual([kept, taken], [company.organisation.id, other.organisation.id])
})

function organisationOf(id: number) {
  return desk.db.selectFrom('tickets').where('id', '=', id).select('organisation_id').executeTakeFirstOrThrow()
}

test('G1: of two merged tickets a manager sees the part that was opened in the organisation', async () => {
  const { organisation, manager } = await aCompany(desk)
  const joiner = await aClient(desk, { is_email_verified: true })
  const secret = await aTicket(desk, joiner, { message: 'My own secret.' }, [aFile('own.txt')])
  await belong(desk, joiner, organisation)
  const shared = await aTicket(desk, joiner, { message: 'Our business.' })
  await desk.post('/api/admin/tickets/merge', admin, { id: secret.ticket_id, into_id: shared.ticket_id })

  const { data } = await desk.post('/api/tickets/detail', manager, { id: shared.ticket_id })
  const { tickets } = (await desk.post('/api/tickets/list', manager, { scope: 'organisation' })).data
  const link = await desk.post('/api/tickets/attachment-link', manager, { id: secret.attachments[0].id })
  const found = await desk.post('/api/tickets/search', manager, { query: 'secret' })

  assert.deepEqual(
    data.messages.map(({ message }: { message: string }) => message),
    ['Our business.']
  )
  const listed = tickets.find(({ id }: { id: number }) => id === shared.ticket_id)
  assert.deepEqual([listed.message_count, listed.attachment_count], [1, 0])
  assert.equal((await desk.post('/api/tickets/detail', manager, { id: secret.ticket_id })).status, 404)
  assert.deepEqual([link.status, found.data.total], [404, 0])
})

test('the list of the organisation names who opened each ticket, and is refused to members and staff', async () => {
  const { manager, member, id } = await aCompany(desk)
  const own = await aTicket(desk, manager)

  const { data } = await desk.post('/api/tickets/list', manager, { scope: 'organisation' })
  const usual = await desk.post('/api/tickets/list', manager, {})
  const filtered = await desk.post('/api/tickets/list', manager, { scope: 'organisation', status: 'Closed' })
  const refused = await Promise.all(
    [member, admin].map(person => desk.post('/api/tickets/list', person, { scope: 'organisation' }))
  )

  assert.equal(data.total, 2)
  assert.deepEqual(
    data.tickets.map((ticket: { id: number; client: object }) => [ticket.id, ticket.client]),
    [
      [own.ticket_id, { id: manager.id, first_name: 'Mara', last_name: 'Lovelace' }],
      [id, { id: member.id, first_name: 'Ada', last_name: 'Lovelace' }]
    ]
  )
  assert.deepEqual([usual.data.total, Object.keys(usual.data.tickets[0]).includes('client')], [1, false])
  assert.deepEqual([filtered.data.total, filtered.data.tickets], [0, []])
  assert.deepEqual(
    refused.map(reply => reply.status),
    [403, 403]
  )
})

test('a client reads their organisation and role, and a manager its people', async () => {
  const { organisation, manager, member } = await aCompany(desk)

  const [of, asMember, none] = await Promise.all(
    [manager, member, await aClient(desk)].map(
      async person => (await desk.post('/api/account/organisation', person)).data
    )
  )

  assert.deepEqual([of.organisation, of.role, of.sees_all, of.people_total], [organisation, 'manager', 1, 2])
  assert.deepEqual(of.people[0], { id: manager.id, first_name: 'Mara', last_name: 'Lovelace', role: 'manager' })
  assert.deepEqual(asMember, { organisation, role: 'member', sees_all: 0, people_total: 0, people: [] })
  assert.deepEqual(none, { organisation: null, role: null, sees_all: 0, people_total: 0, people: [] })
})

const losses: Record<string, (company: Company) => Promise<unknown>> = {
  'loses the role': ({ manager, organisation }) =>
    desk.post('/api/admin/clients/update', admin, {
      id: manager.id,
      organisation_id: organisation.id,
      organisation_role: 'member'
    }),
  leaves: ({ manager }) => desk.post('/api/admin/clients/update', admin, { id: manager.id, organisation_id: null }),
  'claims another address': ({ manager }) =>
    desk.post('/api/account/profile/update', manager, {
      email: `new.${manager.email}`,
      current_password: manager.password
    })
}

for (const [loss, lose] of Object.entries(losses)) {
  test(`G2: a manager who ${loss} loses sight with the next request, in open streams and by signed links too`, async () => {
    const company = await aCompany(desk)
    const { manager, member, id, ticket } = company
    const { url } = (await desk.post('/api/tickets/attachment-link', manager, { id: ticket.attachments[0].id })).data
    const { pathname, search } = new URL(url)
    const stream = await listen(desk.url, { token: manager.token, path: '/api/events/stream' })
    await desk.post('/api/tickets/reply', member, { id, message: 'Before.' })
    await stream.first(({ event }) => event === 'ticket.replied')
    assert.equal((await fetch(desk.url + pathname + search)).status, 200)

    await lose(company)
    await desk.post('/api/tickets/reply', member, { id, message: 'After.' })

    const statuses = [
      (await desk.post('/api/tickets/detail', manager, { id })).status,
      (await desk.post('/api/tickets/reply', manager, { id, message: 'Mine.' })).status,
      (await desk.post('/api/tickets/list', manager, { scope: 'organisation' })).status,
      (await fetch(desk.url + pathname + search)).status
    ]
    assert.deepEqual(statuses, [404, 404, 403, 404])
    await stream.ended
    assert.equal(stream.told.filter(({ event }) => event === 'ticket.replied').length, 1)
  })
}

test('G2: a manager who has not proven the address sees nothing of others, and all once it is proven', async () => {
  const company = await aCompany(desk)
  const claimed = await aPersonOf(desk, company.organisation, 'manager', { is_email_verified: false })

  const before = await meets(desk, claimed, company)
  const { data } = await desk.post('/api/account/organisation', claimed)
  await desk.db.updateTable('clients').set({ is_email_verified: true }).where('id', '=', claimed.id).execute()

  assert.deepEqual([before, data.role, data.sees_all, data.people], [[], 'manager', 0, []])
  assert.deepEqual(await meets(desk, claimed, company), everywhere)
})

test('G2: what came at an address that the colleague has not proven is withheld from the manager as well', async () => {
  const { organisation, manager } = await aCompany(desk)
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })
  const claimed = await aPersonOf(desk, organisation, 'member', { is_email_verified: false })
  const mail = aMail({ From: claimed.email, To: 'support@desk.example', Subject: 'Lost key' }, 'My words.\n')
  const { ticket_id: id } = await receiverOf(desk)(mail)
  const stored = await desk.db
    .selectFrom('tickets')
    .where('id', '=', id!)
    .select(['organisation_id', 'client_id'])
    .executeTakeFirst()
  const look = async () => [
    (await desk.post('/api/tickets/detail', manager, { id })).status,
    (await desk.post('/api/tickets/list', manager, { scope: 'organisation' })).data.total
  ]

  const before = await look()
  await desk.db.updateTable('clients').set({ is_email_verified: true }).where('id', '=', claimed.id).execute()

  assert.deepEqual(stored, { organisation_id: organisation.id, client_id: claimed.id })
  assert.deepEqual(
    [before, await look()],
    [
      [404, 1],
      [200, 2]
    ]
  )
})
