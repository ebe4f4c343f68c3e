import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { replyBy } from '../../../test/support/mail-programs.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({
  connections: 6,
  config: { NOTIFICATION_DELAY_SECONDS: 30, MAIL_FROM: 'Example Support <support@desk.example>' }
})
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })
const ada = 'ada@example.com'
let serial = 0

async function done(action: string, body: object) {
  const reply = await desk.post(`/api/admin/tickets/${action}`, admin, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

/** The e-mails that have gone out to this address since the last look. */
async function sentTo(email: string) {
  desk.clock.turn(60)
  await desk.deliver()
  return desk.outbox.emails.splice(0).filter(({ to }) => to === email)
}

/** A ticket of Ada by e-mail, a second mail of hers, and an answer to that, as she got it. */
async function aConversation() {
  const references = { opening: `<opening-${++serial}@example.com>`, second: `<second-${serial}@example.com>` }
  const { ticket_id } = await receive(aMail({ 'Message-ID': references.opening }, 'The printer is on fire.\n'))
  const id = ticket_id!
  const arrival = (await sentTo(ada))[0]!
  await done('reply', { id, message: 'Pull the plug.' })
  const first = (await sentTo(ada))[0]!
  const second = { 'Message-ID': references.second, Subject: `Re: ${first.subject}`, 'In-Reply-To': references.opening }
  const { message_id } = await receive(aMail({ ...second, To: first.replyTo! }, 'And the wallbox is dark.\n'))
  const { message_id: answer_id } = await done('reply', { id, message: 'Which wallbox?' })
  const answer = (await sentTo(ada)).at(-1)!
  return { id, references, arrival, first, answer, moved: [message_id!, answer_id as number] }
}

const replyFrom = (message: Parameters<typeof replyBy>[1]['message'], words: string) =>
  receive(replyBy('gmail', { from: `Ada Lovelace <${ada}>`, message, words }))

test('L5: a later mail that answers a moved message goes to the new ticket, and one that answers another stays', async () => {
  const { id, references, first, answer, moved } = await aConversation()
  const { ticket_id } = await done('split', { id, message_ids: moved, subject: 'Wallbox' })

  const toMoved = await replyFrom(answer, 'The one in the press house.')
  const toFormer = await replyFrom(first, 'It is out.')
  const toOwn = await receive(
    aMail({ Subject: 'Re: The printer', 'In-Reply-To': references.second, To: first.replyTo! }, 'Still dark.\n')
  )
  const withoutKey = await receive(aMail({ Subject: 'More', 'In-Reply-To': references.second }, 'Hello?\n'))
  const toOpening = await receive(aMail({ Subject: 'More', 'In-Reply-To': references.opening }, 'Hello!\n'))

  assert.deepEqual(
    [toMoved, toFormer, toOwn, withoutKey, toOpening].map(receipt => receipt.ticket_id),
    [ticket_id, id, ticket_id, ticket_id, id]
  )
})

test('L5: after the split is undone, such a mail goes to the former ticket, and after a further split to where the message is', async () => {
  const { id, answer, moved } = await aConversation()
  const made = await done('split', { id, message_ids: moved, subject: 'Wallbox' })
  await done('unsplit', { id: made.ticket_id })

  const back = await replyFrom(answer, 'Here again.')
  const again = await done('split', { id, message_ids: [...moved, back.message_id!], subject: 'Wallbox' })
  const further = await done('split', { id: again.ticket_id, message_ids: moved, subject: 'Wallbox' })
  const there = await replyFrom(answer, 'There.')

  assert.deepEqual([back.ticket_id, there.ticket_id], [id, further.ticket_id])
})

test('an answer that is still to be sent when its message moves is sent once, in the new ticket', async () => {
  const { id, moved } = await aConversation()
  const { message_id } = await done('reply', { id, message: 'A screwdriver, please.' })
  await desk.findPendingNotifications()

  const { ticket_number } = await done('split', { id, message_ids: [...moved, message_id], subject: 'Wallbox' })

  const emails = await sentTo(ada)
  assert.deepEqual(
    emails.map(({ subject, text }) => [subject.includes(ticket_number), /A screwdriver/.test(text)]),
    [[true, true]]
  )
})

test('L6: an answer that is still to be sent goes to nobody once its message is another client’s', async () => {
  const bob = await aClient(desk, { is_email_verified: true })
  const { id, moved } = await aConversation()
  const { message_id } = await done('reply', { id, message: 'A screwdriver, please.' })
  await desk.findPendingNotifications()

  const given = { message_ids: [...moved, message_id], subject: 'Wallbox', client_id: bob.id }
  const { ticket_id } = await done('split', { id, ...given })
  desk.clock.turn(60)
  await desk.deliver()
  const emails = desk.outbox.emails.splice(0)

  assert.deepEqual(emails, [])
  const seen = await desk.post('/api/tickets/detail', bob, { id: ticket_id })
  assert.equal(seen.data.messages.length, 3)
  await done('unsplit', { id: ticket_id })
  const withheld = await desk.db
    .selectFrom('ticket_messages')
    .where('id', '=', moved[0]!)
    .select('client_email')
    .executeTakeFirstOrThrow()
  assert.deepEqual([withheld.client_email, (await desk.post('/api/tickets/detail', bob, { id })).status], [ada, 404])
})
