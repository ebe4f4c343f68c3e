import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aFile, assign, aTicket, form, storedFiles } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()

function ticketRow(id: number) {
  return desk.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

test("a client's reply adds a message and moves the ticket to Customer-Reply, in each encoding and under each address", async () => {
  const ada = await aClient(desk)

  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const { ticket_id, ticket_number } = await aTicket(desk, ada)
    const replies = [
      await desk.post('/api/tickets/reply', ada, { id: ticket_id, message: ' More \n' }, encoding),
      await desk.post('/api/tickets/reply', ada, { ticket_id: ticket_number, message: 'More' }, encoding),
      await desk.post(`/api/tickets/${ticket_id}/reply`, ada, { message: 'More' }, encoding),
      await desk.post(`/api/tickets/${ticket_number}/reply`, ada, { message: 'More' }, encoding)
    ]

    for (const reply of replies) {
      assert.equal(reply.status, 201, reply.body.message)
      assert.deepEqual(
        [reply.data.ticket_id, reply.data.status, reply.data.attachments],
        [ticket_id, 'Customer-Reply', []]
      )
    }
    const last = replies.at(-1)!.data
    const stored = await desk.db
      .selectFrom('ticket_messages')
      .selectAll()
      .where('id', '=', last.message_id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      [stored.ticket_id, stored.client_id, stored.staff_id, stored.sender_type, stored.message],
      [ticket_id, ada.id, null, 'client', 'More']
    )
    const { status, message_count } = await ticketRow(ticket_id)
    assert.deepEqual([status, message_count], ['Customer-Reply', 5])
  }
})

test('the message is kept as sent, a blank one is missing', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)

  const kept = await desk.post('/api/tickets/reply', ada, { id, message: '  indented\n' })
  const blank = await desk.post('/api/tickets/reply', ada, { id, message: ' \n' })

  assert.equal(kept.data.message, '  indented\n')
  assert.equal(blank.status, 400)
  assert.deepEqual(blank.body.errors, ['message'])
})

test("a reply moves any status to the replier's, that of a closed ticket too, and touches the last activity", async t => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.reply')]
  const { ticket_id: id } = await aTicket(desk, ada)
  t.after(() => desk.clock.turn(-600))

  for (const status of ['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed']) {
    for (const [person, next] of [
      [ada, 'Customer-Reply'],
      [grace, 'Answered']
    ] as const) {
      await desk.post('/api/tickets/status', ada, { id, status })
      desk.clock.turn(60)
      const reply = await desk.post('/api/tickets/reply', person, { id, message: 'Hello' })

      const row = await ticketRow(id)
      assert.deepEqual([reply.status, reply.data.status, row.status], [201, next, next])
      assert.ok(Math.abs(row.updated_at.getTime() - desk.clock.now().getTime()) < 30_000)
    }
  }
})

test('staff reply with tickets.reply alone, as support; an admin as admin', async () => {
  const ada = await aClient(desk)
  const [grace, admin] = [await aSupporter(desk, 'tickets.reply'), await anAdmin(desk)]
  const { ticket_id: id } = await aTicket(desk, ada)

  const replies = [
    await desk.post('/api/tickets/reply', grace, { id, message: 'Hello' }),
    await desk.post('/api/tickets/reply', admin, { id, message: 'Hello' })
  ]

  const stored = await desk.db
    .selectFrom('ticket_messages')
    .select(['client_id', 'staff_id', 'sender_type'])
    .where('ticket_id', '=', id)
    .where('staff_id', 'is not', null)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    replies.map(reply => reply.data.status),
    ['Answered', 'Answered']
  )
  assert.deepEqual(stored, [
    { client_id: null, staff_id: grace.id, sender_type: 'support' },
    { client_id: null, staff_id: admin.id, sender_type: 'admin' }
  ])
})

test('staff without tickets.reply get 403 before their body is read, even for the ticket assigned to them', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')]
  const { ticket_id: id } = await aTicket(desk, ada)
  await assign(desk, id, grace.id)
  const before = [await desk.rowCounts(), await ticketRow(id), await storedFiles(desk)]

  const replies = [
    await desk.post('/api/tickets/reply', grace, form({ id, message: 'Hello' }, aFile('a.txt'))),
    await desk.post('/api/tickets/reply', grace, { id: 'nonsense' }),
    await desk.post('/api/tickets/999999/reply', grace)
  ]

  assert.deepEqual(
    replies.map(reply => reply.status),
    [403, 403, 403]
  )
  assert.deepEqual([await desk.rowCounts(), await ticketRow(id), await storedFiles(desk)], before)
})

test("a reply to somebody else's ticket or to none is the same 404, and leaves neither rows nor files", async () => {
  const [ada, eve, grace] = [await aClient(desk), await aClient(desk), await aSupporter(desk, 'tickets.reply')]
  const { ticket_id, ticket_number } = await aTicket(desk, ada)
  const before = [await desk.rowCounts(), await ticketRow(ticket_id), await storedFiles(desk)]

  const replies = [
    ...(await Promise.all(
      [ticket_id, ticket_number, 999_999, 'TIC-999999'].map(id =>
        desk.post('/api/tickets/reply', eve, form({ id, message: 'Hello' }, aFile('a.txt')))
      )
    )),
    await desk.post(`/api/tickets/${ticket_number}/reply`, eve, { message: 'Hello' }),
    await desk.post('/api/tickets/reply', grace, form({ id: 999_999, message: 'Hello' }, aFile('a.txt')))
  ]

  for (const { status, body } of replies) {
    assert.equal(status, 404)
    assert.deepEqual(body, replies[0]!.body)
  }
  assert.deepEqual([await desk.rowCounts(), await ticketRow(ticket_id), await storedFiles(desk)], before)
})

test('twenty replies at once, every second one with a file, leave the counters right', async () => {
  const busy = await bootDesk({ connections: 10 })
  const ada = await aClient(busy)
  const { ticket_id: id } = await aTicket(busy, ada)

  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      busy.post('/api/tickets/reply', ada, form({ id, message: `${at}` }, ...(at % 2 ? [aFile('a.txt')] : [])))
    )
  )

  assert.ok(replies.every(reply => reply.status === 201))
  const [ticket] = (await busy.post('/api/tickets/list', ada)).data.tickets
  const { messages } = (await busy.post('/api/tickets/detail', ada, { id })).data
  assert.deepEqual([ticket.message_count, ticket.attachment_count], [21, 10])
  assert.equal(messages.length, 21)
  assert.equal(messages.flatMap((message: { attachments: object[] }) => message.attachments).length, 10)
  assert.equal((await storedFiles(busy)).length, 10)
})
