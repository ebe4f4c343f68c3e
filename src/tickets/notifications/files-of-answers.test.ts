import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { deskWithMailServer } from '../../../test/support/desk-with-mail-server.ts'
import { saying } from '../../../test/support/mail-server.ts'
import { aMail } from '../../../test/support/mails.ts'
import { aClient } from '../../../test/support/people.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { sendNotifications } from './send-notifications.ts'

const { desk, server, receive, admin, mailsTo, reply } = await deskWithMailServer()

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

test('what cannot be sent with its files, be it for the line or the store, is sent without them in the end', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client)
  await mailsTo(client.email)
  server.onEmail = ({ email }) => {
    if (email.attachments.length > 0) throw saying(451, '4.3.0 Too slow')
  }
  await reply(id, 'Here.', [aFile('one.txt')])
  for (let tries = 0; tries < 12; tries++) await desk.deliver({ early: true })
  const [answer, ...others] = await mailsTo(client.email)
  server.onEmail = () => {}

  assert.match(answer!.email.text!, /^- one\.txt \(7 bytes\)$/m)
  assert.deepEqual(others, [])
})

test('who follows a ticket fetches what is too large by a link of their own, until they follow it no more', async () => {
  const from = await aClient(desk)
  const { ticket_id: id } = await receive(aMail({ From: from.email, Cc: 'grace@follower.example' }))
  await reply(id, 'Here.', [aFile('large.txt', 'x'.repeat(2000)), aFile('other.txt', 'y'.repeat(2000))])
  const [told] = await mailsTo('grace@follower.example')

  const { text, html, headers } = told!.email
  assert.ok(!headers.some(({ key }) => key === 'list-unsubscribe'), 'personal e-mails to followers have none')
  assert.match(text!, /each link gives\s+its\s+file\s+out\s+for\s+two\s+weeks:\n\n- large\.txt \(2 kB\)\n {2}https:/)
  assert.match(html!, /<li dir="auto"><a href="https:[^"]*">large\.txt \(2 kB\)<\/a><\/li>/)
  assert.doesNotMatch(text!, /logged in|\/tickets\/TIC/)
  const [link, other] = [...text!.matchAll(/https:\S+uploads\S+/g)].map(([url]) => new URL(url))
  const fetched = async (path: string, query: string) => await fetch(`${desk.url}${path}${query}`)
  const answer = await fetched(link!.pathname, link!.search)
  assert.deepEqual([answer.status, (await answer.text()).length], [200, 2000])
  for (const [path, query] of [
    [other!.pathname, link!.search],
    [link!.pathname, link!.search.replace(/follower=\d+/, 'follower=999')],
    [link!.pathname, '']
  ] as const)
    assert.equal((await fetched(path, query)).status, 404)

  const { followers } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  await desk.post('/api/admin/tickets/followers/remove', admin, { id, follower_id: followers[0].id })
  assert.equal((await fetched(link!.pathname, link!.search)).status, 404)
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
  await desk.findPendingNotifications()
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
