import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { NoMessage } from './store-mail.ts'

const desk = await bootDesk({ connections: 6, config: { NOTIFICATION_DELAY_SECONDS: 0 } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, {
  mail_addresses: { 'support@desk.example': 1, 'billing@desk.example': 4 }
})

async function detail(ticket: number | undefined) {
  return (await desk.post('/api/admin/tickets/detail', admin, { id: ticket })).data
}

test('a mail of a stranger opens an account and a ticket in the department of its address, and is answered once', async () => {
  const from = 'Grace Hopper <grace@example.com>'
  const receipt = await receive(aMail({ From: from, To: 'Billing <billing@desk.example>', Subject: 'An invoice' }))
  const { ticket, messages } = await detail(receipt.ticket_id)
  const { emails } = await desk.deliver()

  assert.deepEqual(receipt, {
    outcome: 'ticket',
    ticket_id: ticket.id,
    ticket_number: ticket.ticket_number,
    message_id: messages[0].id,
    sender: 'grace@example.com',
    is_automatic: false
  })
  assert.deepEqual([ticket.subject, ticket.department.deptid, ticket.status], ['An invoice', 4, 'Open'])
  assert.deepEqual([ticket.client.first_name, ticket.client.email], ['Grace', 'grace@example.com'])
  assert.deepEqual([messages[0].message, messages[0].quoted, messages[0].html], ['The printer is on fire.', '', null])
  const theirs = emails.filter(({ to }) => to === 'grace@example.com')
  assert.deepEqual(
    theirs
      .map(({ subject }) => subject)
      .toSorted()
      .toReversed(),
    [`[${ticket.ticket_number}] Your support ticket`, 'Your support account']
  )
})

test('an answer finds its ticket by the address that we gave, by our Message-ID and by the number', async () => {
  const client = await aClient(desk)
  const created = await desk.post('/api/tickets/create', client, { deptid: 1, subject: 'Help', message: 'Please' })
  const { ticket_id, ticket_number } = created.data
  desk.outbox.emails.length = 0
  const { emails } = await desk.deliver()
  const ours = emails.find(({ subject }) => subject.includes(ticket_number))!
  const From = client.email

  assert.match(ours.replyTo!, /^support\+t\d+-[0-9a-f]{20}@desk\.example$/)
  for (const mail of [
    aMail({ From, To: ours.replyTo! }),
    aMail({ From, To: ours.replyTo!.toUpperCase() }),
    aMail({ From, 'In-Reply-To': ours.messageId }),
    aMail({
      From,
      'In-Reply-To': '<else@else>',
      References: `<a@b> ${ours.messageId.replace(/@.*/, '@other.example>')}`
    }),
    aMail({ From, Subject: `Re: [${ticket_number}] Help` })
  ]) {
    const receipt = await receive(mail)
    assert.deepEqual([receipt.outcome, receipt.ticket_id], ['reply', ticket_id], mail)
  }
  const { ticket, messages } = await detail(ticket_id)
  assert.deepEqual([ticket.status, messages.length], ['Customer-Reply', 6])
})

test('a stranger who knows a number, or makes up a key, gets a ticket of their own, which names the other', async () => {
  const client = await aClient(desk)
  const created = await desk.post('/api/tickets/create', client, { deptid: 1, subject: 'Help', message: 'Please' })
  const { ticket_id, ticket_number } = created.data
  const From = 'stranger@example.net'

  const byNumber = await receive(aMail({ From, Subject: `Re: [${ticket_number}] Help` }))
  const byKey = await receive(aMail({ From, To: `support+t${ticket_id}-${'0'.repeat(20)}@desk.example` }))

  assert.deepEqual([byNumber.outcome, byKey.outcome], ['ticket', 'ticket'])
  const { messages } = await detail(byNumber.ticket_id)
  assert.deepEqual(messages[0].email.linked_ticket, { id: ticket_id, ticket_number })
  assert.equal((await detail(ticket_id)).messages.length, 1)
})

test('the same mail is taken in once: again, by another way, and at once', async () => {
  const mail = aMail()
  const first = await receive(mail)
  const again = await receive(mail)
  const byAnotherWay = await receive(`Received: from elsewhere\r\n${mail}`)
  const twice = aMail()
  const atOnce = await Promise.all([1, 2, 3, 4].map(() => receive(twice)))

  assert.equal(first.outcome, 'ticket')
  for (const each of [again, byAnotherWay]) assert.deepEqual(each, { ...first, outcome: 'duplicate' })
  assert.deepEqual(atOnce.map(({ outcome }) => outcome).toSorted(), ['duplicate', 'duplicate', 'duplicate', 'ticket'])
  assert.equal(new Set(atOnce.map(({ ticket_id }) => ticket_id)).size, 1)
})

test('programs that write the same Message-ID into all their mails are heard each time', async () => {
  const named = (date: string, body: string) =>
    receive(aMail({ 'Message-ID': '<scan@printer>', Date: `Fri, 20 Nov 2026 ${date} +0000` }, body))

  const outcomes = [
    await named('08:00:00', 'One\n'),
    await named('09:00:00', 'Two\n'),
    await named('09:00:00', 'Two\n')
  ]

  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['ticket', 'ticket', 'duplicate']
  )
})

test('the raw message is kept as it came', async () => {
  const mail = aMail({}, 'Bytes \xfc\x00\x80\n')
  const { ticket_id } = await receive(Buffer.from(mail, 'latin1'))

  const { file_path } = await desk.db
    .selectFrom('ticket_attachments as file')
    .innerJoin('inbound_mails as mail', 'mail.id', 'file.mail_id')
    .where('mail.ticket_id', '=', ticket_id!)
    .select('file.file_path')
    .executeTakeFirstOrThrow()
  const { stream } = (await desk.services.files.open(file_path))!
  assert.deepEqual(gunzipSync(await buffer(stream)), Buffer.from(mail, 'latin1'))

  const { raw_path } = (await detail(ticket_id)).messages[0].email
  const fetched = async (token: string) =>
    await fetch(desk.url + raw_path, { headers: { authorization: `Bearer ${token}` } })
  const download = await fetched(admin.token)
  assert.deepEqual([raw_path, download.status], [file_path, 200])
  assert.deepEqual(gunzipSync(Buffer.from(await download.arrayBuffer())), Buffer.from(mail, 'latin1'))
  assert.equal((await fetched((await aClient(desk)).token)).status, 404)
})

test('a mail is taken with the line that a mailbox, a pipe or a program puts before it', async () => {
  for (const line of [
    'From ada@example.com Fri Nov 20 08:28:31 2026',
    '>From - Fri Nov 20 08:28:31 2026',
    'From MAILER-DAEMON  Fri Nov 20 08:28:31 +0100 2026'
  ]) {
    const receipt = await receive(`${line}\n${aMail()}`)
    assert.deepEqual([receipt.outcome, receipt.sender], ['ticket', 'ada@example.com'], line)
  }
  const spaced = await receive(aMail({ From: null, 'From ': 'spaced@example.com' }))
  assert.equal(spaced.sender, 'spaced@example.com')
})

test('what is no message is not stored; the log says that it was refused', async () => {
  const rows = await desk.rowCounts()

  for (const raw of ['', '\n\n', 'hello\n', 'GIF89a\0\0\0']) await assert.rejects(receive(raw), NoMessage)

  assert.deepEqual(await desk.rowCounts(), { ...rows, mail_log: rows.mail_log! + 4 })
})

test('a mail with a line above its header is held, and released as what it is', async () => {
  for (const line of ['Some program was here', '>From nowhere', 'X-Broken header without a colon']) {
    const { outcome, reason } = await receive(`${line}\r\n${aMail({ Subject: 'Below a line' })}`)
    assert.deepEqual(
      line.startsWith('>From') ? [outcome] : [outcome, reason],
      line.startsWith('>From') ? ['ticket'] : ['held', 'no_message'],
      line
    )
  }
  const held = await desk.db
    .selectFrom('inbound_mails')
    .where('state', '=', 'held')
    .where('subject', '=', 'Below a line')
    .select('id')
    .execute()
  assert.equal(held.length, 2)
})

test('files come with their message as far as the desk takes them, and the thread says what is missing', async () => {
  const part = (name: string, content: string) =>
    `--b\nContent-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n`
  const body = `--b\nContent-Type: text/plain\n\nSee these.\n${part('a.pdf', 'one')}${part('../../setup.exe', 'two')}--b--\n`

  const { ticket_id } = await receive(aMail({ 'Content-Type': 'multipart/mixed; boundary=b' }, body))
  const [message] = (await detail(ticket_id)).messages

  assert.deepEqual(
    message.attachments.map(({ file_name }: { file_name: string }) => file_name),
    ['a.pdf']
  )
  assert.equal(message.message, 'See these.\n\n[Not attached: setup.exe (files of this kind are not accepted)]')
  assert.deepEqual(message.email.omitted, [{ file_name: 'setup.exe', reason: 'kind' }])
})

test('several mails of one stranger that come at once open one account, and a ticket each', async () => {
  const receipts = await Promise.all([1, 2, 3, 4, 5].map(() => receive(aMail({ From: 'hurry@example.com' }))))

  assert.deepEqual(new Set(receipts.map(({ outcome }) => outcome)), new Set(['ticket']))
  assert.equal(new Set(receipts.map(({ ticket_id }) => ticket_id)).size, 5)
})

test('whatever bytes stand in its headers, a mail is taken', async () => {
  const receipt = await receive(
    Buffer.from(
      'From: "A\0B" <bytes@example.com>\nTo: \xff\xfe <support@desk.example>\nMessage-ID: <a\0\xffb@c>\nSubject: \0\ud800x\nIn-Reply-To: <\0>\n\n\0\n',
      'latin1'
    )
  )

  assert.equal(receipt.outcome, 'ticket')
})

test('of many mails that two mail servers hand over at the same time, each to both of us, each is one ticket', async () => {
  const other = receiverOf(desk)
  const mails = Array.from({ length: 30 }, (_, at) => aMail({ From: `server-${at % 5}@example.com` }))

  const receipts = await Promise.all(mails.flatMap(mail => [receive(mail), other(mail)]))

  const count = (wanted: string) => receipts.filter(({ outcome }) => outcome === wanted).length
  assert.deepEqual([count('ticket'), count('duplicate')], [30, 30])
  assert.equal(new Set(receipts.map(({ ticket_id }) => ticket_id)).size, 30)
})
