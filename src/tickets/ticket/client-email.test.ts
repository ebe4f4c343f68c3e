import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0 } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

async function clientEmail(id: number) {
  return (await desk.post('/api/admin/tickets/detail', admin, { id })).data.client_email
}

/** The e-mails to this client since the last look. */
async function emailsTo({ email }: Pick<Person, 'email'>) {
  await desk.deliver()
  return desk.outbox.emails.splice(0).filter(({ to }) => to === email)
}

async function replied(id: number, message: string, status?: string) {
  const reply = await desk.post('/api/admin/tickets/reply', admin, { id, message, ...(status ? { status } : {}) })
  assert.equal(reply.status, 201)
}

/** One click on "Unsubscribe" in a mail program. */
async function unsubscribed(headers: Record<string, string> | undefined) {
  const { pathname, search } = new URL(headers!['List-Unsubscribe']!.slice(1, -1))
  assert.equal((await fetch(desk.url + pathname + search, { method: 'POST' })).status, 200)
}

test('whoever ends the automatic e-mails still gets what staff write, and staff see that', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client)
  const before = await clientEmail(id)
  const [acknowledgement] = await emailsTo(client)
  await unsubscribed(acknowledgement!.headers)
  const after = await clientEmail(id)

  await replied(id, 'Have you tried water?')
  const answers = await emailsTo(client)
  await desk.post('/api/admin/tickets/status', admin, { id, status: 'Closed' })
  await aTicket(desk, client)
  const automatic = await emailsTo(client)

  const nothing = { email: client.email, reason: null, reason_code: null, rating_emails: 1 }
  assert.deepEqual(before, { state: 'sent', ...nothing })
  assert.deepEqual(after, { state: 'answers_only', ...nothing })
  assert.equal(answers.length, 1)
  assert.match(answers[0]!.text, /Have you tried water\?/)
  assert.deepEqual(automatic, [])
})

test('whoever writes by e-mail gets answers as well after one click', async () => {
  const { ticket_id } = await receive(aMail({ From: 'wanda@a.example' }))
  const wanda = { email: 'wanda@a.example' }
  const acknowledgement = (await emailsTo(wanda)).find(({ headers }) => headers?.['List-Unsubscribe'])
  await unsubscribed(acknowledgement!.headers)

  await replied(ticket_id!, 'Have you tried water?')

  assert.equal((await clientEmail(ticket_id!)).state, 'answers_only')
  assert.match((await emailsTo(wanda))[0]!.text, /Have you tried water\?/)
})

test('e-mails that the client ended, or that bounces stopped, are turned on again by staff, and the timeline says by whom', async () => {
  const client = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, client)
  const turnOn = (by: Person) => desk.post('/api/admin/tickets/emails/turn-on', by, { id })
  const events = async () => {
    const { events } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
    return events.filter(({ kind }: { kind: string }) => kind === 'ticket.emails_turned_on')
  }
  const nothing = await turnOn(admin)
  assert.deepEqual([nothing.status, nothing.data.client_email.state, await events()], [200, 'notices_only', []])
  await desk.db
    .updateTable('clients')
    .set({ ticket_emails: false, automatic_emails: false })
    .where('id', '=', client.id)
    .execute()
  const mark = { email: client.email, is_permanent: true, reason: 'no such address', last_at: desk.clock.now() }
  await desk.db.insertInto('undeliverable_addresses').values(mark).execute()
  const reader = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const editor = await aSupporter(desk, 'clients.edit')
  const refused = [(await turnOn(reader)).status, (await turnOn(editor)).status, (await turnOn(client)).status]
  assert.deepEqual(refused, [403, 404, 403])
  assert.equal((await clientEmail(id)).state, 'turned_off')

  const turned = await turnOn(admin)
  await turnOn(admin)

  assert.deepEqual([turned.status, turned.data.client_email.state], [200, 'notices_only'])
  assert.deepEqual(
    (await events()).map(({ actor_id, before, after }: Record<string, unknown>) => [actor_id, before, after]),
    [[admin.id, { state: 'turned_off' }, { state: 'notices_only' }]]
  )
  const told = await desk.db
    .selectFrom('clients')
    .where('id', '=', client.id)
    .select(['ticket_emails', 'automatic_emails'])
    .execute()
  assert.deepEqual(told, [{ ticket_emails: true, automatic_emails: true }])
})

test('staff see what keeps the client from getting an answer by e-mail', async () => {
  const stranger = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, stranger)
  const notices = await clientEmail(id)
  const [notice] = await emailsTo(stranger)
  await desk.db.updateTable('clients').set({ unverified_emails_sent: 20 }).where('id', '=', stranger.id).execute()
  const enough = await clientEmail(id)
  await unsubscribed(notice!.headers)
  const ended = await clientEmail(id)
  await desk.post('/api/account/notifications', stranger, { ticket_emails: 0 })
  const off = await clientEmail(id)
  await desk.post('/api/account/notifications', stranger, { ticket_emails: 1, automatic_emails: 1 })
  const { email } = stranger
  const mark = { email, is_permanent: true, reason: 'no such address', status: '5.1.1', last_at: desk.clock.now() }
  await desk.db.insertInto('undeliverable_addresses').values(mark).execute()
  const bounced = await clientEmail(id)
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', stranger.id).execute()
  const inactive = await clientEmail(id)

  assert.deepEqual(
    [notices, enough, ended, off, bounced, inactive].map(({ state }) => state),
    ['notices_only', 'limit_reached', 'unsubscribed', 'turned_off', 'bounced', 'inactive']
  )
  assert.deepEqual(bounced, {
    state: 'bounced',
    email,
    reason: 'no such address',
    reason_code: 'unknown_address',
    rating_emails: 1
  })
  await replied(id, 'Hello?')
  assert.deepEqual(await emailsTo(stranger), [])
})

test('point 9: what an answer reaches is told with the whole truth: withheld, erased, blocked, unsubscribed and bounced', async () => {
  const reach = async (id: number) => (await desk.post('/api/admin/tickets/detail', admin, { id })).data.reach
  const bounce = async (email: string) =>
    await desk.db
      .insertInto('undeliverable_addresses')
      .values({ email, is_permanent: true, reason: 'no such address', last_at: desk.clock.now() })
      .execute()
  await aClient(desk, { email: 'claimed@a.example' })
  const { ticket_id: withheld } = await receive(aMail({ From: 'claimed@a.example' }))
  await bounce('claimed@a.example')
  const erased = await aClient(desk, { is_email_verified: true })
  const { ticket_id: anonymous } = await aTicket(desk, erased)
  const blocked = await aClient(desk, { is_email_verified: true })
  const { ticket_id: ofBlocked } = await aTicket(desk, blocked)
  const quiet = await aClient(desk, { is_email_verified: true })
  const { ticket_id: ofQuiet } = await aTicket(desk, quiet)
  await desk.post('/api/account/notifications', quiet, { automatic_emails: 0 })
  await bounce(quiet.email)

  await desk.post('/api/admin/clients/delete', admin, { id: erased.id, mode: 'anonymize', confirm_email: erased.email })
  await desk.post('/api/admin/mail/blocked/add', admin, { sender: blocked.email })

  assert.deepEqual(await reach(withheld!), {
    is_unsubscribed: 0,
    will_reach: 0,
    is_blocked: 0,
    text: 'E-mails to claimed@a.example come back (no such address), and the account has not proven this address: nothing reaches them.'
  })
  assert.deepEqual(await reach(anonymous), {
    is_unsubscribed: 0,
    will_reach: 0,
    is_blocked: 0,
    text: 'This client has been erased: nobody gets the answer.'
  })
  assert.deepEqual(await reach(ofBlocked), {
    is_unsubscribed: 0,
    will_reach: 1,
    is_blocked: 1,
    text: `Answers reach ${blocked.email} by e-mail. E-mails from there are dropped: the sender is blocked.`
  })
  assert.deepEqual(await reach(ofQuiet), {
    is_unsubscribed: 1,
    will_reach: 0,
    is_blocked: 0,
    text: `E-mails to ${quiet.email} come back (no such address): the answer waits in the portal.`
  })
})
