import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aFile, assign, aTicket, form } from '../../../../test/support/tickets.ts'
import { isoTime, timestamp } from '../../../lib/time.ts'

const desk = await bootDesk()

test('detail shows the ticket and its messages in order, each with its sender and its own files', async () => {
  const ada = await aClient(desk, { first_name: 'Ada', last_name: 'Byron' })
  const [grace, admin] = [await aSupporter(desk, 'tickets.reply'), await anAdmin(desk)]
  const files = [aFile('one.txt', 'one'), aFile('two.pdf', 'two!')]
  const ticket = await aTicket(desk, ada, { department_id: 6, priority: 'Critical', message: 'First' }, files)
  const { ticket_id: id } = ticket
  await desk.post('/api/tickets/reply', grace, form({ id, message: 'Second' }, aFile('three.png', 'three')))
  await desk.post('/api/tickets/reply', admin, { id, message: 'Third' })

  const reply = await desk.post('/api/tickets/detail', ada, { id })

  const row = await desk.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data.ticket, {
    id,
    ticket_number: ticket.ticket_number,
    department_name: 'Abuse Department',
    subject: 'The printer is on fire',
    priority: 'Critical',
    status: 'Answered',
    created_at: timestamp(row.created_at),
    created_at_iso: isoTime(row.created_at),
    updated_at: timestamp(row.updated_at),
    updated_at_iso: isoTime(row.updated_at)
  })
  const [first, second, third] = reply.data.messages
  assert.deepEqual(
    reply.data.messages.map((message: Record<string, string>) => [
      message.sender_type,
      message.first_name,
      message.last_name,
      message.message
    ]),
    [
      ['customer', 'Ada', 'Byron', 'First'],
      ['support', 'Grace', 'Hopper', 'Second'],
      ['admin', 'Grace', 'Hopper', 'Third']
    ]
  )
  assert.equal(first.created_at, timestamp(row.created_at))
  assert.deepEqual(first.attachments, ticket.attachments)
  assert.deepEqual(
    first.attachments.map((file: Record<string, unknown>) => [file.file_name, file.file_size, file.file_type]),
    [
      ['one.txt', 3, 'text/plain'],
      ['two.pdf', 4, 'application/pdf']
    ]
  )
  assert.deepEqual(
    second.attachments.map((file: Record<string, unknown>) => file.file_name),
    ['three.png']
  )
  assert.deepEqual(third.attachments, [])
})

test('a ticket is found by id and by number, under both names, in the path and in each encoding', async () => {
  const ada = await aClient(desk)
  const { ticket_id, ticket_number } = await aTicket(desk, ada)

  for (const encoding of ['json', 'form', 'multipart'] as const) {
    for (const ref of [ticket_id, String(ticket_id), ticket_number, ticket_number.toLowerCase()]) {
      for (const name of ['id', 'ticket_id']) {
        const reply = await desk.post('/api/tickets/detail', ada, { [name]: ref }, encoding)

        assert.equal(reply.data?.ticket.id, ticket_id, `${name}: ${ref} as ${encoding}`)
      }
    }
  }
  for (const ref of [ticket_id, ticket_number, ticket_number.toLowerCase()]) {
    for (const path of [`/api/tickets/${ref}`, `/api/tickets/${ref}/detail`]) {
      const reply = await desk.post(path, ada, { id: 999_999 })

      assert.equal(reply.data?.ticket.id, ticket_id, path)
    }
  }
})

test('an ill-formed reference is a 400 in a body and a 404 in a path', async () => {
  const ada = await aClient(desk)

  for (const ref of [0, -1, 1.5, 2 ** 53, 'TIC-1', 'TIC-12345x', 'abc', '1 or 1=1', true, ['1'], { id: 1 }]) {
    const reply = await desk.post('/api/tickets/detail', ada, { id: ref })

    assert.equal(reply.status, 400, String(ref))
    assert.deepEqual(reply.body.errors, ['id'])
  }
  for (const ref of ['0', '-1', '1.5', '9007199254740992', 'TIC-1', 'abc', '%00', '1%20or']) {
    assert.equal((await desk.post(`/api/tickets/${ref}`, ada)).status, 404, ref)
  }
})

test('id and ticket_id that differ are refused', async () => {
  const ada = await aClient(desk)
  const { ticket_id, ticket_number } = await aTicket(desk, ada)

  const reply = await desk.post('/api/tickets/detail', ada, { id: ticket_id, ticket_id: ticket_number })

  assert.equal(reply.status, 400)
  assert.deepEqual(reply.body.errors, ['id'])
})

test("somebody else's ticket and no ticket at all are the same 404 for a client, by id and by number", async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { ticket_id, ticket_number } = await aTicket(desk, ada)

  const answers = await Promise.all(
    [ticket_id, ticket_number, 999_999, 'TIC-999999'].flatMap(ref => [
      desk.post('/api/tickets/detail', eve, { id: ref }),
      desk.post(`/api/tickets/${ref}`, eve)
    ])
  )

  for (const { status, body } of answers) {
    assert.equal(status, 404)
    assert.deepEqual(body, answers[0]!.body)
  }
})

test('staff read every ticket with tickets.view_all, and the ones assigned to them without', async () => {
  const ada = await aClient(desk)
  const [viewer, assignee, admin] = [
    await aSupporter(desk, 'tickets.view_all'),
    await aSupporter(desk),
    await anAdmin(desk)
  ]
  const { ticket_id: id } = await aTicket(desk, ada)
  await assign(desk, id, assignee.id)

  for (const person of [viewer, assignee, admin]) {
    assert.equal((await desk.post('/api/tickets/detail', person, { id })).data?.ticket.id, id)
  }
})

test('staff without tickets.view_all get 403 for any other ticket, whether or not it exists; with it an unknown one is a 404', async () => {
  const ada = await aClient(desk)
  const { ticket_id, ticket_number } = await aTicket(desk, ada)
  const [viewer, replier] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.reply')]

  for (const id of [ticket_id, ticket_number, 999_999, 'TIC-999999']) {
    assert.equal((await desk.post('/api/tickets/detail', replier, { id })).status, 403)
  }
  for (const id of [999_999, 'TIC-999999']) {
    assert.equal((await desk.post('/api/tickets/detail', viewer, { id })).status, 404)
  }
})

test('the current name of a sender is shown, and that of a deleted staff member as it was', async () => {
  const ada = await aClient(desk)
  const [stays, leaves] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.reply')]
  const { ticket_id: id } = await aTicket(desk, ada)
  for (const person of [stays, leaves]) await desk.post('/api/tickets/reply', person, { id, message: 'Hello' })
  await desk.db.updateTable('clients').set({ last_name: 'King' }).where('id', '=', ada.id).execute()
  await desk.db.updateTable('staff').set({ first_name: 'Rear' }).where('id', '=', stays.id).execute()
  await desk.db.updateTable('staff').set({ first_name: 'Gone' }).where('id', '=', leaves.id).execute()
  await desk.db.deleteFrom('staff').where('id', '=', leaves.id).execute()

  const reply = await desk.post('/api/tickets/detail', ada, { id })

  assert.deepEqual(
    reply.data.messages.map((message: Record<string, string>) => [
      message.sender_type,
      message.first_name,
      message.last_name
    ]),
    [
      ['customer', 'Ada', 'King'],
      ['support', 'Rear', 'Hopper'],
      ['support', 'Grace', 'Hopper']
    ]
  )
})

test('a file that belongs to no message is shown with the first one', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  await desk.db.updateTable('ticket_attachments').set({ message_id: null }).where('ticket_id', '=', id).execute()

  const reply = await desk.post('/api/tickets/detail', ada, { id })

  assert.equal(reply.data.messages[0].attachments[0].file_name, 'a.txt')
})
