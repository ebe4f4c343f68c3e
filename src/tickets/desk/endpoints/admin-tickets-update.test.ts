import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { assign, aTicket, auditedActions, limitTo, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')

test('status gives the ticket any status and answers it; the one that it has is no change', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)

  for (const status of ['In Progress', 'Closed', 'Open', 'Customer-Reply', 'Answered'] as const) {
    const { data } = await desk.post(`/api/admin/tickets/${id}/status`, grace, { status })

    assert.deepEqual([data.ticket.status, data.ticket.id], [status, id])
    assert.equal((await ticketRow(desk, id)).closed_at !== null, status === 'Closed')
  }
  const same = await desk.post('/api/admin/tickets/status', grace, { id, status: 'Answered', expected_version: 6 })

  assert.deepEqual([same.status, same.data.ticket.version], [200, 6])
  assert.equal((await timeline(desk, id)).length, 6)
  assert.deepEqual((await timeline(desk, id))[2], [
    'ticket.status_changed',
    { status: 'In Progress' },
    { status: 'Closed' }
  ])
  assert.equal((await auditedActions(desk, id)).length, 5)
})

test('update changes what is given alone, and records what it was and what it is', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)

  const one = await desk.post('/api/admin/tickets/update', grace, {
    id,
    priority: 'High',
    subject: 'The printer is on fire'
  })
  const two = await desk.post(`/api/admin/tickets/${id}/update`, grace, {
    subject: 'Ashes',
    deptid: 4,
    expected_version: 2
  })
  const nothing = await desk.post('/api/admin/tickets/update', grace, { id })

  assert.deepEqual([one.data.ticket.priority, one.data.ticket.version], ['High', 2])
  assert.deepEqual(
    [two.data.ticket.subject, two.data.ticket.department.deptid, two.data.ticket.version],
    ['Ashes', 4, 3]
  )
  assert.deepEqual([nothing.status, nothing.data.ticket.version], [200, 3])
  assert.deepEqual((await timeline(desk, id)).slice(1), [
    ['ticket.updated', { priority: 'Medium' }, { priority: 'High' }],
    ['ticket.updated', { subject: 'The printer is on fire', department_id: 1 }, { subject: 'Ashes', department_id: 4 }]
  ])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.updated', 'ticket.updated'])
  const logged = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('target_id', '=', id)
    .execute()
  assert.deepEqual(logged.at(-1), { before: { department_id: 1 }, after: { department_id: 4, subject_changed: true } })
})

test('a ticket may be moved out of one’s own sight; whoever had it and does not see it there has it no longer', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const [alan, joan] = [await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status'), await aSupporter(desk)]
  await limitTo(desk, alan.id, 1, 5)
  await limitTo(desk, joan.id, 1, 5)
  await assign(desk, id, joan.id)

  const stays = await desk.post('/api/admin/tickets/update', alan, { id, department_id: 5 })
  const goes = await desk.post('/api/admin/tickets/update', alan, { id, department_id: 6 })
  const gone = await desk.post('/api/admin/tickets/update', alan, { id, department_id: 1 })

  assert.deepEqual([stays.data.ticket.assignee.id, goes.data.ticket.assignee], [joan.id, null])
  assert.deepEqual([goes.data.ticket.department.deptid, gone.status], [6, 404])
  assert.deepEqual((await timeline(desk, id)).at(-1), [
    'ticket.updated',
    { department_id: 5, assigned_staff_id: joan.id },
    { department_id: 6, assigned_staff_id: null }
  ])
})

test('a move to the department where the ticket is changes nothing, also if its assignee no longer sees it or it is out of use', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: 4 })
  const joan = await aSupporter(desk)
  await limitTo(desk, joan.id, 5)
  await assign(desk, id, joan.id)
  await desk.db.updateTable('departments').set({ is_active: false }).where('id', '=', 4).execute()
  const before = [await desk.rowCounts(), await ticketRow(desk, id)]

  const { status, data } = await desk.post('/api/admin/tickets/update', grace, { id, department_id: 4 })
  const bulk = { ids: [id], action: 'department', department_id: 4 }
  const many = await desk.post('/api/admin/tickets/bulk', grace, bulk)

  assert.deepEqual([status, data.ticket.assignee.id, many.data.done], [200, joan.id, [id]])
  assert.deepEqual([await desk.rowCounts(), await ticketRow(desk, id)], before)
  await desk.db.updateTable('departments').set({ is_active: true }).where('id', '=', 4).execute()
})

test('an unknown department, one out of use and a stale version change nothing', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await desk.db.updateTable('departments').set({ is_active: false }).where('id', '=', 6).execute()
  const before = [await desk.rowCounts(), await ticketRow(desk, id)]

  const refused = [
    await desk.post('/api/admin/tickets/update', grace, { id, department_id: 99, priority: 'High' }),
    await desk.post('/api/admin/tickets/update', grace, { id, department_id: 6 }),
    await desk.post('/api/admin/tickets/update', grace, { id, priority: 'High', expected_version: 7 }),
    await desk.post('/api/admin/tickets/status', grace, { id, status: 'Closed', expected_version: 7 })
  ]

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    [
      [400, ['department_id']],
      [400, ['department_id']],
      [409, ['expected_version']],
      [409, ['expected_version']]
    ]
  )
  assert.deepEqual([await desk.rowCounts(), await ticketRow(desk, id)], before)
})
