import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { mailServer, saying } from '../../../test/support/mail-server.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { smtpMail } from '../../platform/mail/smtp.ts'
import { smtpAddress } from '../../platform/mail/smtp-address.ts'
import { NoMessage } from '../mailbox/store-mail.ts'

const server = await mailServer({
  hideDSN: false,
  onRcptTo(address, _session, answer) {
    if (address.address.startsWith('absent')) answer(saying(550, '5.1.1 No such user here'))
    else if (address.address.startsWith('later')) answer(saying(451, '4.7.1 Come back later'))
    else answer()
  }
})
const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`) })
const config = { NOTIFICATION_DELAY_SECONDS: 0, MAIL_FROM: 'Desk <support@desk.example>', MAIL_MAX_BYTES: 100_000 }
const desk = await bootDesk({ connections: 6, config, services: { mail } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const support = 'support@desk.example'
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { [support]: 1 } })

interface Row {
  id: number
  direction: 'in' | 'out'
  at: string
  outcome: string
  reason: string | null
  from: string | null
  to: string[]
  subject: string
  size: number | null
  verdict: string | null
  ticket_id: number | null
  ticket_number: string | null
}

async function log(filter: object = {}): Promise<Row[]> {
  const { status, data, body } = await desk.post('/api/admin/mail/log/list', admin, filter)
  assert.equal(status, 200, JSON.stringify(body))
  return data.mails
}

async function last(filter: object = {}): Promise<Row> {
  return (await log({ ...filter, limit: 1 }))[0]!
}

async function detail(id: number, more: object = {}) {
  return (await desk.post('/api/admin/mail/log/detail', admin, { id, ...more })).data.mail
}

const stepsOf = async (id: number) => (await detail(id)).steps.map(({ step }: { step: string }) => step)

test('2: each mail that comes in is a row with what became of it: ticket, duplicate, reply, held, dropped', async () => {
  const from = 'log-in@example.com'
  const first = aMail({ From: from, To: support, Subject: 'Once' })
  const { ticket_id, ticket_number } = await receive(first, { recipient: support })
  await receive(first, { recipient: support })
  await receive(aMail({ From: from, Subject: `Re: ${ticket_number}` }))
  await receive(aMail({ From: null, Subject: 'Nobody wrote this' }))
  await desk.post('/api/admin/mail/blocked/add', admin, { sender: 'log-blocked@example.com' })
  await receive(aMail({ From: 'log-blocked@example.com', Subject: 'Blocked' }))

  const rows = (await log({ direction: 'in' })).toReversed()

  assert.deepEqual(
    rows.map(row => [row.outcome, row.from, row.subject, row.reason, row.ticket_id]),
    [
      ['ticket', from, 'Once', null, ticket_id],
      ['duplicate', from, 'Once', null, ticket_id],
      ['reply', from, `Re: ${ticket_number}`, null, ticket_id],
      ['held', null, 'Nobody wrote this', 'no_sender', null],
      ['dropped', 'log-blocked@example.com', 'Blocked', 'blocked_sender', null]
    ]
  )
  assert.deepEqual([rows[0]!.to, rows[0]!.size, rows[0]!.ticket_number], [[support], first.length, ticket_number])
  assert.match(rows[0]!.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(await stepsOf(rows[0]!.id), ['received', 'checked', 'ticket'])
  const reply = await detail(rows[2]!.id)
  assert.deepEqual(
    reply.steps.map((each: object) => ({ ...each, at: '' })),
    [
      { step: 'received', at: '' },
      { step: 'checked', reason: 'unknown', at: '' },
      { step: 'found', reason: 'number', ticket_id, at: '' },
      { step: 'reply', ticket_id, at: '' }
    ]
  )
})

test('2: what is refused before it is stored is a row too: no message, too large, for nobody here', async () => {
  await assert.rejects(receive('hello', { sender: 'odd@example.com' }), NoMessage)
  const large = aMail({ From: 'large@example.com', Subject: 'Large' }, 'x'.repeat(200_000))
  await assert.rejects(receive(large, { recipient: support, sender: 'large@example.com' }))

  const rows = await log({ outcome: 'refused', direction: 'in' })

  assert.deepEqual(
    rows.map(row => [row.from, row.reason]),
    [
      ['large@example.com', 'too_large'],
      ['odd@example.com', 'no_message']
    ]
  )
})

/** A ticket that staff have answered by e-mail, and the e-mail as the server took it. */
async function answered(email?: string) {
  const client = await aClient(desk, email ? { email } : {})
  const { ticket_id } = await receive(aMail({ From: client.email, Subject: 'Water' }))
  await desk.deliver()
  server.emails.length = 0
  await desk.post('/api/tickets/reply', admin, { id: ticket_id, message: 'Have you tried water?' })
  await desk.deliver()
  const row = await last({ direction: 'out', ticket_id })
  return { client, ticket_id: ticket_id!, row, sent: server.emails.at(-1) }
}

function report(to: string, recipient: string, action: string, status: string, more = '') {
  const type = 'multipart/report; report-type=delivery-status; boundary=r'
  const headers = { From: 'MAILER-DAEMON@mx.example.com', To: to, Subject: 'Delivery report', 'Content-Type': type }
  const body = `--r\nContent-Type: text/plain\n\nA report.\n--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\n${more}\n--r--\n`
  return receive(aMail(headers, body), { sender: '' })
}

test('2: each e-mail that goes out is a row: queued, sent, and then what servers say of it', async () => {
  const { client, row, sent } = await answered()
  assert.deepEqual([row.outcome, row.from, row.to, row.subject], ['sent', support, [client.email], row.subject])
  assert.match(row.subject, /Water/)

  await report(sent!.from, client.email, 'delayed', '4.4.1')
  const deferred = await detail(row.id)
  await report(sent!.from, client.email, 'delivered', '2.0.0')

  const told = await detail(row.id)
  assert.equal(deferred.outcome, 'deferred')
  assert.deepEqual(await stepsOf(row.id), ['queued', 'sent', 'deferred', 'delivered'])
  assert.deepEqual([told.outcome, told.followed_by.length], ['delivered', 2])
  assert.deepEqual(told.followed_by[0].outcome, 'bounce')
})

test('2: a bounce and the e-mail that came back name each other; one that matched nothing is held, with a row', async () => {
  const { client, row, sent, ticket_id } = await answered()
  await report(sent!.from, client.email, 'failed', '5.2.2', 'Diagnostic-Code: smtp; 552 5.2.2 Mailbox full\n')
  await report(support, 'someone@example.com', 'failed', '5.1.1')

  const [unmatched, bounce] = await log({ direction: 'in', limit: 2 })
  const back = await detail(bounce!.id)
  const out = await detail(row.id)

  assert.deepEqual([out.outcome, out.reason], ['bounced', 'mailbox full'])
  assert.deepEqual(
    [back.outcome, back.about.id, back.ticket_id, out.followed_by.map(({ id }: Row) => id)],
    ['bounce', row.id, ticket_id, [bounce!.id]]
  )
  assert.deepEqual([unmatched!.outcome, unmatched!.reason], ['held', 'unknown_report'])
})

test('2: a server that refuses is told as refused, one that wants it later as deferred', async () => {
  const absent = await answered('absent@d.example')
  const later = await answered('later@d.example')

  assert.deepEqual([absent.row.outcome, absent.row.reason], ['refused', 'no such address'])
  assert.equal(later.row.outcome, 'deferred')
  const { steps } = await detail(later.row.id)
  assert.match(steps.at(-1).detail, /451/)
})

test('2: words alone make no bounce and nothing automatic: a person who writes them gets a ticket', async () => {
  const body = 'Delivery to the following recipient failed permanently. I am out of office, said the reply.\n'
  await receive(aMail({ From: 'person@example.com', Subject: 'Undelivered Mail Returned to Sender' }, body))

  const row = await last({ direction: 'in' })

  assert.equal(row.outcome, 'ticket')
})

test('2: codes and links are shown to nobody: not in the row, its detail or raw text, nor when the e-mail comes back', async () => {
  const client = await aClient(desk)
  server.emails.length = 0
  const code = (await desk.post('/api/auth/send-email-verification', undefined, { email: client.email })).data.code
  await desk.deliver()
  const sent = server.emails.at(-1)!
  assert.ok(sent.email.text!.includes(code))
  const row = await last({ direction: 'out' })
  const body = `--r\nContent-Type: text/plain\n\nNot delivered.\n--r\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ${client.email}\nAction: failed\nStatus: 5.1.1\n\n--r\nContent-Type: message/rfc822\n\n${sent.raw}\n--r--\n`
  const type = 'multipart/report; report-type=delivery-status; boundary=r'
  const headers = { From: 'MAILER-DAEMON@mx.example.com', Subject: 'Returned', 'Content-Type': type }
  await receive(aMail({ ...headers, To: sent.from }, body), { sender: '' })
  const bounce = await last({ direction: 'in' })
  await receive(aMail({ ...headers, To: support, 'Message-ID': '<again@mx>' }, body), { sender: '' })
  const held = await last({ direction: 'in', outcome: 'held' })

  const shown = JSON.stringify([
    await detail(row.id, { raw: 1 }),
    await detail(bounce.id, { raw: 1 }),
    await detail(held.id, { raw: 1 }),
    (await desk.post('/api/admin/mail/held/detail', admin, { id: (await detail(held.id)).held_mail_id })).data
  ])
  const links = await Promise.all(
    [row, bounce, held].map(async ({ id }) => (await desk.post('/api/admin/mail/log/raw-link', admin, { id })).status)
  )
  const again = await desk.post('/api/admin/mail/log/send', admin, { id: row.id })

  assert.deepEqual([bounce.outcome, held.reason], ['bounce', 'unknown_report'])
  assert.ok(!shown.includes(code), shown)
  assert.deepEqual(links, [404, 404, 404])
  assert.deepEqual([again.status, again.body.reason], [409, 'not_sendable'])
})

test('2: it is searched by parts of addresses, words, Message-IDs and ticket numbers, filtered, and read page by page', async () => {
  const id = '<find-me.1@search.example>'
  const { ticket_id, ticket_number } = await receive(
    aMail({ From: 'findable@search.example', Subject: 'Der Zähler läuft rückwärts', 'Message-ID': id })
  )

  for (const search of ['indable@sear', 'zähler RÜCKWÄRTS', id, 'find-me.1@search.example', ticket_number]) {
    const found = await log({ search, direction: 'in' })
    assert.deepEqual([found.length, found[0]?.ticket_id], [1, ticket_id], search)
  }
  await receive(aMail({ From: 'deniz@search.example', Subject: 'Trip to İstanbul' }))
  for (const search of ['İSTANBUL', 'İstanbul', 'istanbul'])
    assert.equal((await log({ search, direction: 'in' })).length, 1, search)
  for (const search of ['100%zähler', 'nothing-like-it', 'zähler vorwärts', '<>'])
    assert.equal(
      (await log({ search, outcome: 'ticket' })).filter(row => row.ticket_id === ticket_id).length,
      search === '<>' ? 1 : 0
    )
  const address = await log({ address: 'FINDABLE@search.example', outcome: 'ticket', days: 1, verdict: 'unknown' })
  assert.deepEqual([address.length, (await log({ address: 'indable@search.example' })).length], [1, 0])
  const all = await log({ limit: 200 })
  const paged: Row[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await desk.post('/api/admin/mail/log/list', admin, { limit: 3, ...(cursor ? { cursor } : {}) })
    paged.push(...data.mails)
    cursor = data.next_cursor
  }
  assert.deepEqual(paged, all)
  const counted = await desk.post('/api/admin/mail/log/list', admin, { count: 1, direction: 'in', limit: 1 })
  assert.equal(counted.data.total, all.filter(({ direction }) => direction === 'in').length)
  const wrong = await desk.post('/api/admin/mail/log/list', admin, { cursor: 'x' })
  assert.deepEqual([wrong.status, wrong.body.errors], [400, ['cursor']])
})

test('2: only staff who see all tickets see the log; whoever sees a ticket sees its e-mails', async () => {
  const { ticket_id, row } = await answered()
  const all = await aSupporter(desk, 'tickets.view_all')
  const replies = await aSupporter(desk, 'tickets.reply')
  const client = await aClient(desk)
  const limited = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  await desk.db.insertInto('department_members').values({ staff_id: limited.id, department_id: 1 }).execute()
  const list = '/api/admin/mail/log/list'

  const statuses = [all, limited, replies, client, undefined].map(async who => (await desk.post(list, who, {})).status)
  const processing = await desk.post('/api/admin/mail/log/process', all, { id: row.id })
  const unseen = await desk.post('/api/admin/tickets/emails', replies, { id: ticket_id })
  await desk.post('/api/admin/tickets/assign', admin, { id: ticket_id, staff_id: replies.id })
  const seen = await desk.post('/api/admin/tickets/emails', replies, { id: ticket_id })

  assert.deepEqual(await Promise.all(statuses), [200, 403, 403, 403, 401])
  assert.deepEqual([processing.status, unseen.status, seen.status], [403, 404, 200])
  assert.deepEqual(
    seen.data.mails
      .filter((mail: Row) => mail.id === row.id)
      .map((mail: { steps: { step: string }[] }) => mail.steps.map(({ step }) => step)),
    [['queued', 'sent']]
  )
})
