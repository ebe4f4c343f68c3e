import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../test/support/desk.ts'
import { mailServer, saying } from '../../test/support/mail-server.ts'
import { aMail, receiverOf } from '../../test/support/mails.ts'
import { aClient, anAdmin } from '../../test/support/people.ts'
import { aFile, aTicket, form } from '../../test/support/tickets.ts'
import { smtpMail } from '../platform/mail/smtp.ts'
import { smtpAddress } from '../platform/mail/smtp-address.ts'
import { readMail } from '../platform/mail-reading/read-mail.ts'
import { sendNotifications } from './send-notifications.ts'

const server = await mailServer()
const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${server.port}`) })
after(() => mail.close())
const desk = await bootDesk({
  connections: 6,
  config: {
    NOTIFICATION_DELAY_SECONDS: 0,
    MAIL_FROM: 'Example <support@desk.example>',
    BASE_URL: 'https://desk.example',
    MAIL_ATTACH_MAX_BYTES: 1000
  },
  services: { mail }
})
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const settings = {
  name: 'Müller 🚀',
  mail_addresses: { 'support@desk.example': 1, 'billing@desk.example': 4, 'sales@desk.example': 5 },
  mail_names: { 'sales@desk.example': 'Vertrieb „Süd“' }
}
assert.equal((await desk.post('/api/admin/settings/update', admin, settings)).status, 200)

/** What has gone to this address since the last look, as two readers read it. */
async function mailsTo(address: string) {
  await desk.deliver()
  return server.emails.splice(0).flatMap(({ raw, email, from, to }) => {
    if (to[0] !== address) return []
    const read = readMail(raw, { sender: from, recipient: address })
    const header = (name: string) => email.headers.find(({ key }) => key === name)?.value
    return [{ raw: raw.toString('latin1'), email, read, from, header }]
  })
}

async function reply(id: number | undefined, message: string, files: File[] = []): Promise<void> {
  const done = await desk.post('/api/admin/tickets/reply', admin, form({ id, message }, ...files))
  assert.equal(done.status, 201, done.body.message)
}

test('an answer to a mail is from the address to which that came, and threads behind the mails of its sender', async () => {
  const From = 'Ada Lovelace <ada@example.org>'
  const first = {
    From,
    To: 'Billing <billing@desk.example>',
    Subject: 'Re: RE: Rechnung für 😀',
    'Message-ID': '<one@example.org>'
  }
  const { ticket_id: id, ticket_number: number } = await receive(aMail(first, 'What does it cost?\n'))
  const arrival = (await mailsTo('ada@example.org')).find(({ email }) => email.subject?.includes(number!))!
  await reply(id, 'Ten guilders — für Sie.\n\nAnything else?')
  const [answer] = await mailsTo('ada@example.org')
  const second = {
    From,
    To: answer!.email.replyTo![0]!.address!,
    Subject: answer!.email.subject!,
    'Message-ID': '<two@example.org>',
    'In-Reply-To': answer!.email.messageId!
  }
  const back = await receive(aMail(second, 'No, thanks.\n'))
  await reply(id, 'Then good bye.')
  const [last] = await mailsTo('ada@example.org')

  assert.deepEqual([arrival.email.inReplyTo, arrival.header('auto-submitted')], ['<one@example.org>', 'auto-generated'])
  assert.match(arrival.header('list-unsubscribe')!, /^<https:/)
  assert.equal(arrival.header('x-auto-response-suppress'), 'All')
  const { email, read } = answer!
  assert.equal(email.subject, `Re: [${number}] Rechnung für 😀`)
  assert.deepEqual(email.from, { name: 'Billing Department (Müller 🚀)', address: 'billing@desk.example' })
  assert.match(email.replyTo![0]!.address!, /^billing\+t\d+-[0-9a-f]{20}@desk\.example$/)
  assert.equal(answer!.from, 'support@desk.example')
  assert.equal(email.inReplyTo, '<one@example.org>')
  assert.deepEqual(email.references!.split(' '), [arrival.email.messageId, '<one@example.org>'])
  for (const name of ['auto-submitted', 'x-auto-response-suppress', 'list-unsubscribe', 'precedence']) {
    assert.equal(answer!.header(name), undefined, name)
  }
  assert.match(email.text!, /^Ten guilders — für Sie\.\n\nAnything else\?\n\nGrace Hopper\n/m)
  assert.match(email.text!, /^On .* UTC, Ada Lovelace wrote:\n> What does it cost\?$/m)
  assert.match(email.html!, />Ten guilders — für Sie\./)
  assert.equal(read.automatic, undefined)
  assert.equal(read.from?.email, 'billing@desk.example')

  assert.deepEqual([back.outcome, back.ticket_id], ['reply', id])
  assert.equal(last!.email.inReplyTo, '<two@example.org>')
  assert.deepEqual(last!.email.references!.split(' '), [
    arrival.email.messageId,
    '<one@example.org>',
    answer!.email.messageId,
    '<two@example.org>'
  ])
  assert.match(last!.email.text!, /> No, thanks\.\n\nOn .*wrote:\n> Ten guilders/)
})

test('where no mail came in, the address of the department answers, by the name that it was given', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client, { department_id: 5 })
  await mailsTo(client.email)
  await desk.post('/api/admin/tickets/note', admin, { id, note: 'A canary.' })
  await reply(id, 'Yes.')
  const [answer] = await mailsTo(client.email)

  assert.deepEqual(answer!.email.from, { name: 'Vertrieb „Süd“', address: 'sales@desk.example' })
  assert.doesNotMatch(answer!.raw, /canary/)
  const refused = await desk.post('/api/admin/settings/update', admin, { mail_names: { nobody: 'x' } })
  const unfit = await desk.post('/api/admin/settings/update', admin, { mail_names: { 'a@b.example': 'x\ny' } })
  assert.deepEqual([refused.status, unfit.status], [400, 400])
})

test('files go with an answer; what is too large together, missing or not clean stays at the desk, and is told', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id, ticket_number: number } = await aTicket(desk, client)
  await mailsTo(client.email)
  const files = [
    aFile('Übersicht\u202e.txt', 'Grüße\n'),
    aFile('large.txt', 'x'.repeat(2000)),
    aFile('gone.txt', 'gone'),
    aFile('bad.txt', 'bad')
  ]
  await reply(id, 'Here.', files)
  const rows = await desk.db
    .selectFrom('ticket_attachments')
    .where('ticket_id', '=', id)
    .select(['id', 'file_path', 'file_name'])
    .execute()
  const pathOf = (name: string) =>
    rows.filter(({ file_name }) => file_name === name).map(({ file_path: path }) => ({ path }))
  await desk.services.files.discard(pathOf('gone.txt'))
  await desk.db
    .updateTable('ticket_attachments')
    .set({ scan_state: 'infected' })
    .where('file_name', '=', 'bad.txt')
    .execute()
  const [answer] = await mailsTo(client.email)

  const { attachments, text, html } = answer!.email
  assert.deepEqual(
    attachments.map(({ filename, disposition }) => [filename, disposition]),
    [[rows[0]!.file_name, 'attachment']]
  )
  assert.equal(Buffer.from(attachments[0]!.content as ArrayBuffer).toString(), 'Grüße\n')
  assert.deepEqual(
    answer!.read.files.map(({ name }) => name),
    [rows[0]!.file_name]
  )
  const link = `https://desk.example/tickets/${number}`
  for (const said of [text!, html!]) {
    assert.match(said, /large\.txt \(2 kB\)/)
    assert.match(said, /gone\.txt \(4 bytes\)/)
    assert.match(said, /virus scanner objects to it/)
    assert.ok(said.includes(link))
    assert.doesNotMatch(said, /uploads/)
  }
})

test('what is looked into still keeps an answer waiting for some minutes, then that goes without it', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client)
  await mailsTo(client.email)
  await reply(id, 'Here.', [aFile('slow.txt')])
  const pending = desk.db.updateTable('ticket_attachments').set({ scan_state: 'pending' }).where('ticket_id', '=', id)
  await pending.execute()

  const early = await mailsTo(client.email)
  desk.clock.turn(400)
  const [late, ...others] = await mailsTo(client.email)

  assert.deepEqual([early, others], [[], []])
  assert.match(late!.email.text!, /^- slow\.txt \(7 bytes\)$/m)
  assert.deepEqual(late!.email.attachments, [])
})

test('a server that finds an e-mail too large gets it without its files', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client)
  await mailsTo(client.email)
  server.onEmail = ({ email }) => {
    if (email.attachments.length > 0) throw saying(552, '5.3.4 Message too big')
  }
  await reply(id, 'Here.', [aFile('one.txt')])
  const [answer] = await mailsTo(client.email)
  server.onEmail = () => {}

  assert.match(answer!.email.text!, /^Here\.\n\nGrace Hopper\n\nFiles that are not attached.*- one\.txt \(7 bytes\)/ms)
})

test('no line is longer than mail may have, whatever was written, and each part says its charset', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client, {
    subject: 'ü'.repeat(200),
    message: `${'ж'.repeat(3000)} ${'x'.repeat(1500)}`
  })
  await mailsTo(client.email)
  const words = `${'x'.repeat(2500)}\n.\nFrom here\n${'שלום '.repeat(300)}\n${'😀'.repeat(500)}`
  await reply(id, words)
  const [answer] = await mailsTo(client.email)

  const longest = Math.max(...answer!.raw.split('\r\n').map(line => line.length))
  assert.ok(longest <= 998, `${longest}`)
  assert.doesNotMatch(answer!.raw, /[^\r]\n|\r[^\n]/)
  assert.equal(answer!.raw.match(/^Content-Type: text\/(plain|html); charset=utf-8/gim)?.length, 2)
  const [, said] = /above this line -##\n\n(.*?)\n\nGrace Hopper/s.exec(answer!.email.text!)!
  assert.equal(said, words.trim())
  assert.ok(answer!.email.subject!.endsWith('ü'.repeat(200)))
})

test('a merged ticket is answered with what was written in both', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const one = await aTicket(desk, client, { message: 'The first.' })
  const other = await aTicket(desk, client, { message: 'The second.' })
  const merged = await desk.post('/api/admin/tickets/merge', admin, { id: other.ticket_id, into_id: one.ticket_id })
  assert.ok(merged.status < 300, merged.body.message)
  await mailsTo(client.email)
  await reply(one.ticket_id, 'Both.')
  const [answer] = await mailsTo(client.email)

  assert.match(answer!.email.text!, /> The second\.(.|\n)*> The first\./)
})

test('the logo goes with the e-mail as an image of its page; once it is gone the name stands there', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const content = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)])
  const sha256 = createHash('sha256').update(content).digest('hex')
  const logo = { content, type: 'image/png', sha256, uploaded_at: new Date() }
  await desk.db.insertInto('desk_logo').values(logo).execute()
  const { ticket_id: id } = await aTicket(desk, client)
  const [arrival] = await mailsTo(client.email)
  await reply(id, 'Yes.', [aFile('one.txt')])
  const [answer] = await mailsTo(client.email)

  for (const { email, read } of [arrival!, answer!]) {
    const image = email.attachments.find(({ mimeType }) => mimeType === 'image/png')!
    assert.deepEqual([image.disposition, image.related], ['inline', true])
    assert.ok(email.html!.includes(`src="cid:${image.contentId!.replace(/[<>]/g, '')}"`))
    assert.ok(read.files.some(({ contentId }) => contentId))
  }
  assert.deepEqual(answer!.email.attachments.map(({ filename }) => filename).toSorted(), ['logo.png', 'one.txt'])
  for (const { email } of [arrival!, answer!]) assert.doesNotMatch(email.html!, /src="http|url\(|<script|@import/)
  const quoting = { From: client.email, 'In-Reply-To': answer!.email.messageId!, ...related }
  const back = await receive(
    aMail(quoting, `${relatedBody(content, 'logo')}${relatedBody(Buffer.from('photo'), 'photo')}--r--\n`)
  )
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  assert.deepEqual(
    [back.outcome, messages.at(-1).attachments.map(({ file_name }: { file_name: string }) => file_name)],
    ['reply', ['photo.png']]
  )

  await aTicket(desk, client)
  await sendNotifications(desk.services)
  await sql`delete from desk_logo`.execute(desk.db)
  const [bare] = await mailsTo(client.email)
  assert.deepEqual(bare!.email.attachments, [])
  assert.doesNotMatch(bare!.email.html!, /<img|cid:/)
  assert.match(bare!.email.html!, />Müller 🚀<\/p>/)
})

const related = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/related; boundary=r' }
const relatedBody = (content: Buffer, name: string) =>
  `--r\nContent-Type: image/png; name=${name}.png\nContent-ID: <${name}@x>\nContent-Transfer-Encoding: base64\n\n${content.toString('base64')}\n`
