import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0 } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

async function detail(ticket: number | undefined) {
  return (await desk.post('/api/admin/tickets/detail', admin, { id: ticket })).data
}

/** A ticket that staff have answered, and the e-mail that told its client so. */
async function answered(client: Person) {
  const { ticket_id } = (
    await desk.post('/api/tickets/create', client, { deptid: 1, subject: 'Help', message: 'Please' })
  ).data
  await desk.deliver()
  await desk.post('/api/tickets/reply', admin, { id: ticket_id, message: 'Have you tried water?' })
  desk.outbox.emails.length = 0
  const { emails } = await desk.deliver()
  const told = emails.find(({ to }) => to === client.email)!
  desk.outbox.emails.length = 0
  return { ticket_id: ticket_id as number, told }
}

test('what a program answers is kept in the thread as such: nothing is reopened, nobody is written to', async () => {
  const client = await aClient(desk)
  const { ticket_id, told } = await answered(client)

  for (const headers of [
    { 'Auto-Submitted': 'auto-replied (vacation)' },
    { Precedence: 'bulk' },
    { 'X-Autoreply': 'yes' },
    { 'List-Id': '<news.example.com>' },
    { 'X-Auto-Response-Suppress': 'All', Subject: 'Automatische Antwort: Help' },
    { 'X-Auto-Response-Suppress': 'OOF', Subject: 'Réponse automatique : Help' }
  ] as Record<string, string>[]) {
    const receipt = await receive(aMail({ From: client.email, 'In-Reply-To': told.messageId, ...headers }))
    assert.deepEqual([receipt.outcome, receipt.is_automatic], ['reply', true], JSON.stringify(headers))
  }
  const nullSender = await receive(aMail({ From: client.email, 'In-Reply-To': told.messageId }), { sender: '' })
  const { ticket, messages } = await detail(ticket_id)

  assert.deepEqual([nullSender.is_automatic, ticket.status], [true, 'Answered'])
  assert.equal(messages.at(-1).email.is_automatic, 1)
  assert.deepEqual((await desk.deliver()).emails, [])
})

test('words that a person may write too, or a header that persons’ mails have, make no answer automatic: a closed ticket is open again', async () => {
  const client = await aClient(desk)
  for (const [headers, text] of [
    [{ 'X-Auto-Response-Suppress': 'All' }, 'It still burns.'],
    [{ 'X-Auto-Response-Suppress': 'DR, RN, NRN' }, 'It still burns.'],
    [{ Subject: 'Abwesenheit: wer vertritt Sie?' }, 'It still burns.'],
    [{}, 'Ich bin im Urlaub gewesen, es brennt noch.'],
    [{}, 'It still burns.\n\n> Ich bin im Urlaub.\n> This is an automated message.'],
    [{ Subject: 'Delivery problem with my order' }, 'It was not delivered: 550 5.1.1 user unknown'],
    [{ Subject: 'Zustellung Paket' }, 'Das Paket konnte nicht zugestellt werden.']
  ] as [Record<string, string>, string][]) {
    const { ticket_id, told } = await answered(client)
    await desk.post('/api/admin/tickets/status', admin, { id: ticket_id, status: 'Closed' })
    const written = { From: client.email, 'In-Reply-To': told.messageId, Subject: 'Re: Help', ...headers }
    const receipt = await receive(aMail(written, `${text}\n`))
    const { ticket, messages } = await detail(ticket_id)
    const about = JSON.stringify([headers, text])
    assert.deepEqual([receipt.outcome, receipt.is_automatic, receipt.ticket_id], ['reply', false, ticket_id], about)
    assert.deepEqual([ticket.status, messages.length], ['Customer-Reply', 3], about)
  }
  const marked = await desk.db.selectFrom('undeliverable_addresses').select('email').execute()
  assert.deepEqual(marked, [])
})

test('a first mail with such words is a ticket, and is not acknowledged if it seems to be a vacation reply', async () => {
  const delivery = await receive(
    aMail({ From: 'parcel@a.example', Subject: 'Zustellung Paket' }, 'Konnte nicht zugestellt werden.\n')
  )
  const quoting = await receive(
    aMail({ From: 'quoting@a.example', Subject: 'Re: x' }, 'Hello\n\n> This is an automated message.\n')
  )
  const away = await receive(aMail({ From: 'away@a.example' }, 'Ich bin im Urlaub.\n'))
  const { emails } = await desk.deliver()

  assert.deepEqual(
    [delivery, quoting, away].map(({ outcome, is_automatic, reason }) => [outcome, is_automatic, reason]),
    [
      ['ticket', false, undefined],
      ['ticket', false, undefined],
      ['ticket', true, 'vacation']
    ]
  )
  assert.deepEqual([...new Set(emails.map(({ to }) => to))].toSorted(), ['parcel@a.example', 'quoting@a.example'])
})

test('a vacation reply to the return address of an e-mail is kept in its thread, whatever it lacks', async () => {
  const client = await aClient(desk)
  const { ticket_id, told } = await answered(client)

  const receipt = await receive(
    aMail({ From: client.email, To: told.returnPath!, Subject: 'Thank you' }, 'I am away.\n')
  )

  assert.deepEqual([receipt.outcome, receipt.ticket_id, receipt.is_automatic], ['reply', ticket_id, true])
  assert.equal((await detail(ticket_id)).ticket.status, 'Answered')
})

test('what a program sends by itself becomes a ticket, and nobody is written to', async () => {
  const receipt = await receive(aMail({ From: 'monitor@program.example', 'Auto-Submitted': 'auto-generated' }))

  assert.deepEqual([receipt.outcome, receipt.is_automatic, receipt.reason], ['ticket', true, 'auto_generated'])
  assert.deepEqual((await desk.deliver()).emails, [])
})

test('what comes from the desk itself is dropped, unless a form of a web page asks to answer somebody', async () => {
  const client = await aClient(desk)
  const { told } = await answered(client)

  const returned = await receive(aMail({ From: 'x@example.com', 'Message-ID': told.messageId }))
  const ofOurs = await receive(aMail({ From: 'support+x@desk.example' }))
  const byForm = await receive(aMail({ From: 'support@desk.example', 'Reply-To': 'visitor@example.org' }))

  assert.deepEqual([returned.outcome, returned.reason], ['dropped', 'own_message'])
  assert.deepEqual([ofOurs.outcome, ofOurs.reason, ofOurs.is_automatic], ['dropped', 'own_address', true])
  assert.deepEqual([byForm.outcome, byForm.sender], ['ticket', 'visitor@example.org'])
})

test('fifty vacation answers answering each other end, and their sender is acknowledged a few times at most', async () => {
  const From = 'robot@vacation.example'
  let answered = 0
  for (let turn = 0; turn < 50; turn++) {
    const subject = turn % 2 === 0 ? 'I am away' : 'Out of office'
    await receive(aMail({ From, Subject: subject }, 'Thank you for your mail.\n'))
    answered += (await desk.deliver()).emails.filter(({ to }) => to === From).length
    desk.outbox.emails.length = 0
  }

  // An invitation and five acknowledgements.
  assert.ok(answered <= 6, `${answered}`)
})

test('a bounce marks the message, and its address gets nothing more once nobody has it', async () => {
  const client = await aClient(desk)
  const { ticket_id, told } = await answered(client)
  const report = (status: string, words: string, extra = '') =>
    `--r\nContent-Type: text/plain\n\nIt failed.\n--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${client.email}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${words}\n\n--r\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${told.messageId}\n${extra}--r--\n`
  const headers = {
    From: 'MAILER-DAEMON@mx.example.com',
    To: told.returnPath!,
    Subject: 'Undelivered Mail Returned to Sender',
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=r'
  }

  const full = await receive(aMail(headers, report('5.2.2', '552 5.2.2 Mailbox full')), { sender: '' })
  const afterFull = (await detail(ticket_id)).messages.at(-1)
  // The same report under other names, as many as somebody likes, counts once.
  for (let turn = 0; turn < 4; turn++)
    await receive(aMail(headers, report('5.2.2', '552 5.2.2 Mailbox full')), { sender: '' })
  const [marked] = await desk.db.selectFrom('undeliverable_addresses').select(['bounces', 'is_permanent']).execute()
  assert.deepEqual(marked, { bounces: 1, is_permanent: false })
  const gone = await receive(aMail(headers, report('5.1.1', '550 5.1.1 User unknown')), { sender: '' })
  await desk.post('/api/tickets/reply', admin, { id: ticket_id, message: 'Are you there?' })
  const after = await desk.deliver()

  assert.deepEqual([full.outcome, full.reason, full.ticket_id], ['bounce', 'mailbox full', ticket_id])
  assert.deepEqual(afterFull.undelivered, [{ email: client.email, reason: 'mailbox full', is_permanent: 1 }])
  assert.equal(gone.reason, 'no such address')
  assert.deepEqual(after.emails, [])
  const { ticket, messages } = await detail(ticket_id)
  assert.deepEqual([ticket.status, messages.length], ['Answered', 3])

  await receive(aMail({ From: client.email, 'In-Reply-To': told.messageId }))
  await desk.post('/api/tickets/reply', admin, { id: ticket_id, message: 'There you are.' })
  assert.equal((await desk.deliver()).emails.filter(({ to }) => to === client.email).length, 1)
})

test('a bounce without a part for programs counts by its sender at the return address, and is held elsewhere', async () => {
  const client = await aClient(desk)
  const { ticket_id, told } = await answered(client)
  const text = `Hi. This is the qmail-send program at mx.example.com.\nI'm afraid I wasn't able to deliver your message.\n\n<${client.email}>:\n550 5.1.1 Sorry, no mailbox here by that name.\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${told.messageId}\nSubject: x\n`
  const headers = { From: 'MAILER-DAEMON@mx.example.com', Subject: 'failure notice' }

  const unknown = await receive(aMail(headers, text.replace(told.messageId, '<message-1.madeup@localhost>')))
  const elsewhere = await receive(aMail(headers, text))
  const marked = desk.db.selectFrom('undeliverable_addresses').where('email', '=', client.email).select('email')
  const before = await marked.execute()
  const real = await receive(aMail({ ...headers, To: told.returnPath! }, text))

  const held = ['held', 'unknown_report', true]
  assert.deepEqual([unknown.outcome, unknown.reason, unknown.is_automatic], held)
  assert.deepEqual([elsewhere.outcome, elsewhere.reason, elsewhere.is_automatic], held)
  assert.deepEqual([unknown.ticket_id, elsewhere.ticket_id, before], [undefined, ticket_id, []])
  assert.deepEqual([real.outcome, real.ticket_id, real.reason], ['bounce', ticket_id, 'no such address'])
})

test('unknown senders are held or refused with one answer, as the desk is set', async () => {
  await desk.post('/api/admin/settings/update', admin, { mail_unknown_senders: 'hold' })
  const held = await receive(aMail({ From: 'new@example.net' }))
  await desk.post('/api/admin/settings/update', admin, { mail_unknown_senders: 'refuse' })
  const refused = [await receive(aMail({ From: 'new@example.net' })), await receive(aMail({ From: 'new@example.net' }))]
  const automatic = await receive(aMail({ From: 'robot@example.net', Precedence: 'bulk' }))
  const { emails } = await desk.deliver()
  await desk.post('/api/admin/settings/update', admin, { mail_unknown_senders: 'create' })

  assert.deepEqual([held.outcome, held.reason], ['held', 'unknown_sender'])
  assert.deepEqual(
    [...refused, automatic].map(({ outcome }) => outcome),
    ['refused', 'refused', 'refused']
  )
  assert.deepEqual(
    emails.filter(({ to }) => to !== admin.email).map(({ to, subject }) => [to, subject]),
    [['new@example.net', 'Your e-mail was not taken']]
  )
})

test('beyond the limits mails are held, and the admins are told once', async () => {
  desk.clock.turn(2 * 3600)
  const { MAX_MAILS_PER_SENDER } = desk.services.config
  Object.assign(desk.services.config, { MAX_MAILS_PER_SENDER: 3 })
  desk.outbox.emails.length = 0
  const From = 'much@example.net'
  const outcomes = []
  for (let turn = 0; turn < 5; turn++) outcomes.push((await receive(aMail({ From }))).outcome)
  Object.assign(desk.services.config, { MAX_MAILS_PER_SENDER })
  const { emails } = await desk.deliver()

  assert.deepEqual(outcomes, ['ticket', 'ticket', 'ticket', 'held', 'held'])
  assert.equal(emails.filter(({ to, subject }) => to === admin.email && /Too many/.test(subject)).length, 1)
})

test('what a colleague answers by e-mail is nobody’s', async () => {
  const { told, ticket_id } = await answered(await aClient(desk))

  const answer = await receive(aMail({ From: admin.email, 'In-Reply-To': told.messageId }))

  assert.deepEqual([answer.outcome, answer.reason, answer.ticket_id], ['held', 'from_staff', ticket_id])
})
