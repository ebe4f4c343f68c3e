import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket, listedIds, ticketRow } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

async function setMembers(id: number, ...staff: Person[]): Promise<void> {
  const reply = await desk.post('/api/admin/departments/members', admin, {
    id,
    staff_ids: staff.map(({ id }) => id),
    confirm_unlimited: 1
  })
  assert.equal(reply.status, 200, reply.body.message)
}

test('a ticket whose assignee does not see it any more stays assigned: others find it as before, the assignee does not', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const alan = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: 4 })
  await desk.post('/api/admin/tickets/assign', grace, { id, assigned_staff_id: grace.id })
  const before = await ticketRow(desk, id)
  const views = [
    { department_id: 4 },
    { assigned_staff_id: grace.id },
    { department_id: 4, unassigned: 0 },
    { unassigned: 1 }
  ]
  await desk.deliver()

  await setMembers(1, grace)

  assert.deepEqual(await ticketRow(desk, id), before)
  for (const path of ['detail', 'reply', 'note', 'assign']) {
    const body = { id, message: 'x', note: 'x', assigned_staff_id: grace.id }
    assert.equal((await desk.post(`/api/admin/tickets/${path}`, grace, body)).status, 404, path)
  }
  assert.equal((await desk.post('/api/tickets/detail', grace, { id })).status, 404)
  assert.deepEqual(await listedIds(desk, grace, {}), [])
  assert.equal((await desk.post('/api/admin/tickets/counts', grace)).data.mine, 0)
  const found = []
  for (const view of views) found.push(await listedIds(desk, alan, view))
  assert.deepEqual(found, [[id], [id], [id], []])
  const { ticket } = (await desk.post('/api/admin/tickets/detail', alan, { id })).data
  assert.equal(ticket.assignee.id, grace.id)
})

test('who does not see a ticket any more gets no e-mails about it, and has it again with the department', async () => {
  const grace = await aSupporter(desk, 'tickets.reply')
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada, { department_id: 4 })
  await desk.post('/api/admin/tickets/assign', admin, { id, assigned_staff_id: grace.id })
  const messagesTo = async () => {
    desk.clock.turn(3600)
    return (await desk.deliver()).emails.filter(mail => mail.to === grace.email).length
  }
  const before = await messagesTo()

  await setMembers(1, grace)
  await desk.post('/api/tickets/reply', ada, { id, message: 'Is anybody there?' })
  const whileAway = await messagesTo()
  await setMembers(4, grace)
  await desk.post('/api/tickets/reply', ada, { id, message: 'And now?' })
  const afterwards = await messagesTo()

  assert.deepEqual([whileAway, afterwards], [before, before + 1])
  assert.equal(before, 1)
  assert.deepEqual(await listedIds(desk, grace, {}), [id])
})

test('somebody else takes over a ticket whose assignee does not see it, as from anybody', async () => {
  const [grace, alan] = [
    await aSupporter(desk, 'tickets.reply'),
    await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  ]
  const { ticket_id: id } = await aTicket(desk, await aClient(desk), { department_id: 4 })
  await desk.post('/api/admin/tickets/assign', admin, { id, assigned_staff_id: grace.id })
  await setMembers(1, grace)

  const taken = await desk.post('/api/admin/tickets/assign', alan, { id, assigned_staff_id: alan.id, force: 1 })
  const unassigned = await desk.post('/api/admin/tickets/assign', alan, { id, assigned_staff_id: grace.id, force: 1 })

  assert.deepEqual([taken.status, taken.data.ticket.assignee.id], [200, alan.id])
  assert.deepEqual([unassigned.status, unassigned.body.errors], [400, ['assigned_staff_id']])
})

test('whoever is limited to departments sets no colleague free, and limits none who sees everything', async () => {
  const [limited, colleague, free] = [
    await aSupporter(desk, 'departments.manage', 'tickets.view_all'),
    await aSupporter(desk, 'tickets.view_all'),
    await aSupporter(desk)
  ]
  await setMembers(5, limited, colleague)
  const before = await membershipRows()
  const set = (...staff_ids: number[]) =>
    desk.post('/api/admin/departments/members', limited, { id: 5, staff_ids, confirm_unlimited: 1 })

  const refused = [await set(limited.id), await set(limited.id, colleague.id, free.id)]

  for (const { status, body } of refused) assert.deepEqual([status, body.errors], [403, ['staff_ids']])
  assert.deepEqual(await membershipRows(), before)
  await setMembers(6, colleague)
  const moved = [await set(limited.id), await set(limited.id, colleague.id)]
  assert.deepEqual(
    moved.map(({ status, data }) => [status, data.count, data.unlimited_staff_ids]),
    [
      [200, 1, []],
      [200, 2, []]
    ]
  )
})

test('that somebody sees everything again is asked back, by name, and nothing has changed until it is said', async () => {
  const [grace, alan] = [await aSupporter(desk), await aSupporter(desk)]
  const { deptid: id } = (await desk.post('/api/admin/departments/create', admin, { name: 'Returns' })).data.department
  await setMembers(id, grace, alan)
  await setMembers(6, alan)
  const before = [await membershipRows(), await desk.rowCounts()]
  const body = { id, staff_ids: [] }

  const asked = await desk.post('/api/admin/departments/members', admin, body)
  const unchanged = [await membershipRows(), await desk.rowCounts()]
  const confirmed = await desk.post('/api/admin/departments/members', admin, { ...body, confirm_unlimited: 1 })

  assert.deepEqual(
    [asked.status, asked.body.errors, asked.data],
    [409, ['confirm_unlimited'], { unlimited_staff_ids: [grace.id] }]
  )
  assert.match(asked.body.message, /would see all departments/)
  assert.deepEqual(unchanged, before)
  assert.deepEqual([confirmed.status, confirmed.data.unlimited_staff_ids], [200, [grace.id]])
})

async function membershipRows() {
  return await desk.db
    .selectFrom('department_members')
    .select(['department_id', 'staff_id'])
    .orderBy('department_id')
    .orderBy('staff_id')
    .execute()
}
