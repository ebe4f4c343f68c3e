import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aFile, auditedActions, form, limitTo, storedFiles, timeline } from '../../../../test/support/tickets.ts'
import { ticketCountOf } from '../../ticket/client-ticket-counts.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const fields = { client_id: ada.id, department_id: 4, subject: 'She called', message: 'The bill is wrong.' }

function create(person: { token: string }, given: object = {}, ...files: File[]) {
  return desk.post('/api/admin/tickets/create', person, form({ ...fields, ...given }, ...files))
}

test('a ticket opened on behalf of a client is theirs, with a message by staff and files, and counted', async () => {
  const { status, data } = await create(grace, { priority: 'High' }, aFile('a.txt'))

  assert.equal(status, 201)
  const { ticket } = data
  assert.deepEqual(
    [ticket.client.id, ticket.department.deptid, ticket.subject, ticket.priority, ticket.status, ticket.assignee],
    [ada.id, 4, 'She called', 'High', 'Open', null]
  )
  assert.deepEqual([ticket.message_count, ticket.attachment_count, data.attachments.length], [1, 1, 1])
  const seen = (await desk.post('/api/tickets/detail', ada, { id: ticket.id })).data
  assert.deepEqual(
    [seen.messages[0].id, seen.messages[0].sender_type, seen.messages[0].first_name, seen.messages[0].message],
    [data.message_id, 'support', 'Grace', 'The bill is wrong.']
  )
  assert.equal((await desk.post('/api/tickets/list', ada)).data.total, 1)
  assert.deepEqual(await timeline(desk, ticket.id), [['ticket.created', null, { status: 'Open', priority: 'High' }]])
  assert.deepEqual(await auditedActions(desk, ticket.id), ['ticket.created'])
})

test('it may be assigned and tagged at once: to oneself with tickets.reply, to others with tickets.edit_status', async () => {
  const lead = await aSupporter(desk, 'tickets.reply', 'tickets.edit_status')
  const { id: tag } = await desk.db
    .insertInto('tags')
    .values({ name: 'Phone' })
    .returning('id')
    .executeTakeFirstOrThrow()

  const own = await create(grace, { staff_id: grace.id, tags: '["phone"]' })
  const other = await desk.post('/api/admin/tickets/create', lead, {
    ...fields,
    assigned_staff_id: grace.id,
    tags: [tag]
  })
  const refused = await create(grace, { assigned_staff_id: lead.id })

  for (const { data } of [own, other]) {
    assert.deepEqual([data.ticket.assignee.id, data.ticket.status], [grace.id, 'In Progress'])
    assert.deepEqual(
      data.ticket.tags.map((each: { id: number }) => each.id),
      [tag]
    )
    assert.deepEqual(
      (await timeline(desk, data.ticket.id)).map(([kind]) => kind),
      ['ticket.created', 'ticket.assigned', 'ticket.tagged']
    )
  }
  assert.equal(refused.status, 403)
})

test('what it is refused for leaves nothing behind: client, department, assignee, tag', async () => {
  const [gone, alan] = [await aClient(desk, { is_active: false }), await aSupporter(desk, 'tickets.reply')]
  await limitTo(desk, alan.id, 5)
  const lead = await aSupporter(desk, 'tickets.reply', 'tickets.edit_status')
  const before = [await desk.rowCounts(), await storedFiles(desk)]

  const refused = [
    await create(grace, { client_id: 999_999 }, aFile('a.txt')),
    await create(grace, { client_id: gone.id }, aFile('a.txt')),
    await create(grace, { department_id: 99 }, aFile('a.txt')),
    await create(alan, {}, aFile('a.txt')),
    await create(lead, { assigned_staff_id: alan.id }, aFile('a.txt')),
    await create(lead, { tags: 'nothing' }, aFile('a.txt'))
  ]

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    [
      [404, undefined],
      [409, ['client_id']],
      [400, ['department_id']],
      [400, ['department_id']],
      [400, ['assigned_staff_id']],
      [400, ['tags']]
    ]
  )
  assert.deepEqual([await desk.rowCounts(), await storedFiles(desk)], before)
  const { total } = await ticketCountOf(desk.db, ada.id).executeTakeFirstOrThrow()
  assert.equal(total, (await desk.post('/api/tickets/list', ada)).data.count)
})
