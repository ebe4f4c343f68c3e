import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aFile, assign, aTicket, form, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]

test('the detail shows the ticket, its thread with files, the last message, the notes, the watchers and the timeline', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  await desk.post('/api/tickets/reply', grace, form({ id, message: 'Is it still burning?' }))
  await desk.db
    .insertInto('ticket_notes')
    .values({
      ticket_id: id,
      staff_id: grace.id,
      author_first_name: 'Grace',
      author_last_name: 'Hopper',
      note: 'Again.'
    })
    .execute()
  await desk.db.insertInto('ticket_watchers').values({ ticket_id: id, staff_id: grace.id }).execute()

  for (const path of [
    '/api/admin/tickets/detail',
    `/api/admin/tickets/${id}`,
    `/api/admin/tickets/${ticket_number}/detail`
  ]) {
    const { status, data } = await desk.post(path, grace, path.endsWith('s/detail') ? { id: ticket_number } : {})

    assert.equal(status, 200)
    assert.deepEqual(
      [data.ticket.id, data.ticket.version, data.ticket.status, data.ticket.client.id, data.ticket.message_count],
      [id, 2, 'Answered', ada.id, 2]
    )
    assert.deepEqual(
      data.messages.map((message: Record<string, unknown>) => [
        message.sender_type,
        message.message,
        message.ticket_number
      ]),
      [
        ['customer', 'Please hurry.', ticket_number],
        ['support', 'Is it still burning?', ticket_number]
      ]
    )
    assert.deepEqual(
      data.messages.map((message: { attachments: { file_name: string }[] }) =>
        message.attachments.map(each => each.file_name)
      ),
      [['a.txt'], []]
    )
    assert.equal(data.last_message_id, data.messages[1].id)
    const [note] = data.notes
    assert.deepEqual(
      [note.note, note.ticket_id, note.author],
      ['Again.', id, { id: grace.id, first_name: 'Grace', last_name: 'Hopper' }]
    )
    assert.deepEqual(data.watchers, [{ id: grace.id, first_name: 'Grace', last_name: 'Hopper' }])
    assert.deepEqual([data.merged_into, data.merged_sources], [null, []])
    assert.deepEqual(
      data.events.map((event: Record<string, unknown>) => [event.kind, event.actor_type, event.actor_id, event.before]),
      [
        ['ticket.created', 'client', ada.id, null],
        ['ticket.replied', 'staff', grace.id, { status: 'Open' }]
      ]
    )
    const { received_at: _, ...answered } = data.events[1].after
    assert.deepEqual(answered, { status: 'Answered', message_id: data.messages[1].id, sender_type: 'support' })
    assert.deepEqual([data.events[1].actor_name, data.events[1].ip_address], ['Grace Hopper', '127.0.0.1'])
    assert.equal(data.events_before, null)
  }
})

test('the newest hundred events are shown, oldest first, and where the earlier ones are', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const event = { ticket_id: id, actor_type: 'system', actor_name: 'Deskline' } as const
  await desk.db
    .insertInto('events')
    .values(
      Array.from({ length: 230 }, (_, at) => ({
        ...event,
        kind: 'ticket.noted',
        after: JSON.stringify({ note_id: at + 1 })
      }))
    )
    .execute()
  const notes: (number | undefined)[][] = []

  let before: number | undefined
  do {
    const { data } = await desk.post('/api/admin/tickets/detail', grace, { id, events_before: before })
    notes.unshift(data.events.map(({ after }: { after: { note_id?: number } }) => after.note_id))
    before = data.events_before ?? undefined
  } while (before)

  assert.deepEqual(
    notes.map(page => page.length),
    [31, 100, 100]
  )
  assert.deepEqual(notes.flat(), [undefined, ...Array.from({ length: 230 }, (_, at) => at + 1)])
})

test('what a caller may not see is a 404: another’s ticket, another department’s, one in the trash', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: 4 })
  const [alan, joan] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.view_all')]
  await limitTo(desk, joan.id, 5)
  const see = (person: typeof alan) => desk.post('/api/admin/tickets/detail', person, { id })

  const [others, elsewhere, none] = [
    await see(alan),
    await see(joan),
    await desk.post('/api/admin/tickets/detail', grace, { id: 999_999 })
  ]
  await assign(desk, id, alan.id)
  const assigned = await see(alan)
  await desk.db.updateTable('tickets').set({ trashed_at: desk.clock.now() }).where('id', '=', id).execute()
  const trashed = await see(grace)
  const remover = await see(await aSupporter(desk, 'tickets.view_all', 'tickets.delete'))

  assert.deepEqual(
    [others.status, elsewhere.status, none.status, assigned.status, trashed.status],
    [404, 404, 404, 200, 404]
  )
  assert.deepEqual(others.body, none.body)
  assert.equal(remover.status, 200)
  assert.match(remover.data.ticket.trashed_at, /^\d{4}-/)
})
