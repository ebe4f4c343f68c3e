import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import {
  aFile,
  assign,
  aTicket,
  auditedActions,
  form,
  limitTo,
  ticketRow,
  timeline
} from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status', 'tickets.reply')
const admin = await anAdmin(desk)

function merge(id: number | string, into_id: number | string, more: object = {}) {
  return desk.post('/api/admin/tickets/merge', lead, { id, into_id, ...more })
}

function unmerge(id: number) {
  return desk.post('/api/admin/tickets/unmerge', lead, { id })
}

/** Two tickets of one client with messages in turns: one two three. */
async function twoThreads(client: Person) {
  const source = await aTicket(desk, client, { message: 'one' }, [aFile('a.txt')])
  const target = await aTicket(desk, client, { message: 'two', department_id: 4 })
  await desk.post('/api/tickets/reply', client, { id: source.ticket_id, message: 'three' })
  return { source, target }
}

function wordsOf(messages: { message: string }[]): string[] {
  return messages.map(({ message }) => message)
}

async function counters(id: number): Promise<number[]> {
  const { message_count, attachment_count } = await ticketRow(desk, id)
  return [message_count, attachment_count]
}

test('the target shows and counts both threads in the order of time; the source is closed, shows itself and leaves the queue', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  await desk.post('/api/admin/tickets/note', lead, { id: source.ticket_id, note: 'Same as the other.' })

  const { status, data } = await merge(source.ticket_number.toLowerCase(), target.ticket_id, { expected_version: 2 })

  assert.deepEqual([status, data.merged_id, data.ticket.id], [200, source.ticket_id, target.ticket_id])
  assert.deepEqual([data.ticket.message_count, data.ticket.attachment_count], [3, 1])
  const detail = (await desk.post('/api/admin/tickets/detail', lead, { id: target.ticket_id })).data
  assert.deepEqual(
    detail.messages.map((message: Record<string, unknown>) => [message.message, message.ticket_number]),
    [
      ['one', source.ticket_number],
      ['two', target.ticket_number],
      ['three', source.ticket_number]
    ]
  )
  assert.equal(detail.messages[0].attachments[0].file_name, 'a.txt')
  assert.deepEqual([detail.notes[0].note, detail.notes[0].ticket_id], ['Same as the other.', source.ticket_id])
  assert.deepEqual(
    detail.merged_sources.map((each: { id: number }) => each.id),
    [source.ticket_id]
  )
  const own = (await desk.post('/api/admin/tickets/detail', lead, { id: source.ticket_id })).data
  assert.deepEqual([own.ticket.status, own.merged_into.id, own.messages.length], ['Closed', target.ticket_id, 2])
  const queue = (await desk.post('/api/admin/tickets/list', lead, { client_id: ada.id })).data
  assert.deepEqual([queue.total, ...queue.tickets.map((ticket: { id: number }) => ticket.id)], [1, target.ticket_id])
})

test('the client sees both threads in the target, itself in the source, and downloads the files of both', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  const alan = await aSupporter(desk, 'tickets.reply')
  await assign(desk, target.ticket_id, alan.id)
  await merge(source.ticket_id, target.ticket_id)

  const whole = (await desk.post('/api/tickets/detail', ada, { id: target.ticket_id })).data
  const own = (await desk.post('/api/tickets/detail', ada, { id: source.ticket_id })).data
  const list = (await desk.post('/api/tickets/list', ada)).data

  assert.deepEqual(
    [wordsOf(whole.messages), wordsOf(own.messages)],
    [
      ['one', 'two', 'three'],
      ['one', 'three']
    ]
  )
  assert.deepEqual(
    list.tickets.map((ticket: Record<string, unknown>) => [ticket.id, ticket.status, ticket.message_count]).toSorted(),
    [
      [source.ticket_id, 'Closed', 2],
      [target.ticket_id, 'Open', 3]
    ]
  )
  for (const { token } of [ada, alan]) {
    const headers = { authorization: `Bearer ${token}` }
    const file = await fetch(desk.url + source.attachments[0].file_path, { headers })
    assert.deepEqual([file.status, await file.text()], [200, 'content'])
  }
})

test('what is written to the source or set on it goes to the target, by clients and by staff', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  await merge(source.ticket_id, target.ticket_id)
  const body = { id: source.ticket_number, message: 'four' }
  const last_seen_message_id = (await desk.post('/api/admin/tickets/detail', lead, { id: target.ticket_id })).data
    .last_message_id

  const replies = [
    await desk.post('/api/tickets/reply', ada, form(body, aFile('b.txt'))),
    await desk.post('/api/tickets/reply', admin, body),
    await desk.post('/api/admin/tickets/reply', lead, { ...body, last_seen_message_id }),
    await desk.post('/api/admin/tickets/reply', lead, body)
  ]
  const closed = await desk.post('/api/tickets/status', ada, { id: source.ticket_id, status: 'Closed' })

  assert.deepEqual(
    replies.map(({ status, data }) => [status, data.ticket_id]),
    [
      [201, target.ticket_id],
      [201, target.ticket_id],
      [409, undefined],
      [201, target.ticket_id]
    ]
  )
  assert.deepEqual(closed.data, { ticket_id: target.ticket_id, status: 'Closed' })
  assert.deepEqual(
    [await counters(source.ticket_id), await counters(target.ticket_id)],
    [
      [2, 1],
      [6, 2]
    ]
  )
})

test('unmerged, both are as they were, and what was answered meanwhile stays where it was written', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  await merge(source.ticket_id, target.ticket_id)
  await desk.post('/api/tickets/reply', ada, { id: source.ticket_id, message: 'four' })

  const { status, data } = await unmerge(source.ticket_id)

  assert.equal(status, 200)
  assert.deepEqual([data.ticket.status, data.ticket.merged_into_id], ['Customer-Reply', null])
  assert.deepEqual([data.formerly_in.id, data.formerly_in.message_count], [target.ticket_id, 2])
  assert.deepEqual(
    [await counters(source.ticket_id), await counters(target.ticket_id)],
    [
      [2, 1],
      [2, 0]
    ]
  )
  const whole = (await desk.post('/api/tickets/detail', ada, { id: target.ticket_id })).data
  assert.deepEqual(wordsOf(whole.messages), ['two', 'four'])
  assert.equal((await desk.post('/api/admin/tickets/list', lead, { client_id: ada.id })).data.total, 2)
  assert.equal((await unmerge(source.ticket_id)).status, 409)
})

test('both timelines tell of it, and the audit log once each', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  const [from, into] = [source, target].map(({ ticket_id: id, ticket_number }) => ({ id, ticket_number }))
  await merge(source.ticket_id, target.ticket_id)
  await unmerge(source.ticket_id)

  assert.deepEqual((await timeline(desk, source.ticket_id)).slice(2), [
    ['ticket.merged', { status: 'Customer-Reply' }, { status: 'Closed', merged_into: into }],
    ['ticket.unmerged', { status: 'Closed', merged_into: into }, { status: 'Customer-Reply' }]
  ])
  assert.deepEqual((await timeline(desk, target.ticket_id)).slice(1), [
    ['ticket.absorbed', null, { merged: from }],
    ['ticket.released', { merged: from }, null]
  ])
  assert.deepEqual(await auditedActions(desk, source.ticket_id), ['ticket.merged', 'ticket.unmerged'])
})

test('what was merged into a ticket goes along when that one is merged, and can be taken out of there', async () => {
  const ada = await aClient(desk)
  const { source: first, target: second } = await twoThreads(ada)
  const third = await aTicket(desk, ada, { message: 'four' })
  await merge(first.ticket_id, second.ticket_id)

  await merge(second.ticket_id, third.ticket_id)

  assert.equal((await ticketRow(desk, first.ticket_id)).merged_into_id, third.ticket_id)
  assert.deepEqual(
    [await counters(first.ticket_id), await counters(second.ticket_id), await counters(third.ticket_id)],
    [
      [2, 1],
      [1, 0],
      [4, 1]
    ]
  )
  const whole = (await desk.post('/api/tickets/detail', ada, { id: third.ticket_id })).data
  assert.deepEqual(wordsOf(whole.messages), ['one', 'two', 'three', 'four'])
  assert.deepEqual((await timeline(desk, first.ticket_id)).at(-1)?.[0], 'ticket.merge_moved')

  const second_ = await unmerge(second.ticket_id)
  const first_ = await unmerge(first.ticket_id)

  assert.deepEqual([second_.data.ticket.status, first_.data.ticket.status], ['Open', 'Customer-Reply'])
  assert.deepEqual(
    [await counters(first.ticket_id), await counters(second.ticket_id), await counters(third.ticket_id)],
    [
      [2, 1],
      [1, 0],
      [1, 0]
    ]
  )
})

test('a ticket is not merged into itself, a merged one, another client’s or one that is not seen', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { source, target } = await twoThreads(ada)
  const [others, merged] = [await aTicket(desk, eve), await aTicket(desk, ada)]
  await merge(merged.ticket_id, target.ticket_id)
  const joan = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  await limitTo(desk, joan.id, 1)
  const before = [
    await desk.rowCounts(),
    await ticketRow(desk, source.ticket_id),
    await ticketRow(desk, target.ticket_id)
  ]
  const ids = { id: source.ticket_id, into_id: target.ticket_id }

  const refused = [
    await merge(source.ticket_id, source.ticket_number),
    await merge(source.ticket_id, others.ticket_id),
    await merge(source.ticket_id, merged.ticket_id),
    await merge(merged.ticket_id, source.ticket_id),
    await merge(source.ticket_id, target.ticket_id, { expected_version: 77 }),
    await merge(source.ticket_id, 999_999),
    await desk.post('/api/admin/tickets/merge', joan, ids),
    await unmerge(source.ticket_id)
  ]

  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 409, 409, 409, 409, 404, 404, 409]
  )
  assert.deepEqual(refused[2]!.data.merged_into.id, target.ticket_id)
  assert.deepEqual(
    [await desk.rowCounts(), await ticketRow(desk, source.ticket_id), await ticketRow(desk, target.ticket_id)],
    before
  )
})

test('other work on a merged ticket is sent to the one where it goes on', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  await merge(source.ticket_id, target.ticket_id)
  const id = source.ticket_id

  const refused = [
    await desk.post('/api/admin/tickets/status', lead, { id, status: 'Open' }),
    await desk.post('/api/admin/tickets/update', lead, { id, priority: 'High' }),
    await desk.post('/api/admin/tickets/assign', lead, { id, assigned_staff_id: lead.id }),
    await desk.post('/api/admin/tickets/note', lead, { id, note: 'Hm.' }),
    await desk.post('/api/admin/tickets/tags', lead, { id, tags: [] }),
    await desk.post('/api/admin/tickets/watch', lead, { id }),
    await desk.post('/api/admin/tickets/delete', admin, { id }),
    await desk.post('/api/admin/tickets/purge', admin, { id, ticket_number: source.ticket_number })
  ]

  for (const { status, data } of refused) {
    assert.deepEqual([status, data.merged_into], [409, { id: target.ticket_id, ticket_number: target.ticket_number }])
  }
})

test('the trash takes a ticket with what was merged into it, gives both back, and purging removes both', async () => {
  const ada = await aClient(desk)
  const { source, target } = await twoThreads(ada)
  await merge(source.ticket_id, target.ticket_id)
  const total = async () => (await desk.post('/api/tickets/list', ada)).data.total
  const body = { id: target.ticket_id, ticket_number: target.ticket_number }

  await desk.post('/api/admin/tickets/delete', admin, body)
  assert.deepEqual(
    [await total(), (await desk.post('/api/tickets/reply', ada, { id: source.ticket_id, message: 'Hi' })).status],
    [0, 404]
  )
  await desk.post('/api/admin/tickets/restore', admin, body)
  assert.deepEqual([await total(), (await ticketRow(desk, source.ticket_id)).merged_into_id], [2, target.ticket_id])
  await desk.post('/api/admin/tickets/delete', admin, body)
  const purged = await desk.post('/api/admin/tickets/purge', admin, body)
  assert.deepEqual([purged.data.files, await total()], [1, 0])
  assert.equal((await desk.db.selectFrom('tickets').where('client_id', '=', ada.id).select('id').execute()).length, 0)
})
