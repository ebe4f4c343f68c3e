import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { aFile, aTicket, form, ticketRow } from '../../../test/support/tickets.ts'
import { waitingReplies } from '../../../test/support/waiting-replies.ts'
import { sweepUploads } from '../attachments/sweep-uploads.ts'
import { sendDueReplies } from './send-waiting.ts'

const desk = await bootDesk({ connections: 8 })
const ada = await aClient(desk, { is_email_verified: true })
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
const mary = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const { send, aWaitingReply, undo, due, answers, detail } = await waitingReplies(desk, { ada, grace, admin })

test('in its window a reply is a row that nothing else shows: no message, status, counter, event, e-mail or search hit', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await desk.deliver()
  desk.outbox.emails.splice(0)
  const before = [await desk.rowCounts(), await ticketRow(desk, id), await detail(id, mary)]

  const reply = await send(form({ id, message: 'Try quicksilver.', undo: '1', status: 'Closed' }, aFile('a.txt')))

  assert.deepEqual([reply.status, reply.data.status, reply.data.version], [201, 'Open', 1])
  assert.equal(
    new Date(reply.data.undo_until_iso ?? `${reply.data.undo_until}Z`).getTime() > desk.clock.now().getTime(),
    true
  )
  const { waiting_replies, ...counts } = await desk.rowCounts()
  const { waiting_replies: none, ...formerCounts } = before[0] as Record<string, number>
  assert.deepEqual([waiting_replies, none], [1, 0])
  const { presences: _1, ...others } = counts as Record<string, number>
  const { presences: _2, ...former } = formerCounts as Record<string, number>
  assert.deepEqual(others, former)
  assert.deepEqual(await ticketRow(desk, id), before[1])
  assert.deepEqual(await detail(id, mary), before[2])
  assert.deepEqual(await detail(id, admin), { ...(before[2] as object), ...(await detail(id, admin)) })
  for (const person of [mary, grace, admin]) {
    const found = await desk.post('/api/admin/search', person, {
      query: 'quicksilver',
      search: 'quicksilver',
      q: 'quicksilver'
    })
    assert.deepEqual(found.data.results, [])
  }
  await sendDueReplies(desk.services, new Date(Date.parse(`${reply.data.undo_until}Z`) - 1_000))
  await desk.deliver()
  assert.deepEqual(desk.outbox.emails.splice(0), [])
  assert.deepEqual(await answers(id), [])

  await due()
  assert.deepEqual(await answers(id), ['Try quicksilver.'])
  const { status, message_count, attachment_count } = await ticketRow(desk, id)
  assert.deepEqual([status, message_count, attachment_count], ['Closed', 2, 1])
  const sent = await detail(id, mary)
  assert.equal(sent.messages.at(-1).id, reply.data.message_id)
  assert.deepEqual(
    sent.messages.at(-1).attachments.map(({ file_name }: { file_name: string }) => file_name),
    ['a.txt']
  )
})

test('its writer sees a reply that waits in the detail and in a list of all, and a colleague neither', async () => {
  const { id, message_id } = await aWaitingReply()

  const [own] = (await detail(id)).waiting_replies
  const all = await desk.post('/api/admin/tickets/reply/waiting', grace, {})
  const others = await desk.post('/api/admin/tickets/reply/waiting', mary, {})

  assert.deepEqual([own.message_id, own.state, own.message], [message_id, 'waiting', 'Try water.'])
  assert.ok(all.data.replies.some((each: { message_id: number }) => each.message_id === message_id))
  assert.deepEqual([others.data.replies, (await detail(id, mary)).waiting_replies], [[], []])
})

test('undo gives the reply back as it was, says the same once more, and nothing is sent', async () => {
  const { id, message_id } = await aWaitingReply({ status: 'Closed' })

  const undone = await undo({ id, message_id })
  const again = await undo({ id, message_id })
  await due(60)

  assert.deepEqual([undone.status, again.status], [200, 200])
  const { reply } = undone.data
  assert.deepEqual([reply.message, reply.status, reply.state], ['Try water.', 'Closed', 'undone'])
  assert.deepEqual(again.data, undone.data)
  assert.equal((await ticketRow(desk, id)).message_count, 1)
  assert.deepEqual((await detail(id)).waiting_replies, [])
})

test('from the end of its window undo answers 409, whether the reply has gone yet or goes in a moment', async () => {
  const { id, message_id } = await aWaitingReply()

  desk.clock.turn(60)
  const late = await undo({ id, message_id })
  await due(0)
  const gone = await undo({ id, message_id })

  for (const answer of [late, gone]) assert.deepEqual([answer.status, answer.body.reason], [409, 'already_sent'])
  assert.deepEqual(await answers(id), ['Try water.'])
})

test('a reply of somebody else or of another ticket is not there to be undone or sent', async () => {
  const { id, message_id } = await aWaitingReply()
  const other = await aTicket(desk, ada)

  for (const path of ['undo', 'send']) {
    const address = `/api/admin/tickets/reply/${path}`
    assert.equal((await desk.post(address, mary, { id, message_id })).body.reason, 'reply_not_found')
    assert.equal((await desk.post(address, grace, { id: other.ticket_id, message_id })).body.reason, 'reply_not_found')
    assert.equal((await desk.post(address, grace, { id, message_id: message_id + 999 })).status, 404)
  }
  assert.equal((await undo({ id, message_id })).status, 200)
})

test('"Send now" sends it once, before its time', async () => {
  const { id, message_id } = await aWaitingReply()

  const sent = await desk.post('/api/admin/tickets/reply/send', grace, { id, message_id })
  const again = await desk.post('/api/admin/tickets/reply/send', grace, { id, message_id })
  await due(60)

  assert.deepEqual([sent.status, sent.data.message_id, sent.data.status], [200, message_id, 'Answered'])
  assert.deepEqual([again.status, again.body.reason], [409, 'already_sent'])
  assert.deepEqual(await answers(id), ['Try water.'])
})

test('what would refuse the reply refuses it before it waits: unread messages, another version, a lacking permission', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const { last_message_id } = await detail(id)
  await desk.post('/api/tickets/reply', ada, { id, message: 'One more thing.' })
  const before = await desk.rowCounts()

  const unread = await send({ id, message: 'No.', undo: 1, last_seen_message_id: last_message_id })
  const version = await send({ id, message: 'No.', undo: 1, expected_version: 1 })
  const status = await send({ id, message: 'No.', undo: 1, status: 'Closed' }, mary)

  assert.deepEqual([unread.body.reason, version.status, status.status], ['new_messages', 409, 403])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a macro waits with its reply, is undone with it, and is applied with it', async () => {
  const macro = await desk.post('/api/admin/macros/create', admin, {
    name: `Close it ${Date.now()}`,
    actions: [{ set_priority: 'High' }, { set_status: 'Closed' }],
    reply_text: 'Hello {{client.first_name}}',
    is_shared: 1
  })
  assert.equal(macro.status, 201, macro.body.message)
  const { ticket_id: id } = await aTicket(desk, ada)
  const body = { id, macro_id: macro.data.macro.id, send: 1, undo: 1 }

  const waiting = await desk.post('/api/admin/macros/apply', grace, body)
  assert.deepEqual([waiting.status, waiting.data.is_done, waiting.data.status], [200, 0, 'Open'])
  assert.ok(waiting.data.undo_until)
  const before = (await detail(id)).ticket
  assert.deepEqual([before.status, before.priority, before.message_count], ['Open', 'Medium', 1])
  assert.equal((await undo({ id, message_id: waiting.data.message_id })).status, 200)

  const second = await desk.post('/api/admin/macros/apply', grace, body)
  await due()
  const { ticket, messages } = await detail(id)
  assert.deepEqual([ticket.priority, ticket.status], ['High', 'Closed'])
  assert.deepEqual([messages.at(-1).id, messages.length], [second.data.message_id, 2])
  assert.match(messages.at(-1).message, /^Hello /)
})

test('with the setting at 0, and without `undo`, a reply goes at once', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const plain = await send({ id, message: 'One.' })
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 0 })
  const off = await send({ id, message: 'Two.', undo: 1 })
  const tooLong = await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 61 })
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 60 })

  assert.deepEqual([plain.data.status, plain.data.undo_until], ['Answered', undefined])
  assert.deepEqual([off.data.status, off.data.undo_until], ['Answered', null])
  assert.equal(tooLong.status, 400)
  assert.deepEqual(await answers(id), ['One.', 'Two.'])
})

test('files of a reply that waits are kept by the sweep, and removed with what was taken back', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const reply = await send(form({ id, message: 'See.', undo: '1' }, aFile('kept.txt')))
  const { message_id } = reply.data
  const { files } = await desk.db
    .selectFrom('waiting_replies')
    .where('message_id', '=', message_id)
    .select('files')
    .executeTakeFirstOrThrow()
  const { path } = (files as { path: string }[])[0]!

  await sweepUploads(desk.services, { olderThanMilliseconds: 0 })
  const kept = await desk.services.files.open(path)
  kept?.stream.destroy()
  await undo({ id, message_id })
  await desk.db.deleteFrom('waiting_replies').where('message_id', '=', message_id).execute()
  await sweepUploads(desk.services, { olderThanMilliseconds: 0 })

  assert.ok(kept)
  assert.equal(await desk.services.files.open(path), undefined)
})

test('8: a reply that something else than a message has stopped says what, also when it is sent before its time', async () => {
  const { id, message_id } = await aWaitingReply({ status: 'Closed' })
  const { ticket_id: other } = await aTicket(desk, ada)
  await desk.post('/api/admin/tickets/link', admin, { id: other, other_id: id, kind: 'blocks' })

  // As the pages ask: what a request with a key has done is undone when it fails.
  const sent = await postWithKey(desk, newIdempotencyKey(), '/api/admin/tickets/reply/send', grace, { id, message_id })

  const [waiting] = (await desk.post('/api/admin/tickets/reply/waiting', grace, {})).data.replies
  assert.deepEqual([sent.status, sent.body.reason, waiting.state], [409, 'reply_stopped', 'stopped'])
  assert.equal(sent.body.message, waiting.stopped_reason)
  assert.doesNotMatch(sent.body.message, /client has written/)
  assert.deepEqual(await answers(id), [])
  await undo({ id, message_id })
})
