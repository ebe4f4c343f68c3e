import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aThread } from '../../../../test/support/threads.ts'
import { aFile, assign, auditedActions, limitTo, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 2 })
const proved = { is_email_verified: true }
const [ada, bob, admin] = [await aClient(desk, proved), await aClient(desk, proved), await anAdmin(desk)]

const post = (action: string, body: object, by: Person = admin) => desk.post(`/api/admin/tickets/${action}`, by, body)
const split = (id: number, message_ids: number[], given: object = {}, by: Person = admin) =>
  post('split', { id, message_ids, subject: 'The other matter', ...given }, by)
async function splitOff(...given: Parameters<typeof split>) {
  const reply = await split(...given)
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data as { ticket_id: number; ticket_number: string; source_id: number }
}
const detail = async (id: number, by: Person = admin) => (await post('detail', { id }, by)).data
const portal = (id: number, by: Person) => desk.post('/api/tickets/detail', by, { id })
const refusal = ({ status, body }: Awaited<ReturnType<typeof split>>) => [status, body.reason, body.errors ?? []]
const texts = ({ messages }: { messages: { message: string }[] }) => messages.map(({ message }) => message)

test('L4: messages move with their files, times and authors, and both timelines tell of it with a link', async () => {
  const thread = await aThread(
    desk,
    ada,
    admin,
    ['staff', 'Which printer?'],
    ['client', 'And the wallbox is dark.', aFile('wallbox.txt', 'dark')],
    ['note', 'Third one this week.'],
    ['client', 'It is the one of May.']
  )
  const before = await detail(thread.id)
  const row = await ticketRow(desk, thread.id)
  const [, , two, three] = thread.messages
  desk.clock.turn(60)

  const made = await splitOff(thread.id, [three!, two!, two!], { subject: 'Wallbox' })

  const [source, target] = [await detail(thread.id), await detail(made.ticket_id)]
  const rows = { source: await ticketRow(desk, thread.id), target: await ticketRow(desk, made.ticket_id) }
  assert.deepEqual([made.source_id, made.ticket_number], [thread.id, target.ticket.ticket_number])
  const own = ({ ticket_id: _, ticket_number: __, ...message }: Record<string, unknown>) => message
  assert.deepEqual(target.messages.map(own), before.messages.slice(2).map(own))
  assert.deepEqual(source.messages, before.messages.slice(0, 2))
  assert.equal(target.messages[0].attachments[0].file_name, 'wallbox.txt')
  assert.deepEqual([source.notes.length, target.notes.length], [1, 0])
  assert.deepEqual(
    [rows.source.message_count, rows.source.attachment_count, rows.target.message_count, rows.target.attachment_count],
    [2, 0, 2, 1]
  )
  assert.deepEqual([rows.source.updated_at, rows.source.version], [row.updated_at, row.version + 1])
  assert.deepEqual([target.ticket.subject, target.ticket.status, target.ticket.client.id], ['Wallbox', 'Open', ada.id])
  const written = async (id: number) => {
    const { created_at } = await desk.db
      .selectFrom('ticket_messages')
      .where('id', '=', id)
      .select('created_at')
      .executeTakeFirstOrThrow()
    return { message_id: id, sender_type: 'client', received_at: created_at.toISOString() }
  }
  const moved = {
    messages: [await written(two!), await written(three!)],
    note_ids: []
  }
  const reference = { id: made.ticket_id, ticket_number: made.ticket_number }
  const sourceReference = { id: thread.id, ticket_number: thread.ticket_number }
  assert.deepEqual((await timeline(desk, thread.id)).at(-1), [
    'ticket.split',
    null,
    { ...moved, split_into: reference }
  ])
  assert.deepEqual(await timeline(desk, made.ticket_id), [
    ['ticket.created', null, { status: 'Open', priority: 'Medium' }],
    ['ticket.split', null, { ...moved, split_from: sourceReference }]
  ])
  assert.deepEqual(source.links, [
    { kind: 'split_from', direction: 'in', ticket: { ...reference, subject: 'Wallbox', status: 'Open' } }
  ])
  assert.deepEqual(target.links[0].direction, 'out')
  assert.deepEqual(await auditedActions(desk, made.ticket_id), ['ticket.created'])
})

test('L4: not all messages, not the first alone, none without the client, none of another ticket', async () => {
  const { id, messages } = await aThread(desk, ada, admin, ['staff', 'Which one?'], ['client', 'That one.'])
  const [first, answer, last] = messages as [number, number, number]
  const other = await aThread(desk, ada, admin, ['client', 'More.'])
  const merged = await aThread(desk, ada, admin, ['client', 'Merged.'])
  await post('merge', { id: merged.id, into_id: id })
  const before = await desk.rowCounts()

  for (const ids of [
    messages,
    [first],
    [answer],
    [last, other.messages[1]!],
    [last, merged.messages[1]!],
    [last, 999_999]
  ]) {
    assert.deepEqual(refusal(await split(id, ids)), [400, 'invalid_fields', ['message_ids']], `${ids}`)
  }
  assert.deepEqual(refusal(await split(id, [])), [400, 'invalid_fields', ['message_ids']])
  assert.deepEqual(refusal(await split(id, [last], { note_ids: [999_999] })), [400, 'invalid_fields', ['note_ids']])
  assert.deepEqual(refusal(await split(id, [last], { department_id: 4711 })), [
    400,
    'unknown_department',
    ['department_id']
  ])
  assert.deepEqual(refusal(await split(id, [last], { subject: ' ' })), [400, 'missing_fields', ['subject']])
  assert.deepEqual(refusal(await split(merged.id, [merged.messages[1]!])), [409, 'ticket_merged', []])
  assert.deepEqual(refusal(await split(id, [last], { expected_version: 99 })), [
    409,
    'version_conflict',
    ['expected_version']
  ])
  assert.deepEqual(await desk.rowCounts(), before)

  const made = await splitOff(id, [first, last])
  assert.deepEqual(texts(await detail(made.ticket_id)), ['Please hurry.', 'That one.'])
})

test('a ticket in the trash or beyond sight is not split', async () => {
  const { id, messages } = await aThread(desk, ada, admin, ['client', 'More.'])
  const [grace, mary] = [
    await aSupporter(desk, 'tickets.edit_status'),
    await aSupporter(desk, 'tickets.edit_status', 'tickets.view_all')
  ]
  const ids = [messages[1]!]

  assert.deepEqual(refusal(await split(id, ids, {}, grace)), [404, 'ticket_not_found', []])
  await post('delete', { id })
  assert.deepEqual(refusal(await split(id, ids)), [409, 'ticket_trashed', []])
  assert.deepEqual(refusal(await split(id, ids, {}, mary)), [404, 'ticket_not_found', []])
})

test('whoever sees their own tickets only goes on seeing what they split off, unless they cannot handle its department', async () => {
  const grace = await aSupporter(desk, 'tickets.edit_status')
  const { id, messages } = await aThread(desk, ada, admin, ['client', 'More.'], ['client', 'Still more.'])
  await assign(desk, id, grace.id)

  const made = await splitOff(id, [messages[1]!], {}, grace)

  assert.equal((await detail(made.ticket_id, grace)).ticket.assignee.id, grace.id)
  const { id: department } = await desk.db
    .selectFrom('departments')
    .where('deptid', '=', 1)
    .select('id')
    .executeTakeFirstOrThrow()
  await limitTo(desk, grace.id, department)
  const away = await splitOff(id, [messages[2]!], { department_id: 4 }, grace)
  assert.equal((await detail(away.ticket_id)).ticket.assignee, null)
})

test('L6: another client reads only what was chosen, and whoever could not open a ticket for them cannot choose them', async () => {
  const thread = await aThread(
    desk,
    ada,
    admin,
    ['staff', 'canary answer', aFile('canary-answer.txt', 'canary file')],
    ['note', 'canary note', aFile('canary-note.txt', 'canary file')],
    ['client', 'For Bob.', aFile('bob.txt', 'for bob')],
    ['note', 'chosen canary note']
  )
  const chosen = [thread.messages[2]!]
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const inactive = await aClient(desk, { is_active: false })
  const { attachments } = (await portal(thread.id, ada)).data.messages[2]

  assert.deepEqual(refusal(await split(thread.id, chosen, { client_id: bob.id }, grace)), [403, 'forbidden', []])
  assert.deepEqual(refusal(await split(thread.id, chosen, { client_id: inactive.id })), [
    409,
    'client_inactive',
    ['client_id']
  ])
  assert.deepEqual(refusal(await split(thread.id, chosen, { client_id: 999_999 })), [404, 'client_not_found', []])
  const before = (await portal(thread.id, bob)).status
  const made = await splitOff(thread.id, chosen, { client_id: bob.id, note_ids: [thread.notes[1]!] })

  const [his, hers] = [await portal(made.ticket_id, bob), await portal(made.ticket_id, ada)]
  const { path } = { path: attachments[0].file_path as string }
  const file = async (by: Person) =>
    (await fetch(desk.url + path, { headers: { authorization: `Bearer ${by.token}` } })).status
  assert.deepEqual([before, his.status, hers.status, (await portal(thread.id, bob)).status], [404, 200, 404, 404])
  assert.deepEqual(texts(his.data), ['For Bob.'])
  assert.equal(his.data.messages[0].first_name, ada.first_name)
  assert.deepEqual([await file(bob), await file(ada)], [200, 404])
  const feed = await desk.post('/api/tickets/list', bob, {})
  const search = await desk.post('/api/tickets/search', bob, { query: 'canary' })
  for (const { body } of [his, feed, search]) assert.ok(!JSON.stringify(body.data).includes('canary'))
  assert.deepEqual(
    (await detail(made.ticket_id)).notes.map(({ note }: { note: string }) => note),
    ['chosen canary note']
  )
  const counts = [await desk.post('/api/tickets/list', ada, {}), feed].map(
    ({ data }) => data.pagination?.total ?? data.tickets.length
  )
  assert.equal(counts[1], 1)
})

test('L6: for another client staff choose a department of their own', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status', 'tickets.reply')
  const { id: department } = await desk.db
    .selectFrom('departments')
    .where('deptid', '=', 1)
    .select('id')
    .executeTakeFirstOrThrow()
  await limitTo(desk, grace.id, department)
  const { id, messages } = await aThread(desk, ada, admin, ['client', 'More.'])
  const given = { client_id: bob.id, department_id: 4 }

  assert.deepEqual(refusal(await split(id, [messages[1]!], given, grace)), [
    400,
    'unknown_department',
    ['department_id']
  ])
  assert.equal((await split(id, [messages[1]!], { ...given, department_id: 1 }, grace)).status, 201)
})

test('L8: a closed ticket is split; the new one is open if its last client message waits, and has only the notes that were chosen', async () => {
  const thread = await aThread(
    desk,
    ada,
    admin,
    ['client', 'One.'],
    ['staff', 'To one.'],
    ['client', 'Two.'],
    ['note', 'stays'],
    ['note', 'goes', aFile('note.txt', 'a note')]
  )
  const [, one, toOne, two] = thread.messages as [number, number, number, number]
  await post('status', { id: thread.id, status: 'Closed' })

  const waiting = await splitOff(thread.id, [two], { note_ids: [thread.notes[1]!] })
  const answered = await splitOff(thread.id, [one, toOne])
  await post('status', { id: thread.id, status: 'Open' })
  const open = await aThread(desk, ada, admin, ['client', 'One.'], ['staff', 'To one.'])
  const answeredOpen = await splitOff(open.id, open.messages.slice(1))

  const [target, source] = [await detail(waiting.ticket_id), await detail(thread.id)]
  assert.deepEqual([target.ticket.status, target.notes.map(({ note }: { note: string }) => note)], ['Open', ['goes']])
  assert.equal(target.notes[0].attachments[0].file_name, 'note.txt')
  assert.deepEqual(
    source.notes.map(({ note }: { note: string }) => note),
    ['stays']
  )
  const closed = await ticketRow(desk, answered.ticket_id)
  assert.deepEqual([closed.status, closed.closed_at === null], ['Closed', false])
  assert.equal((await ticketRow(desk, answeredOpen.ticket_id)).status, 'Answered')
})

test('whoever has read the thread has read what is split off, and whoever had its last message open still answers', async () => {
  const { id, messages } = await aThread(desk, ada, admin, ['client', 'One.'], ['client', 'Two.'])
  const reader = await anAdmin(desk)
  const last_message_id = messages[2]!
  await post('read', { id, last_message_id }, reader)

  const made = await splitOff(id, [last_message_id])

  const { data } = await post('list', {}, reader)
  const unread = data.tickets.find((ticket: { id: number }) => ticket.id === made.ticket_id).unread
  const answer = await post('reply', { id, message: 'Hello.', last_seen_message_id: last_message_id }, reader)
  const read = await post('read', { id, last_message_id }, reader)
  assert.deepEqual([unread, answer.status, read.status], [0, 201, 200], answer.body.message)
  assert.equal((await post('read', { id, last_message_id: last_message_id + 1_000 }, reader)).status, 400)
})

test('by a form, and by the number of the ticket in the address, a split is the same', async () => {
  const { ticket_number, messages } = await aThread(desk, ada, admin, ['client', 'One.'])

  const reply = await desk.post(
    `/api/admin/tickets/${ticket_number}/split`,
    admin,
    { 'message_ids[]': messages[1], subject: 'One' },
    'form'
  )

  assert.equal(reply.status, 201, reply.body.message)
})
