import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { mailServer, saying } from '../../../test/support/mail-server.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { smtpMail } from '../../platform/mail/smtp.ts'
import { smtpAddress } from '../../platform/mail/smtp-address.ts'
import { sweepMails } from '../mailbox/sweep-mails.ts'

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
let admin = await anAdmin(desk)
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

test('2: processed again, a mail is judged by what holds now; a dry run says so and writes nothing', async () => {
  const sender = 'again@example.com'
  const blocked = await desk.post('/api/admin/mail/blocked/add', admin, { sender })
  await receive(aMail({ From: sender, Subject: 'Let me in' }))
  const row = await last({ direction: 'in' })
  assert.equal(row.outcome, 'dropped')
  await desk.post('/api/admin/mail/blocked/remove', admin, { id: blocked.data.sender?.id ?? blocked.data.blocked.id })
  const before = await desk.rowCounts()

  const dry = await desk.post('/api/admin/mail/log/process', admin, { id: row.id, dry_run: 1 })
  const after = await desk.rowCounts()
  const both = await Promise.all([1, 2].map(() => desk.post('/api/admin/mail/log/process', admin, { id: row.id })))
  const settled = await desk.post('/api/admin/mail/log/process', admin, { id: row.id, dry_run: 1 })

  assert.deepEqual([dry.status, dry.data.outcome, dry.data.ticket_id], [200, 'ticket', null])
  assert.deepEqual(after, before)
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  const done = both.find(({ status }) => status === 200)!.data
  assert.deepEqual([done.outcome, typeof done.ticket_id], ['ticket', 'number'])
  assert.deepEqual([settled.data.is_settled, settled.data.ticket_id], [1, done.ticket_id])
  const now = await detail(row.id)
  assert.deepEqual([now.outcome, now.ticket_id, now.can_process], ['ticket', done.ticket_id, 0])
  assert.ok((await stepsOf(row.id)).includes('processed_again'))
})

test('2: sent again, an e-mail is a new one with the same words, noted in both', async () => {
  const { client, row, sent } = await answered()
  server.emails.length = 0

  const again = await desk.post('/api/admin/mail/log/send', admin, { id: row.id })
  await desk.deliver()

  assert.equal(again.status, 201)
  const second = server.emails.at(-1)!
  assert.deepEqual(
    [second.to, second.email.subject, second.email.text],
    [sent!.to, sent!.email.subject, sent!.email.text]
  )
  assert.deepEqual(second.to, [client.email])
  assert.notEqual(second.email.messageId, sent!.email.messageId)
  const [one, two] = [await detail(row.id), await detail(again.data.sent_id)]
  assert.equal(one.steps.at(-1).log_id, two.id)
  assert.deepEqual([two.outcome, two.about.id], ['sent', row.id])
})

test('2: pressed twice, "Send again" sends one e-mail; later, and to another address, it sends one more', async () => {
  const { row } = await answered()
  server.emails.length = 0
  const send = (more: object = {}) => desk.post('/api/admin/mail/log/send', admin, { id: row.id, ...more })

  const atOnce = await Promise.all([send(), send(), send({ to: row.to[0]!.toUpperCase() })])
  const onItsWay = await send()
  await desk.deliver()
  const inTheSameSecond = await send()
  const elsewhere = await Promise.all([send({ to: 'other@example.com' }), send({ to: 'Other@example.com' })])
  desk.clock.turn(60)
  const later = await send()
  await desk.deliver()

  assert.deepEqual(atOnce.map(({ status }) => status).toSorted(), [201, 409, 409])
  const done = atOnce.find(({ status }) => status === 201)!.data.sent_id
  for (const { status, body } of [...atOnce, onItsWay, inTheSameSecond].filter(({ status }) => status !== 201))
    assert.deepEqual([status, body.reason, body.data.sent_id], [409, 'just_sent_again', done])
  assert.deepEqual(elsewhere.map(({ status }) => status).toSorted(), [201, 409])
  assert.equal(later.status, 201)
  assert.equal(server.emails.length, 3)
  assert.equal((await detail(row.id)).followed_by.length, 3)
})

test('2: sent to another address, an e-mail goes there alone, and the thread knows both by their rows', async () => {
  const { client, ticket_id, row, sent } = await answered()
  server.emails.length = 0
  const before = await desk.rowCounts()

  const toDesk = await desk.post('/api/admin/mail/log/send', admin, { id: row.id, to: 'Support+x@desk.example' })
  const toNobody = await desk.post('/api/admin/mail/log/send', admin, { id: row.id, to: 'nobody' })
  const untouched = await desk.rowCounts()
  const again = await desk.post('/api/admin/mail/log/send', admin, { id: row.id, to: 'other@example.com' })
  await desk.deliver()

  for (const refused of [toDesk, toNobody])
    assert.deepEqual([refused.status, refused.body.errors], [400, ['to']], refused.body.message)
  assert.deepEqual(untouched, before)
  assert.equal(again.status, 201)
  assert.deepEqual(
    server.emails.map(({ to, email }) => [to, email.subject, email.text]),
    [[['other@example.com'], sent!.email.subject, sent!.email.text]]
  )
  assert.doesNotMatch(String(server.emails[0]!.raw), /^List-Unsubscribe/im)
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id: ticket_id })).data
  assert.deepEqual(
    messages
      .at(-1)
      .deliveries.map(({ email, log_id }: { email: string; log_id: number }) => [email, log_id])
      .toSorted(),
    [
      [client.email, row.id],
      ['other@example.com', again.data.sent_id]
    ].toSorted()
  )
})

test('2: as CSV the log has what was filtered, and no cell is a formula', async () => {
  await receive(aMail({ From: '=cmd@example.com', Subject: '=1+1 evil' }))
  const { status, data } = await desk.post('/api/admin/mail/log/export', admin, { search: 'evil' })
  const { pathname, search } = new URL(data.url)

  const response = await fetch(desk.url + pathname + search)
  const lines = (await response.text()).trimEnd().split('\r\n')
  const forged = await fetch(`${desk.url}${pathname}${search.replace('evil', 'else')}`)

  assert.deepEqual([status, response.status, lines.length, forged.status], [200, 200, 2, 404])
  assert.match(lines[0]!, /^id,direction,at,from,to,subject,size,outcome,reason,verdict,ticket_number,message_id$/)
  assert.match(lines[1]!, /,'=1\+1 evil,/)
  assert.doesNotMatch(lines[1]!, /(^|,)"?[=+@-]/)
})

test('2: a row outlives its raw message, goes with its time, and loses the person with the client', async () => {
  const { client, row, ticket_id } = await answered()
  const exported = await desk.db.selectFrom('mail_log').where('client_id', '=', client.id).select('id').execute()
  assert.ok(exported.length > 0)
  desk.clock.turn(91 * 86_400)
  admin = await anAdmin(desk)
  await sweepMails(desk.services)
  const [came] = (await log({ ticket_id, direction: 'in' })) as [Row]
  assert.deepEqual([came.outcome, (await detail(came.id)).has_raw], ['ticket', 0])

  const erased_ = await desk.post('/api/admin/clients/delete', admin, {
    ...{ id: client.id, mode: 'cascade', confirm_email: client.email }
  })
  assert.equal(erased_.status, 200, JSON.stringify(erased_.body))
  const erased = await detail(came.id)
  assert.deepEqual([erased.from, erased.subject, erased.is_erased, erased.outcome], ['erased', '', 1, 'ticket'])
  assert.deepEqual([(await detail(row.id)).to, (await detail(row.id)).can_send], [['erased'], 0])
  assert.ok(!JSON.stringify(await log({ limit: 200 })).includes(client.email))

  desk.clock.turn(300 * 86_400)
  admin = await anAdmin(desk)
  await sweepMails(desk.services)
  assert.deepEqual(await log(), [])
})
