import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aSupporter } from '../../../test/support/people.ts'
import { deskWithThirdParty, type Given, partner } from '../../../test/support/side-conversations.ts'
import { aFile, form, storedFiles, timeline } from '../../../test/support/tickets.ts'
import { sendDueSideMessages } from './send-waiting.ts'

const { desk, server, admin, mailsTo, grace, forward, detail, sentToPartner, ticketWithFile } =
  await deskWithThirdParty()
await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 60 })

const base = '/api/admin/tickets'
const list = async (id: number, person = grace) =>
  (await desk.post(`${base}/conversations/list`, person, { id })).data as { conversations: Given[]; waiting: Given[] }
const due = async () => {
  desk.clock.turn(60)
  await sendDueSideMessages(desk.services, desk.clock.now())
}
const forwardLater = (id: number, given: Given = {}) => {
  const body = { id, to: [partner], subject: 'Error E-042', message: 'Is it safe?', undo: 1, ...given }
  return desk.post(`${base}/forward`, grace, body)
}

test('a forwarding with undo waits: no conversation, no e-mail, no event, and nobody but its writer knows; then it goes once', async () => {
  const { id, message, file } = await ticketWithFile()
  const before = await timeline(desk, id)

  const waiting = await forwardLater(id, { message_ids: [message], attachment_ids: [file], waits: 1 })

  assert.equal(waiting.status, 201, waiting.body.message)
  const { conversation, side_message_id, undo_until } = waiting.data
  assert.equal(conversation, null)
  const secondsLeft = (new Date(undo_until).getTime() - desk.clock.now().getTime()) / 1_000
  assert.ok(secondsLeft > 0 && secondsLeft <= 60, String(secondsLeft))
  assert.deepEqual([await mailsTo(partner), await timeline(desk, id)], [[], before])
  const own = await list(id)
  assert.deepEqual([own.conversations, own.waiting.length, own.waiting[0]!.state], [[], 1, 'waiting'])
  assert.deepEqual(await list(id, admin), { conversations: [], waiting: [] })
  await due()
  await due()

  const { mail } = await sentToPartner()
  const after = await list(id)
  assert.match(mail.email.text!, /Client wrote:\n> It shows E-042\./)
  assert.deepEqual([after.conversations.length, after.waiting, after.conversations[0]!.waits], [1, [], 1])
  assert.equal((await detail(after.conversations[0]!.id as number)).messages[0].id, side_message_id)
  const late = await desk.post(`${base}/conversations/undo`, grace, { id, side_message_id })
  assert.deepEqual([late.status, late.body.reason], [409, 'already_sent'])
})

test('what waits is taken back as it was, with its files, and never goes; by nobody else', async () => {
  const { id, message } = await ticketWithFile()
  const files = (await storedFiles(desk)).length
  const body = {
    id,
    to: [`Sungrid <${partner}>`],
    cc: ['second@sungrid.example'],
    subject: 'S',
    message: 'Is it safe?'
  }
  const given = form({ ...body, message_ids: [message], undo: 1, hide_client: 0 }, aFile('photo.txt'))
  const { side_message_id } = (await desk.post(`${base}/forward`, grace, given)).data
  const undo = (person = grace) => desk.post(`${base}/conversations/undo`, person, { id, side_message_id })
  const stranger = await aSupporter(desk, 'tickets.reply')

  const refused = [(await undo(admin)).status, (await undo(stranger)).status]
  const undone = await undo()
  const again = await undo()
  await due()

  assert.deepEqual(refused, [404, 404])
  assert.equal(undone.status, 200)
  assert.deepEqual(undone.data.message.forwarding, {
    to: [`Sungrid <${partner}>`],
    cc: ['second@sungrid.example'],
    subject: 'S',
    message_ids: [message],
    attachment_ids: [],
    waits: 0,
    hide_client: 0
  })
  assert.deepEqual([undone.data.message.message, undone.data.message.attachments.length], ['Is it safe?', 1])
  assert.deepEqual(again.data.message, undone.data.message)
  assert.deepEqual([await mailsTo(partner), await list(id)], [[], { conversations: [], waiting: [] }])
  assert.equal((await storedFiles(desk)).length, files + 1)
})

test('a message in a conversation waits as well, and is sent before its time by its writer alone', async () => {
  const { id } = await ticketWithFile()
  const conversation = await forward(id)
  await sentToPartner()
  const given = form({ id: conversation.id, message: 'And now?', undo: 1 }, aFile('more.txt'))

  const waiting = await desk.post(`${base}/conversations/reply`, grace, given)
  const before = (await detail(conversation.id)).messages.length
  const none = await mailsTo(partner)
  const { side_message_id } = waiting.data
  const send = (person = grace) => desk.post(`${base}/conversations/send`, person, { id, side_message_id })
  const refused = await send(admin)
  const sent = await send()
  const twice = await send()

  assert.deepEqual([waiting.status, before, none, refused.status], [201, 1, [], 404])
  assert.deepEqual([sent.status, twice.status, twice.body.reason], [200, 409, 'already_sent'])
  assert.equal(sent.data.conversation.messages[1].id, side_message_id)
  const { mail } = await sentToPartner()
  assert.deepEqual(
    mail.email.attachments.map(({ filename }) => filename),
    ['more.txt']
  )
})

test('what may not go any more is stopped, tells why, and goes back to its writer', async () => {
  const { id } = await ticketWithFile()
  const { side_message_id } = (await forwardLater(id)).data
  await desk.post(`${base}/followers/add`, admin, { id, email: partner })

  await due()

  const { conversations, waiting } = await list(id)
  assert.deepEqual([conversations, waiting.length, waiting[0]!.state], [[], 1, 'stopped'])
  const [{ stopped_reason, stopped_code, stopped_about }] = waiting as [Given]
  assert.deepEqual([stopped_code, stopped_about], ['follower', partner])
  assert.match(String(stopped_reason), /They follow the ticket/)
  const undone = await desk.post(`${base}/conversations/undo`, grace, { id, side_message_id })
  assert.deepEqual([undone.status, (await list(id)).waiting], [200, []])
  assert.deepEqual(await mailsTo(partner), [])
})

test('what may not go any more when its writer sends it is stopped too, also where the request has an idempotency key', async () => {
  const { id } = await ticketWithFile()
  const { side_message_id } = (await forwardLater(id)).data
  await desk.post(`${base}/followers/add`, admin, { id, email: partner })
  const body = { id, side_message_id }

  const sent = await postWithKey(desk, newIdempotencyKey(), `${base}/conversations/send`, grace, body)

  const [{ state, stopped_code }] = (await list(id)).waiting as [Given]
  assert.deepEqual(
    [sent.status, sent.body.reason, state, stopped_code],
    [...[409, 'side_message_stopped', 'stopped', 'follower']]
  )
  await desk.post(`${base}/conversations/undo`, grace, body)
})

test('what a third party may not get is refused with a code and what it is about, now as well as later', async () => {
  const { id, message } = await ticketWithFile()
  const other = await ticketWithFile()
  const refused = async (given: Given) => {
    const { status, body } = await forwardLater(id, given)
    return [status, body.reason, body.errors, (body.data as Given).code, (body.data as Given).about]
  }

  assert.deepEqual(await refused({ to: ['nobody'] }), [400, 'invalid_fields', ['to'], 'no_address', 'nobody'])
  assert.deepEqual(await refused({ cc: [grace.email] }), [400, 'invalid_fields', ['cc'], 'staff', grace.email])
  assert.deepEqual(await refused({ message_ids: [message, other.message] }), [
    ...[400, 'invalid_fields', ['message_ids'], 'other_messages', null]
  ])
  assert.deepEqual(await refused({ attachment_ids: [other.file] }), [
    ...[400, 'invalid_fields', ['attachment_ids'], 'other_files', null]
  ])
})

test('with a window of no seconds it goes at once, and says so; what is refused now is refused now', async () => {
  const { id } = await ticketWithFile()
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 0 })

  const sent = await forwardLater(id)
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 60 })
  const refused = await forwardLater(id, { to: [grace.email] })

  assert.deepEqual([sent.status, sent.data.undo_until], [201, null])
  assert.ok(sent.data.conversation.id)
  assert.deepEqual([refused.status, refused.body.errors], [400, ['to']])
  await sentToPartner()
})

test('the preview is exactly the e-mail that goes, and writes nothing', async () => {
  const { id, message, file } = await ticketWithFile()
  const body = {
    ...{ id, to: [partner], cc: ['second@sungrid.example'], subject: 'Error E-042', message: '**Safe?**' },
    ...{ format: 'markdown', message_ids: [message], attachment_ids: [file] }
  }
  const rows = await desk.rowCounts()

  const preview = await desk.post(`${base}/forward/preview`, grace, body)
  const refused = await desk.post(`${base}/forward/preview`, grace, { ...body, to: [grace.email] })

  assert.equal(preview.status, 200, preview.body.message)
  assert.deepEqual(await desk.rowCounts(), rows)
  assert.deepEqual([refused.status, refused.body.errors], [400, ['to']])
  await forward(id, body)
  const { mail } = await sentToPartner()
  const { data } = preview
  assert.deepEqual(
    [data.subject, data.text.trim(), data.to, data.cc, data.from],
    [mail.email.subject, mail.email.text!.trim(), [partner], ['second@sungrid.example'], mail.email.from?.address]
  )
  assert.deepEqual(
    data.attachments.map(({ file_name }: Given) => file_name),
    ['log.txt']
  )
  assert.equal(data.html.trim(), mail.email.html!.trim())
})

test('third parties of one e-mail see each other, those in copy as such', async () => {
  const { id } = await ticketWithFile()
  const second = 'second@sungrid.example'

  await forward(id, { cc: [second] })

  await desk.deliver()
  const sent = server.emails.splice(0).filter(({ to }) => [partner, second].includes(to[0]!))
  assert.equal(sent.length, 2)
  for (const { email } of sent)
    assert.deepEqual(
      [email.to?.map(({ address }) => address), email.cc?.map(({ address }) => address)],
      [[partner], [second]]
    )
})
