import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { assign, aTicket, limitTo } from '../../../test/support/tickets.ts'
import { keepSending } from './keep-sending.ts'
import { sendNotifications } from './send-notifications.ts'

const desk = await bootDesk({ connections: 8 })
const delay = 60

let ada: Person
let grace: Person
let mary: Person
beforeEach(async () => {
  await emails()
  ada = await aClient(desk, { is_email_verified: true })
  grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
  mary = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
})

/** What has gone out since the last look, once the delay is over; by recipient. */
async function emails() {
  desk.clock.turn(delay)
  await desk.deliver()
  return desk.outbox.emails.splice(0).toSorted((one, other) => (one.to < other.to ? -1 : 1))
}

async function recipients(): Promise<string[]> {
  return (await emails()).map(({ to }) => to)
}

async function done(path: string, person: Person, body: object): Promise<void> {
  const reply = await desk.post(path, person, body)
  assert.ok(reply.status < 300, reply.body.message)
}

async function watch(ticketId: number, person: Person): Promise<void> {
  await desk.db.insertInto('ticket_watchers').values({ ticket_id: ticketId, staff_id: person.id }).execute()
}

test('a client gets an e-mail for a new ticket, for an answer and for the closing, all in one thread', async () => {
  const { ticket_id: id, ticket_number: number } = await aTicket(desk, ada, { subject: 'Fire & smoke' })
  const [received, ...others] = await emails()
  await done('/api/admin/tickets/reply', grace, { id, message: 'Try <water>.' })
  const [answer] = await emails()
  await done('/api/tickets/status', grace, { id, status: 'Closed' })
  const [closing] = await emails()

  assert.deepEqual(others, [])
  for (const mail of [received!, answer!, closing!]) {
    const re = mail === answer ? 'Re: ' : ''
    assert.deepEqual([mail.to, mail.subject], [ada.email, `${re}[${number}] Fire & smoke`])
  }
  assert.match(received!.messageId, new RegExp(`^<ticket-${number.slice(4)}\\.[0-9a-f-]{36}@localhost>$`))
  assert.deepEqual([received!.inReplyTo, received!.references], [undefined, undefined])
  for (const mail of [answer!, closing!]) {
    assert.match(mail.messageId, /^<message-/)
    assert.deepEqual([mail.inReplyTo, mail.references], [received!.messageId, received!.messageId])
  }
  assert.doesNotMatch(received!.text, /Please hurry/)
  assert.match(answer!.text, /^Try <water>\.\n\nGrace Hopper$/m)
  assert.match(answer!.text, /^On .*, Ada Lovelace wrote:\n> Please hurry\.$/m)
  assert.match(answer!.html, />Try &#60;water&#62;\.</)
  assert.match(closing!.text, /has been closed/)
})

test('what happens close together is one e-mail, and nothing is told before its time or twice', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await done('/api/admin/tickets/reply', grace, { id, message: 'First.' })
  desk.clock.turn(delay - 5)
  await desk.deliver()
  const early = desk.outbox.emails.length
  await done('/api/admin/tickets/reply', grace, { id, message: 'Second.', status: 'Closed' })

  const [mail, ...others] = await emails()

  assert.deepEqual([early, others], [0, []])
  assert.match(mail!.text, /We have received.*\nFirst\..*\nSecond\..*has been closed/s)
  assert.deepEqual(await emails(), [])
})

test('any number of tellers at once write one e-mail', async () => {
  await aTicket(desk, ada)
  desk.clock.turn(delay)
  await desk.findPendingNotifications()

  await Promise.all(Array.from({ length: 6 }, () => sendNotifications(desk.services)))

  assert.deepEqual(await recipients(), [ada.email])
})

test('nobody gets an e-mail for what they did themselves, except that their ticket has arrived', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await emails()
  await assign(desk, id, grace.id)
  await watch(id, grace)

  await done('/api/tickets/reply', ada, { id, message: 'Never mind.' })
  assert.deepEqual(await recipients(), [grace.email])
  await done('/api/tickets/status', ada, { id, status: 'Closed' })
  await done('/api/admin/tickets/note', grace, { id, note: `Remember, @${grace.email}.` })
  assert.deepEqual(await recipients(), [])
})

test('staff are told of an assignment, of a mention, and as assignee or watcher of what the customer writes', async () => {
  const { ticket_id: id, ticket_number: number } = await aTicket(desk, ada)
  await emails()
  await done('/api/admin/tickets/assign', grace, { id, assigned_staff_id: mary.id })
  const [assignment, ...others] = await emails()
  await watch(id, grace)
  await done('/api/tickets/reply', ada, { id, message: 'It still burns.' })
  const replies = await emails()
  await done('/api/admin/tickets/note', grace, { id, note: `A canary for @${mary.email.toUpperCase()}` })
  const [mention, ...more] = await emails()

  assert.deepEqual([others, more], [[], []])
  assert.deepEqual([assignment!.to, mention!.to], [mary.email, mary.email])
  assert.match(assignment!.text, new RegExp(`^Grace Hopper assigned the ticket ${number} to you\\.`))
  assert.deepEqual(new Set(replies.map(({ to }) => to)), new Set([grace.email, mary.email]))
  assert.match(replies[0]!.text, /^Ada Lovelace wrote:\n\n> It still burns\.$/m)
  assert.match(mention!.text, /^Grace Hopper mentioned you in a note/)
  assert.doesNotMatch(mention!.text + mention!.html, /canary/)
})

test('a mention is told with the ticket where its note is now: split off, merged, or both', async () => {
  const splitOff = await aTicket(desk, ada, { subject: 'Two matters' })
  const merged = await aTicket(desk, ada, { subject: 'Said twice' })
  const target = await aTicket(desk, ada, { subject: 'Said first' })
  const stays = await aTicket(desk, ada, { subject: 'Stays' })
  const both = await aTicket(desk, ada, { subject: 'Both matters' })
  await emails()
  const mention = async (id: number) => {
    await done('/api/admin/tickets/note', grace, { id, note: `See this, @${mary.email}` })
    const { notes } = (await desk.post('/api/admin/tickets/detail', grace, { id })).data
    return notes.at(-1).id as number
  }
  const split = async (id: number, note: number) => {
    const { messages } = (await desk.post('/api/admin/tickets/detail', grace, { id })).data
    const body = { id, message_ids: [messages.at(-1).id], note_ids: [note], subject: 'The other matter' }
    const reply = await desk.post('/api/admin/tickets/split', grace, body)
    assert.ok(reply.status < 300, reply.body.message)
    return reply.data as { ticket_id: number; ticket_number: string }
  }
  for (const { ticket_id: id } of [splitOff, both]) await done('/api/tickets/reply', ada, { id, message: 'And more.' })
  await emails()

  const made = await split(splitOff.ticket_id, await mention(splitOff.ticket_id))
  for (const { ticket_id: id } of [merged, stays]) await mention(id)
  await done('/api/admin/tickets/merge', grace, { id: merged.ticket_id, into_id: target.ticket_id })
  const moved = await split(both.ticket_id, await mention(both.ticket_id))
  await done('/api/admin/tickets/merge', grace, { id: moved.ticket_id, into_id: stays.ticket_id })

  const told = (await emails()).filter(({ to }) => to === mary.email)
  const numbers = [made, target, stays].map(({ ticket_number }) => ticket_number)
  assert.deepEqual(new Set(told.map(({ text }) => text.match(/TIC-\w+/)![0])), new Set(numbers))
  for (const { text } of told) assert.match(text, /^Grace Hopper mentioned you in a note/)
  assert.deepEqual(await emails(), [])
})

test('an assignment that was taken back within the delay is told to nobody, nor a closing that was', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await emails()

  await done('/api/admin/tickets/assign', grace, { id, assigned_staff_id: mary.id })
  await done('/api/admin/tickets/assign', grace, { id, assigned_staff_id: null })
  await done('/api/admin/tickets/status', grace, { id, status: 'Closed' })
  await done('/api/admin/tickets/status', grace, { id, status: 'Open' })

  assert.deepEqual(await recipients(), [])
})

test('staff who do not see the ticket hear nothing of it, as watchers or mentioned', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await emails()
  const elsewhere = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, elsewhere.id, 4)
  const blind = await aSupporter(desk, 'tickets.reply')
  const gone = await aSupporter(desk, 'tickets.view_all')
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', gone.id).execute()
  const admin = await anAdmin(desk)
  for (const person of [elsewhere, blind, gone, admin]) await watch(id, person)

  await done('/api/tickets/reply', ada, { id, message: 'Hello?' })
  const note = [elsewhere, blind, gone].map(({ email }) => `@${email}`).join(' ')
  await done('/api/admin/tickets/note', grace, { id, note })

  assert.deepEqual(await recipients(), [admin.email])
})

test('whoever has turned e-mails off gets none', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await emails()
  await watch(id, mary)
  await done('/api/account/notifications', ada, { ticket_emails: 0 })
  const off = { assignment_emails: 0, mention_emails: 0, customer_reply_emails: 0 }
  await done('/api/account/notifications', mary, off)

  await done('/api/tickets/reply', ada, { id, message: 'Hello?' })
  await done('/api/admin/tickets/reply', grace, { id, message: 'Yes.', status: 'Closed' })
  await done('/api/admin/tickets/note', grace, { id, note: `@${mary.email}` })
  await done('/api/admin/tickets/assign', grace, { id, assigned_staff_id: mary.id })

  assert.deepEqual(await recipients(), [])
})

test('an address that nobody has proved gets fixed words, and twenty e-mails at most', async () => {
  const stranger = await aClient(desk, { first_name: 'Spam', last_name: 'Buy now' })
  const { ticket_id: id } = await aTicket(desk, stranger, { subject: 'Buy now', message: 'Buy now' })
  await done('/api/admin/tickets/reply', grace, { id, message: 'Buy now? No.' })
  const [mail] = await emails()
  for (let at = 0; at < 25; at++) await aTicket(desk, stranger, { subject: 'Buy now' })
  const more = await emails()

  assert.doesNotMatch(JSON.stringify(mail), /Buy now|Spam/)
  assert.match(mail!.text, /There is an answer/)
  assert.equal(more.length, 19)
})

test('a client for whom staff open a ticket is told what they wrote; nobody is told of the trash', async () => {
  const opening = { client_id: ada.id, department_id: 1, subject: 'Your order', message: 'It is on its way.' }
  await done('/api/admin/tickets/create', grace, opening)
  const [mail] = await emails()
  const { ticket_id } = await aTicket(desk, ada)
  await desk.db.updateTable('tickets').set({ trashed_at: desk.clock.now() }).where('id', '=', ticket_id).execute()

  assert.match(mail!.text, /has opened the ticket TIC-\d+ for you\.\n\nIt is on its way\.\n\nGrace Hopper\n/)
  assert.deepEqual(await recipients(), [])
})

test('a client who is no longer active gets none', async () => {
  await aTicket(desk, ada)
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', ada.id).execute()

  assert.deepEqual(await recipients(), [])
})

test('a ticket of which no e-mail can be made keeps nobody else waiting, and is told once it can', async () => {
  await aTicket(desk, ada)
  const bob = await aClient(desk)
  await aTicket(desk, bob)
  desk.clock.turn(delay)
  await desk.findPendingNotifications()
  const { keys } = desk.services
  let isBroken = true
  const seal: typeof keys.seal = (purpose, text) => {
    if (isBroken) throw new Error('out of order')
    return keys.seal(purpose, text)
  }
  const failing = { ...desk.services, keys: { ...keys, seal } }

  await assert.rejects(sendNotifications(failing), /No e-mails could be made about the tickets \d+,\d+/)
  isBroken = false
  desk.clock.turn(3600)
  await sendNotifications(failing)

  assert.deepEqual(await recipients(), [ada.email, bob.email].toSorted())
})

test('somebody keeps telling until told to stop, whatever goes wrong once', { timeout: 60_000 }, async () => {
  await aTicket(desk, ada)
  desk.clock.turn(delay)
  const stop = new AbortController()
  let tries = 0
  const clock = {
    now() {
      if (tries++ === 0) throw new Error('out of order')
      return desk.clock.now()
    }
  }

  const telling = keepSending({ ...desk.services, clock }, stop.signal)
  while (!(await isTold())) await new Promise(resolve => setImmediate(resolve))
  stop.abort()
  await telling

  assert.deepEqual(await recipients(), [ada.email])
})

async function isTold(): Promise<boolean> {
  const { rows } = await sql<{ isTold: boolean }>`
    select place = last_place and not exists (select from pending_notifications) as "isTold"
    from event_readers, event_sequencer where name = 'notifications'`.execute(desk.db)
  return rows[0]!.isTold
}
