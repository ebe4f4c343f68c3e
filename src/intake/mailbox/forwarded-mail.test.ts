import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'

const desk = await bootDesk({
  connections: 6,
  config: { NOTIFICATION_DELAY_SECONDS: 0, MAIL_TRUSTED_AUTH_HOSTS: ['mx.desk.example'] }
})
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const mira = await aSupporter(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

let count = 0
const passedOn = (writer: string, above = 'Can you help her? She is a friend.\n\n') =>
  `${above}---------- Forwarded message ---------\nFrom: Rosa Luxemburg <${writer}>\nDate: Mon, 2 Nov 2026\nSubject: Lost key ${++count}\nTo: <me@desk.example>\n\nI lost my key.\n`
const authenticated = (verdict: string, mail: string) =>
  `Authentication-Results: mx.desk.example; dmarc=${verdict} header.from=${mira.email.split('@')[1]}\r\n${mail}`

async function detail(ticket: number | undefined) {
  return (await desk.post('/api/admin/tickets/detail', admin, { id: ticket })).data
}

test('a mail that a colleague passes on is a ticket of whoever wrote it; the words above it are a note of the colleague', async () => {
  const receipt = await receive(
    authenticated('pass', aMail({ From: mira.email, Subject: 'Fwd: Lost key' }, passedOn('rosa@example.org')))
  )
  const { ticket, messages, notes } = await detail(receipt.ticket_id)
  const rosa = messages[0].email

  assert.deepEqual([receipt.outcome, receipt.sender], ['ticket', mira.email])
  assert.deepEqual(
    [ticket.client.email, ticket.client.first_name, ticket.subject, messages[0].message],
    ['rosa@example.org', 'Rosa', 'Lost key 1', 'I lost my key.']
  )
  assert.deepEqual(
    [rosa.from.email, rosa.forwarded_by.email, rosa.authentication.verdict],
    ['rosa@example.org', mira.email, 'pass']
  )
  assert.deepEqual(
    notes.map(({ note, author }: { note: string; author: { id: number } }) => [note, author.id]),
    [['Can you help her? She is a friend.', mira.id]]
  )
  const { emails } = await desk.deliver()
  assert.doesNotMatch(JSON.stringify(emails), /She is a friend/)
})

test('what the client sees of it says nothing of the colleague and their words, in text, HTML and files', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const text = passedOn(client.email, 'Beware of her.\n\n')
  const body = `--b\nContent-Type: text/plain\n\n${text}\n--b\nContent-Type: text/html\n\n<pre>${text}</pre>\n--b--\n`
  const inline = await receive(
    aMail({ From: mira.email, Subject: 'Fwd: x', 'Content-Type': 'multipart/alternative; boundary=b' }, body)
  )
  const file = `--b\nContent-Type: text/plain\n\nBeware of her.\n--b\nContent-Type: message/rfc822\n\nFrom: ${client.email}\nSubject: Attached\n\nMy words.\n--b\nContent-Type: text/csv; name=secret.csv\n\na\n--b--\n`
  const attached = await receive(
    aMail({ From: mira.email, Subject: 'See this', 'Content-Type': 'multipart/mixed; boundary=b' }, file)
  )

  for (const { ticket_id, outcome } of [inline, attached]) {
    const seen = (await desk.post('/api/tickets/detail', client, { id: ticket_id })).data
    assert.equal(outcome, 'ticket')
    assert.doesNotMatch(JSON.stringify(seen), new RegExp(`Beware|secret|forwarded|${mira.email}`))
    assert.equal((await detail(ticket_id)).notes.length, 1)
  }
  const { ticket, messages, notes } = await detail(attached.ticket_id)
  assert.deepEqual([ticket.subject, messages[0].message], ['Attached', 'My words.'])
  assert.equal(notes[0].note, 'Beware of her.\n[Only in the e-mail as it came: secret.csv]')
})

test('a colleague whose address is forged passes nothing on, and writes no note', async () => {
  const rows = await desk.rowCounts()
  const forged = await receive(
    authenticated('fail', aMail({ From: mira.email, Subject: 'Fwd: x' }, passedOn('eve@example.org')))
  )
  const after = await desk.rowCounts()

  assert.deepEqual([forged.outcome, forged.reason], ['held', 'sender_not_authentic'])
  for (const table of ['tickets', 'clients', 'ticket_notes']) assert.equal(after[table], rows[table], table)
})

test('strangers stay what the desk makes of them, and nobody is written to who has not written', async () => {
  await desk.deliver()
  desk.outbox.emails.length = 0
  const outcomes = []
  for (const mail_unknown_senders of ['hold', 'refuse']) {
    await desk.post('/api/admin/settings/update', admin, { mail_unknown_senders })
    outcomes.push(
      (await receive(aMail({ From: mira.email, Subject: 'Fwd: x' }, passedOn('unknown@example.net')))).outcome
    )
  }
  await desk.post('/api/admin/settings/update', admin, { mail_unknown_senders: 'create' })
  const { emails } = await desk.deliver()

  assert.deepEqual(outcomes, ['held', 'refused'])
  assert.deepEqual(
    emails.map(({ to }) => to),
    [mira.email]
  )
})

test('many mails that are passed on in one name write to few who are said to have written them', async () => {
  desk.clock.turn(2 * 3600)
  desk.outbox.emails.length = 0
  for (let n = 0; n < 9; n++)
    await receive(aMail({ From: mira.email, Subject: 'Fwd: x' }, passedOn(`victim-${n}@example.net`)))
  const told = new Set((await desk.deliver()).emails.map(({ to }) => to).filter(to => to.startsWith('victim')))

  assert.ok(told.size > 0 && told.size <= 5, [...told].join())
})

test('what a stranger, a program, or a colleague in the name of a colleague passes on is their own', async () => {
  const stranger = await receive(
    aMail({ From: 'stranger@example.net', Subject: 'Fwd: x' }, passedOn('rosa@example.org'))
  )
  const ofColleague = await receive(aMail({ From: mira.email, Subject: 'Fwd: x' }, passedOn(admin.email)))
  const ofDesk = await receive(aMail({ From: mira.email, Subject: 'Fwd: x' }, passedOn('support@desk.example')))
  const untold = await receive(
    aMail({ From: mira.email, Subject: 'Fwd: x' }, 'From: Rosa\nSent: Monday\nTo: x\n\nHelp.\n')
  )

  for (const [receipt, owner] of [
    [stranger, 'stranger@example.net'],
    [ofColleague, mira.email],
    [ofDesk, mira.email],
    [untold, mira.email]
  ] as const) {
    const { ticket, notes, messages } = await detail(receipt.ticket_id)
    assert.deepEqual([ticket.client.email, notes.length, messages[0].email.forwarded_by], [owner, 0, null])
  }
})
