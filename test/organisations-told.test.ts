import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from './support/desk.ts'
import { exportArchive } from './support/export-archive.ts'
import { aCompany, aPersonOf, belong, everywhere, meets } from './support/organisations.ts'
import { aClient, anAdmin } from './support/people.ts'
import { withoutAttemptLimits } from './support/routes.ts'
import { aTicket } from './support/tickets.ts'

const desk = await bootDesk({ connections: 6, config: { ...withoutAttemptLimits, NOTIFICATION_DELAY_SECONDS: 0 } })
const admin = await anAdmin(desk)

/** The recipients of the next answer of staff. */
async function toldOfAnswer(id: number, given: object = {}): Promise<string[]> {
  const before = (await desk.deliver()).emails.length
  await desk.post('/api/admin/tickets/reply', admin, { id, message: 'Stripes are out.', ...given })
  const { emails } = await desk.deliver()
  return emails
    .slice(before)
    .filter(({ text }) => text.includes('Stripes are out.'))
    .map(({ to }) => to)
    .toSorted()
}

test('G4: managers get e-mails about tickets of others only if they follow them', async () => {
  const { organisation, manager, member, id } = await aCompany(desk)
  const answering = await aPersonOf(desk, organisation, 'manager')
  const both = [manager.email, member.email].toSorted()

  const unasked = await toldOfAnswer(id)
  const shown = async () => (await desk.post('/api/tickets/detail', manager, { id })).data.ticket.is_following
  const states = [await shown()]
  await desk.post('/api/tickets/follow', manager, { id })
  states.push(await shown())
  const followed = await toldOfAnswer(id)
  await desk.post('/api/tickets/reply', answering, { id, message: 'Me too.' })
  const answered = await toldOfAnswer(id)
  await desk.post('/api/tickets/follow', answering, { id, is_following: 0 })
  const stopped = await toldOfAnswer(id)
  await belong(desk, manager, organisation, 'member')
  const demoted = await toldOfAnswer(id)

  assert.deepEqual(states, [0, 1])
  assert.deepEqual(unasked, [member.email])
  assert.deepEqual(followed, both)
  assert.deepEqual(answered, [...both, answering.email].toSorted())
  assert.deepEqual([stopped, demoted], [both, [member.email]])
})

test('G4: an organisation can let its managers follow all; who has stopped following one gets none about it', async () => {
  const { manager, member, id } = await aCompany(desk, { managers_follow: true })

  const all = await toldOfAnswer(id)
  await desk.post('/api/tickets/follow', manager, { id, is_following: 0 })

  assert.deepEqual(all, [manager.email, member.email].toSorted())
  assert.deepEqual(await toldOfAnswer(id), [member.email])
})

test('a manager who follows the ticket and is in copy of an answer gets it once', async () => {
  const { manager, member, id } = await aCompany(desk, { managers_follow: true })

  const copied = await toldOfAnswer(id, { cc: [manager.email] })

  assert.deepEqual(copied, [manager.email, member.email].toSorted())
})

test('G4: what a manager writes and closes is told to the colleague whose ticket it is', async () => {
  const { manager, member, id } = await aCompany(desk)
  await desk.deliver()

  await desk.post('/api/tickets/reply', manager, { id, message: 'Solved by turning it round.' })
  await desk.post('/api/tickets/status', manager, { id, status: 'Closed' })

  const { emails } = await desk.deliver()
  const told = emails.filter(({ text }) => text.includes('Solved by turning it round.'))
  assert.deepEqual(
    told.map(({ to }) => to),
    [member.email]
  )
  assert.match(told[0]!.text, /closed/)
})

test('G5: managers of an archived organisation see as before', async () => {
  const company = await aCompany(desk)

  await desk.post('/api/admin/organisations/archive', admin, { id: company.organisation.id })

  assert.deepEqual(await meets(desk, company.manager, company), everywhere)
})

for (const mode of ['anonymize', 'cascade']) {
  test(`G6: erasing a manager (${mode}) leaves what they wrote to a colleague, without the name`, async () => {
    const { organisation, member, id } = await aCompany(desk)
    const boss = await aClient(desk, { is_email_verified: true, first_name: 'Zebedee', last_name: 'Quill' })
    const belongs = { organisation_id: organisation.id, organisation_role: 'manager' }
    await desk.post('/api/admin/clients/update', admin, { id: boss.id, ...belongs })
    await desk.post('/api/tickets/reply', boss, { id, message: 'I know more.' })

    const erased = await desk.post('/api/admin/clients/delete', admin, { id: boss.id, mode, confirm_email: boss.email })

    const seen = await Promise.all([
      desk.post('/api/tickets/detail', member, { id }),
      desk.post('/api/admin/tickets/detail', admin, { id })
    ])
    assert.equal(erased.status, 200, erased.body.message)
    for (const { data } of seen) {
      assert.match(JSON.stringify(data), /I know more/)
      assert.doesNotMatch(JSON.stringify(data), /Zebedee|Quill/)
    }
  })
}

test('G6: erasing a client leaves the tickets of the organisation, without the name; the export of a manager holds own ones', async () => {
  const { manager, member, id, ticket } = await aCompany(desk)
  const own = await aTicket(desk, manager, { subject: 'My own zebra' })
  await desk.post('/api/tickets/reply', manager, { id, message: 'I know more.' })
  await desk.post('/api/tickets/follow', manager, { id })

  const archive = await exportArchive(
    desk,
    (await desk.post('/api/admin/clients/export', admin, { id: manager.id })).data.url
  )
  const erased = await desk.post('/api/admin/clients/delete', admin, {
    ...{ id: member.id, mode: 'anonymize', confirm_email: member.email }
  })

  const text = archive.tar
  assert.ok(text.includes(own.ticket_number) && !text.includes(ticket.ticket_number))
  assert.equal(erased.status, 200, erased.body.message)
  const { tickets } = (await desk.post('/api/tickets/list', manager, { scope: 'organisation' })).data
  const left = tickets.find((each: { id: number }) => each.id === id)
  assert.notEqual(left.client.first_name, 'Ada')
  const people = (await desk.post('/api/account/organisation', manager)).data.people
  assert.deepEqual(
    people.map((person: { id: number }) => person.id),
    [manager.id]
  )
})
