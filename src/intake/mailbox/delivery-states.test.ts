import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { mailServer, saying } from '../../../test/support/mail-server.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { recordBounce } from '../../mail/outbox/delivery-state.ts'
import { smtpMail } from '../../platform/mail/smtp.ts'
import { smtpAddress } from '../../platform/mail/smtp-address.ts'

const asked: string[] = []
const server = await mailServer({
  hideDSN: false,
  onRcptTo(address, _session, answer) {
    asked.push(`${address.address} ${(address as { dsn?: { notify?: string[] } }).dsn?.notify ?? ''}`)
    if (address.address.startsWith('absent')) answer(saying(550, '5.1.1 No such user here'))
    else if (address.address.startsWith('later')) answer(saying(451, '4.7.1 Come back later'))
    else answer()
  }
})
const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`) })
const config = { NOTIFICATION_DELAY_SECONDS: 0, MAIL_FROM: 'Desk <support@desk.example>' }
const desk = await bootDesk({ connections: 6, config, services: { mail } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

/** The delivery states of the last message of a ticket, by recipient. */
async function deliveries(id: number): Promise<Record<string, [state: string, reason: string | null]>> {
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const found: { email: string; state: string; reason: string | null }[] = messages.at(-1).deliveries ?? []
  return Object.fromEntries(found.map(({ email, state, reason }) => [email, [state, reason]]))
}

/** A ticket with followers that staff have answered, and the return address and Message-ID of each e-mail with the answer. */
async function answered(...cc: string[]) {
  const client = await aClient(desk)
  const { ticket_id } = await receive(aMail({ From: client.email, Cc: cc.join(', ') || null }))
  const id = ticket_id!
  await desk.deliver()
  server.emails.length = 0
  await desk.post('/api/tickets/reply', admin, { id, message: 'Have you tried water?' })
  await desk.deliver()
  const sent = Object.fromEntries(
    server.emails.map(({ to, from, email }) => [to[0]!, { from, messageId: email.messageId! }])
  )
  return { id, client, sent }
}

interface Sent {
  from: string
  messageId: string
}

function report({ from, messageId }: Sent, recipient: string, action: string, status: string, words = '') {
  const headers = {
    From: 'MAILER-DAEMON@mx.example.com',
    To: from,
    Subject: 'Delivery report',
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=r'
  }
  const diagnostic = words ? `Diagnostic-Code: smtp; ${words}\n` : ''
  const body = `--r\nContent-Type: text/plain\n\nA report.\n--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\n${diagnostic}\n--r\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\n--r--\n`
  return receive(aMail(headers, body), { sender: '' })
}

async function marks(email: string) {
  return await desk.db.selectFrom('undeliverable_addresses').where('email', '=', email).select('reason').execute()
}

test('each message says what became of its e-mails, as servers tell it', async () => {
  const { id, client, sent } = await answered('full@d.example', 'slow@d.example', 'later@d.example', 'absent@d.example')
  const atOnce = await deliveries(id)
  const receipts = [
    await report(sent[client.email]!, client.email, 'delivered', '2.0.0'),
    await report(sent['slow@d.example']!, 'slow@d.example', 'delayed', '4.4.1'),
    await report(sent['full@d.example']!, 'full@d.example', 'failed', '5.2.2', '552 5.2.2 Mailbox full')
  ]

  const own = client.email
  assert.deepEqual(atOnce, {
    [own]: ['sent', null],
    'full@d.example': ['sent', null],
    'slow@d.example': ['sent', null],
    'later@d.example': ['delayed', atOnce['later@d.example']![1]],
    'absent@d.example': ['bounced', 'no such address']
  })
  assert.match(atOnce['later@d.example']![1]!, /451 4\.7\.1 Come back later/)
  assert.deepEqual(
    receipts.map(({ outcome, ticket_id, is_automatic }) => [outcome, ticket_id, is_automatic]),
    Array(3).fill(['bounce', id, true])
  )
  const later = await deliveries(id)
  assert.deepEqual(
    [later[own], later['slow@d.example'], later['full@d.example']],
    [
      ['delivered', null],
      ['delayed', null],
      ['bounced', 'mailbox full']
    ]
  )
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const codes = messages.at(-1).deliveries.map((each: Record<string, string>) => [each.email, each.reason_code])
  assert.deepEqual(Object.fromEntries(codes), {
    [own]: null,
    'full@d.example': 'mailbox_full',
    'slow@d.example': null,
    'later@d.example': 'temporary',
    'absent@d.example': 'unknown_address'
  })
  const { data } = await desk.post('/api/admin/events/list', admin, { kinds: ['ticket.delivery_changed'] })
  const told = data.events.filter((event: { ticket_id: number }) => event.ticket_id === id)
  const states = told.map((event: { after: { delivery: string } }) => event.after.delivery)
  assert.deepEqual(states.toSorted(), [
    ...['bounced', 'bounced', 'delayed', 'delayed', 'delivered'],
    ...['sent', 'sent', 'sent']
  ])
  assert.doesNotMatch(JSON.stringify(told), /d\.example/)
})

test('9: what was not delivered stands in the queue until it is dismissed, and again if it comes back anew; the log keeps who knows', async () => {
  const { id, client, sent } = await answered('gone@d.example')
  const row = async () => {
    const { tickets } = (await desk.post('/api/admin/tickets/list', admin, { client_id: client.id })).data
    return tickets.find((ticket: { id: number }) => ticket.id === id).undelivered
  }
  const dismissed = async () => {
    const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
    const found = messages.at(-1).deliveries.find(({ email }: { email: string }) => email === 'gone@d.example')
    return [found.state, found.is_dismissed]
  }
  const dismiss = () => desk.post('/api/admin/tickets/undelivered/dismiss', admin, { id })
  await report(sent['gone@d.example']!, 'gone@d.example', 'failed', '5.2.2', '552 5.2.2 Mailbox full')
  const before = [await row(), await dismissed()]

  const first = await dismiss()
  const second = await dismiss()

  assert.deepEqual(before, [1, ['bounced', 0]])
  assert.deepEqual([first.data.dismissed, second.data.dismissed], [1, 0])
  assert.deepEqual([await row(), await dismissed()], [0, ['bounced', 1]])
  const log = (await desk.post('/api/admin/mail/log/list', admin, { address: 'gone@d.example' })).data.mails
  const { mail } = (await desk.post('/api/admin/mail/log/detail', admin, { id: log[0].id })).data
  assert.deepEqual(
    [mail.outcome, mail.steps.at(-1).step, mail.steps.at(-1).staff_id],
    ['bounced', 'dismissed', admin.id]
  )
  await report(sent['gone@d.example']!, 'gone@d.example', 'failed', '5.1.1', '550 5.1.1 No such user')
  assert.deepEqual([await row(), await dismissed()], [1, ['bounced', 0]])
})

test('reports are asked for of a server that offers them, where they come back to the desk', async () => {
  asked.length = 0
  const { client } = await answered()

  assert.ok(asked.includes(`${client.email} SUCCESS,FAILURE,DELAY`), `${asked}`)
  await desk.post('/api/auth/forgot-password', undefined, { email: client.email })
  await desk.deliver()
  assert.equal(asked.at(-1), `${client.email} `)
})

test('a bounce is recorded with its event, or not at all and then by the next attempt', async () => {
  const { id } = await answered('twice@d.example')
  const sent = desk.db.selectFrom('sent_emails').where('recipient', '=', 'twice@d.example').select('ref')
  const { ref } = await sent.executeTakeFirstOrThrow()
  const bounce = { status: '5.2.2', reason: 'mailbox full', isPermanent: false }
  await sql`
    create function refuse_events() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`.execute(
    desk.db
  )
  await sql`create trigger refuse before insert on events execute function refuse_events()`.execute(desk.db)

  await assert.rejects(recordBounce(desk.services, ref, bounce), /no room/)
  await sql`drop trigger refuse on events`.execute(desk.db)

  assert.equal(await recordBounce(desk.services, ref, bounce), true)
  assert.deepEqual((await deliveries(id))['twice@d.example'], ['bounced', 'mailbox full'])
})

test('a report that did not come to the return address of an e-mail marks nobody, whatever it names: it is held', async () => {
  const { id, client, sent } = await answered('friend@d.example')
  const { messageId } = sent['friend@d.example']!
  const key = server.emails.find(({ to }) => to[0] === client.email)!.email.replyTo![0]!.address!
  const ofAnother = (await answered()).sent
  const [other] = Object.values(ofAnother)
  const broken = sent['friend@d.example']!.from.replace(/.{3}@/, 'abc@')

  const receipts = [
    await report({ from: 'support@desk.example', messageId }, 'friend@d.example', 'failed', '5.1.1', 'User unknown'),
    await report({ from: key, messageId: '<message-1.x@localhost>' }, client.email, 'failed', '5.1.1', 'User unknown'),
    await report({ from: broken, messageId: '<message-2@localhost>' }, client.email, 'failed', '5.1.1', 'User unknown'),
    await report({ from: 'support@desk.example', messageId }, 'friend@d.example', 'delayed', '4.4.1')
  ]
  const good = await report({ from: 'support@desk.example', messageId }, 'friend@d.example', 'delivered', '2.0.0')

  assert.deepEqual(
    receipts.map(({ outcome, reason, ticket_id }) => [outcome, reason, ticket_id]),
    [
      ['held', 'unknown_report', id],
      ['held', 'unknown_report', id],
      ['held', 'unknown_report', undefined],
      ['held', 'unknown_report', id]
    ]
  )
  assert.deepEqual([good.outcome, good.reason], ['bounce', 'delivered'])
  assert.deepEqual(await deliveries(id), { [client.email]: ['sent', null], 'friend@d.example': ['sent', null] })
  assert.deepEqual([await marks(client.email), await marks('friend@d.example')], [[], []])

  // At the address of another e-mail it says something about that one alone.
  const misled = await report({ ...other!, messageId }, 'friend@d.example', 'failed', '5.1.1', 'User unknown')
  assert.equal(misled.outcome, 'bounce')
  assert.deepEqual([await marks('friend@d.example'), await marks(client.email)], [[], []])
})

test('each e-mail from a support address has its own return address there, and every way in knows it', async () => {
  const { client, sent } = await answered('full@d.example')
  const { from, messageId } = sent['full@d.example']!
  const notice = (headers: Record<string, string | null>, envelope: { recipient?: string }) =>
    receive(
      aMail(
        { From: 'MAILER-DAEMON@mx.example.com', Subject: 'failure notice', ...headers },
        `552 5.2.2 full ${messageId}\n`
      ),
      { sender: '', ...envelope }
    )

  assert.match(from, /^support\+e\d+-[0-9a-f]{20}@desk\.example$/)
  assert.notEqual(from, sent[client.email]!.from)
  const receipts = [
    await notice({ To: null }, { recipient: from.toUpperCase() }),
    await notice({ To: from }, {}),
    await notice({ To: null, 'Delivered-To': from }, {}),
    await notice({ To: null, 'X-Original-To': from }, { recipient: 'deskline@localhost' })
  ]
  assert.deepEqual(
    receipts.map(({ outcome }) => outcome),
    Array(4).fill('bounce')
  )
})

test('an e-mail from an address at which the desk receives nothing is sent from MAIL_FROM, and nothing that comes back counts', async () => {
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: {} })
  server.emails.length = 0
  const { email } = await aClient(desk)
  await desk.post('/api/auth/forgot-password', undefined, { email })
  await desk.deliver()
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

  const [told] = server.emails
  assert.deepEqual([told!.to, told!.from], [[email], 'support@desk.example'])
  const receipt = await report({ from: told!.from, messageId: told!.email.messageId! }, email, 'failed', '5.1.1')
  assert.deepEqual([receipt.outcome, await marks(email)], ['held', []])
})

test('where nobody has an address nothing more is sent there, until staff lift that', async () => {
  const { id, client, sent } = await answered()
  const state = async () => (await desk.post('/api/admin/clients/deliverability', admin, { id: client.id })).data
  const before = await state()
  await report(sent[client.email]!, client.email, 'failed', '5.1.1', '550 5.1.1 User unknown')
  const stopped = await state()
  server.emails.length = 0
  await desk.post('/api/tickets/reply', admin, { id, message: 'Are you there?' })
  await desk.deliver()
  const notSent = await deliveries(id)
  const taken = server.emails.length
  const lifted = await desk.post('/api/admin/clients/deliver-again', admin, { id: client.id })
  await desk.post('/api/tickets/reply', admin, { id, message: 'Now?' })
  await desk.deliver()

  assert.equal(before.undeliverable, null)
  assert.deepEqual(
    [stopped.undeliverable.is_stopped, stopped.undeliverable.reason, stopped.undeliverable.reason_code],
    [1, 'no such address', 'unknown_address']
  )
  assert.deepEqual([taken, notSent], [0, { [client.email]: ['bounced', 'no such address'] }])
  assert.deepEqual([lifted.status, lifted.data.undeliverable], [200, null])
  assert.deepEqual(await deliveries(id), { [client.email]: ['sent', null] })
})
