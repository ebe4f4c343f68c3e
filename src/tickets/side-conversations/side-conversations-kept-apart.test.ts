import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportArchive } from '../../../test/support/export-archive.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { canary, deskWithThirdParty, type Given, partner } from '../../../test/support/side-conversations.ts'
import { aFile, aTicket, form } from '../../../test/support/tickets.ts'

const { desk, receive, admin, mailsTo, server, ada, grace, forward, sentToPartner, answer, ticketWithFile } =
  await deskWithThirdParty()

test('people for whom there is another way are refused as recipients, and nothing is written', async () => {
  const { id, message } = await ticketWithFile()
  const other = await ticketWithFile()
  const noted = await desk.post('/api/admin/tickets/note', grace, form({ id, note: 'x' }, aFile('note.txt')))
  const noteFile = (await desk.post('/api/admin/tickets/detail', grace, { id })).data.notes.at(-1).attachments[0].id
  assert.equal(noted.status, 201)
  const before = await desk.rowCounts()
  const refused: [Given, string][] = [
    [{ attachment_ids: [noteFile] }, 'attachment_ids'],
    [{ to: [ada.email] }, 'to'],
    [{ to: ['support+x@desk.example'] }, 'to'],
    [{ to: [grace.email] }, 'to'],
    [{ to: ['nobody'] }, 'to'],
    [{ to: [partner], cc: [ada.email.toUpperCase()] }, 'cc'],
    [{ message_ids: [message, other.message] }, 'message_ids'],
    [{ attachment_ids: [other.file] }, 'attachment_ids']
  ]

  for (const [given, field] of refused) {
    const body = { id, to: [partner], subject: 'x', message: 'x', ...given }
    const { status, body: answer } = await desk.post('/api/admin/tickets/forward', grace, body)
    assert.deepEqual([status, answer.errors], [400, [field]], JSON.stringify(given))
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal(server.emails.length, 0)
})

test('people for whom there is another way are known however their domain is written', async () => {
  const client = await aClient(desk, { email: 'kim@köln.example', is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client)
  const colleague = await aSupporter(desk, 'tickets.view_all')
  await desk.db.updateTable('staff').set({ email: 'kay@köln.example' }).where('id', '=', colleague.id).execute()
  const before = await desk.rowCounts()

  for (const [name, code] of [
    ['kim', 'client'],
    ['kay', 'staff']
  ]) {
    const address = `${name}@xn--kln-sna.example`
    const refused = await desk.post('/api/admin/tickets/forward', admin, {
      id,
      to: [address],
      subject: 'x',
      message: 'x'
    })
    assert.deepEqual([refused.status, refused.body.data?.code], [400, code])
    const follower = await desk.post('/api/admin/tickets/followers/add', admin, { id, email: address })
    assert.deepEqual([follower.status, follower.body.data?.cause], [409, code])
  }
  const copied = await desk.post('/api/admin/tickets/reply', admin, {
    id,
    message: 'x',
    cc: ['kay@xn--kln-sna.example']
  })
  assert.deepEqual([copied.status, copied.body.errors], [400, ['cc']])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('who does not see the ticket sees no side conversation of it; without tickets.reply nobody writes', async () => {
  const { id } = await ticketWithFile()
  const { id: conversation } = await forward(id)
  const [stranger, reader] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.view_all')]
  const status = async (path: string, person: typeof grace, body: Given) => (await desk.post(path, person, body)).status

  for (const path of ['detail', 'reply', 'update'])
    assert.equal(
      await status(`/api/admin/tickets/conversations/${path}`, stranger, { id: conversation, message: 'x' }),
      404
    )
  assert.equal(await status('/api/admin/tickets/conversations/list', stranger, { id }), 404)
  assert.equal(await status('/api/admin/tickets/conversations/detail', reader, { id: conversation }), 200)
  assert.equal(await status('/api/admin/tickets/conversations/reply', reader, { id: conversation, message: 'x' }), 403)
  assert.equal(
    await status('/api/admin/tickets/forward', reader, { id, to: [partner], subject: 'x', message: 'x' }),
    403
  )
})

test('nothing that its client can read tells of a side conversation: detail, list, search, export, files, e-mails', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, client)
  const conversation = await forward(id, { subject: `About ${canary}` }, aFile(`${canary}.txt`))
  const { replyTo } = await sentToPartner()
  await receive(answer(replyTo))
  await desk.post('/api/admin/tickets/reply', grace, { id, message: 'We know more.' })
  const [file] = conversation.messages[0].attachments

  const answers = [
    await desk.post('/api/tickets/detail', client, { id }),
    await desk.post('/api/tickets/list', client, {}),
    await desk.post('/api/tickets/search', client, { query: canary }),
    await desk.post('/api/tickets/attachment-link', client, { id: file.id }),
    await desk.post('/api/admin/tickets/conversations/detail', client, { id: conversation.id })
  ]
  const mails = await mailsTo(client.email)
  const { url } = (await desk.post('/api/admin/clients/export', admin, { id: client.id })).data
  const { tar } = await exportArchive(desk, url)

  for (const { body } of answers) assert.doesNotMatch(JSON.stringify(body), /QUINCE|conversation\.|sungrid/)
  assert.deepEqual([answers[3]!.status, answers[4]!.status], [404, 403])
  assert.equal(mails.length > 0, true)
  for (const mail of mails) assert.doesNotMatch(mail.raw, /QUINCE|sungrid/)
  assert.doesNotMatch(tar, /QUINCE|sungrid/)
})

test('merging shows the side conversations of both, a split takes along what is about its messages alone, and undoing brings them back', async () => {
  const first = await ticketWithFile()
  const { data } = await desk.post('/api/tickets/reply', ada, { id: first.id, message: 'And another matter.' })
  const about = await forward(first.id, { message_ids: [data.message_id] })
  const general = await forward(first.id)
  const ids = async (id: number) =>
    (await desk.post('/api/admin/tickets/conversations/list', grace, { id })).data.conversations.map(
      (row: Given) => row.id
    )

  const split = (
    await desk.post('/api/admin/tickets/split', grace, {
      id: first.id,
      message_ids: [data.message_id],
      subject: 'Other'
    })
  ).data
  assert.deepEqual([await ids(first.id), await ids(split.ticket_id)], [[general.id], [about.id]])
  await desk.post('/api/admin/tickets/unsplit', grace, { id: split.ticket_id })
  assert.deepEqual(await ids(first.id), [general.id, about.id])

  const other = await ticketWithFile()
  const merged = await desk.post('/api/admin/tickets/merge', grace, { id: first.id, into_id: other.id })
  assert.equal(merged.status, 200, merged.body.message)
  assert.deepEqual(await ids(other.id), [general.id, about.id])
})
