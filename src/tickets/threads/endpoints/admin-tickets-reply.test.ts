import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import {
  aFile,
  assign,
  aTicket,
  auditedActions,
  form,
  storedFiles,
  ticketRow,
  timeline
} from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')

function lastMessage(id: number): Promise<number> {
  return desk.post('/api/admin/tickets/detail', grace, { id }).then(reply => reply.data.last_message_id)
}

test('an answer moves the ticket to Answered or to the status that is named, and is recorded with it', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)

  const plain = await desk.post('/api/admin/tickets/reply', grace, form({ id, message: 'Water.' }, aFile('a.txt')))
  const named = await desk.post(`/api/admin/tickets/${ticket_number}/reply`, lead, {
    message: 'Sand.',
    status: 'Closed'
  })

  assert.deepEqual(
    [plain.status, plain.data.ticket_id, plain.data.status, plain.data.version],
    [201, id, 'Answered', 2]
  )
  assert.deepEqual([plain.data.message, plain.data.attachments.length], ['Water.', 1])
  assert.deepEqual([named.status, named.data.status, named.data.version], [201, 'Closed', 3])
  const { status, message_count, attachment_count, version } = await ticketRow(desk, id)
  assert.deepEqual([status, message_count, attachment_count, version], ['Closed', 3, 1, 3])
  assert.deepEqual(await timeline(desk, id), [
    ['ticket.created', null, { status: 'Open', priority: 'Medium' }],
    ['ticket.replied', { status: 'Open' }, { status: 'Answered', message_id: plain.data.message_id }],
    ['ticket.replied', { status: 'Answered' }, { status: 'Closed', message_id: named.data.message_id }]
  ])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.replied', 'ticket.replied'])
})

test('to give a ticket another status with an answer takes tickets.edit_status, as without one; nothing is written', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = [await desk.rowCounts(), await ticketRow(desk, id), await storedFiles(desk)]

  for (const status of ['Closed', 'Open', 'In Progress', 'Customer-Reply']) {
    const body = form({ id, message: 'Bye.', status }, aFile('a.txt'))
    assert.equal((await desk.post('/api/admin/tickets/reply', grace, body)).status, 403)
  }
  assert.deepEqual([await desk.rowCounts(), await ticketRow(desk, id), await storedFiles(desk)], before)
  const said = await desk.post('/api/admin/tickets/reply', grace, { id, message: 'Bye.', status: 'Answered' })
  assert.equal(said.status, 201)
})

test('who has not read what the customer wrote since is stopped with it in hand, and may insist', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)
  const seen = await lastMessage(id)
  const newer = (await desk.post('/api/tickets/reply', ada, form({ id, message: 'It is out.' }, aFile('b.txt')))).data
  const before = [await desk.rowCounts(), await ticketRow(desk, id), await storedFiles(desk)]
  const body = { id, message: 'Pour water.', last_seen_message_id: seen }

  const stopped = await desk.post('/api/admin/tickets/reply', grace, form(body, aFile('a.txt')))

  assert.deepEqual([stopped.status, stopped.body.errors], [409, ['last_seen_message_id']])
  assert.equal(stopped.data.last_message_id, newer.message_id)
  assert.match(stopped.data.messages[0].created_at_iso, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(
    stopped.data.messages.map((message: Record<string, unknown>) => [
      message.id,
      message.message,
      message.sender_type,
      message.ticket_number,
      message.attachments
    ]),
    [[newer.message_id, 'It is out.', 'customer', ticket_number, newer.attachments]]
  )
  assert.deepEqual([await desk.rowCounts(), await ticketRow(desk, id), await storedFiles(desk)], before)
  assert.equal((await desk.post('/api/admin/tickets/reply', grace, { ...body, force: 1 })).status, 201)
  const aware = { ...body, last_seen_message_id: await lastMessage(id) }
  assert.equal((await desk.post('/api/admin/tickets/reply', grace, aware)).status, 201)
})

test('a message that is not written yet has been seen by nobody: such a number is refused, also with force, and writes nothing', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const newest = await lastMessage(id)
  await aTicket(desk, ada)
  const before = await desk.rowCounts()

  for (const last_seen_message_id of [newest + 1, Number.MAX_SAFE_INTEGER]) {
    for (const force of [0, 1]) {
      const body = { id, message: 'Water.', last_seen_message_id, force }
      const reply = await desk.post('/api/admin/tickets/reply', grace, body)
      assert.deepEqual([reply.status, reply.body.errors], [400, ['last_seen_message_id']])
    }
  }
  assert.deepEqual(await desk.rowCounts(), before)
  const seen = { id, message: 'Water.', last_seen_message_id: newest }
  assert.equal((await desk.post('/api/admin/tickets/reply', grace, seen)).status, 201)
})

test('a colleague’s answer stops as well, one’s own does not', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const joan = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const seen = await lastMessage(id)
  const body = { id, message: 'Water.', last_seen_message_id: seen }

  const first = await desk.post('/api/admin/tickets/reply', joan, body)
  const again = await desk.post('/api/admin/tickets/reply', joan, body)
  const other = await desk.post('/api/admin/tickets/reply', grace, body)

  assert.deepEqual([first.status, again.status, other.status], [201, 201, 409])
  assert.deepEqual(
    other.data.messages.map((message: { id: number }) => message.id),
    [first.data.message_id, again.data.message_id]
  )
})

test('an expected version that is not the current one stops an answer, and the current one is told', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await desk.post('/api/tickets/reply', ada, { id, message: 'Hello?' })
  const body = { id, message: 'Yes.' }

  const stale = await desk.post('/api/admin/tickets/reply', grace, { ...body, expected_version: 1 })
  const right = await desk.post('/api/admin/tickets/reply', grace, { ...body, expected_version: 2 })

  assert.deepEqual([stale.status, stale.body.errors, stale.data], [409, ['expected_version'], { current_version: 2 }])
  assert.equal(stale.headers.get('x-current-version'), '2')
  assert.match(stale.body.message, /\b2\b/)
  assert.deepEqual([right.status, right.data.version], [201, 3])
})

test('without tickets.view_all one answers what is assigned to oneself; all else is a 404 without a trace', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const alan = await aSupporter(desk, 'tickets.reply')
  const before = [await desk.rowCounts(), await storedFiles(desk)]

  const others = await desk.post('/api/admin/tickets/reply', alan, form({ id, message: 'Hi' }, aFile('a.txt')))
  const none = await desk.post('/api/admin/tickets/reply', alan, { id: 999_999, message: 'Hi' })

  assert.deepEqual([others.status, none.status], [404, 404])
  assert.deepEqual([await desk.rowCounts(), await storedFiles(desk)], before)
  await assign(desk, id, alan.id)
  assert.equal((await desk.post('/api/admin/tickets/reply', alan, { id, message: 'Hi' })).status, 201)
})

test('the contract’s own endpoints write the history too: staff on both, clients on the timeline', async () => {
  const admin = await anAdmin(desk)
  const { ticket_id: id } = await aTicket(desk, ada)

  const mine = await desk.post('/api/tickets/reply', ada, { id, message: 'More.' })
  const theirs = await desk.post('/api/tickets/reply', admin, form({ id, message: 'Thanks.' }, aFile('a.txt')))
  await desk.post('/api/tickets/status', ada, { id, status: 'Closed' })
  await desk.post('/api/tickets/status', admin, { id, status: 'Closed' })
  await desk.post('/api/tickets/status', admin, { id, status: 'Open' })

  assert.deepEqual((await timeline(desk, id)).slice(1), [
    ['ticket.replied', { status: 'Open' }, { status: 'Customer-Reply', message_id: mine.data.message_id }],
    ['ticket.replied', { status: 'Customer-Reply' }, { status: 'Answered', message_id: theirs.data.message_id }],
    ['ticket.status_changed', { status: 'Answered' }, { status: 'Closed' }],
    ['ticket.status_changed', { status: 'Closed' }, { status: 'Open' }]
  ])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.replied', 'ticket.status_changed'])
})
