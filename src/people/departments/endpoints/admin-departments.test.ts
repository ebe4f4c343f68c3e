import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const manager = await aSupporter(desk, 'departments.manage')

test('the list shows every department, those out of use too, with its tickets and members counted', async () => {
  const supporter = await aSupporter(desk, 'departments.view')
  const { department } = (await create({ name: 'Lost property', is_active: 0 })).data
  const tickets = await severalTickets(4, 5)
  await desk.db.updateTable('tickets').set({ status: 'Closed' }).where('id', '=', tickets[0]!).execute()
  await desk.db.updateTable('tickets').set({ trashed_at: desk.clock.now() }).where('id', '=', tickets[1]!).execute()
  await desk.db.updateTable('tickets').set({ merged_into_id: tickets[3]! }).where('id', '=', tickets[2]!).execute()
  await limitTo(desk, (await aSupporter(desk)).id, 4)

  const { data } = await desk.post('/api/admin/departments/list', supporter)
  const part = await desk.post('/api/admin/departments', supporter, { page: 2, limit: 2 })
  const detail = await desk.post('/api/admin/departments/4', supporter)

  const billing = data.departments.find(({ deptid }: { deptid: number }) => deptid === 4)
  assert.deepEqual(
    [billing.open_ticket_count, billing.ticket_count, billing.trashed_ticket_count, billing.member_count],
    [2, 3, 1, 1]
  )
  assert.deepEqual(detail.data.department, billing)
  assert.deepEqual(data.departments.at(-1), { ...department, is_active: 0, ticket_count: 0 })
  assert.deepEqual([data.count, data.total, data.page, data.limit], [5, 5, 1, 100])
  assert.deepEqual(part.data.departments, data.departments.slice(2, 4))
  assert.deepEqual([part.data.count, part.data.total], [2, 5])
})

test('a department gets the next free deptid, which is its id as well, or the one that is named', async () => {
  const first = (await create({ name: 'First' })).data.department
  const named = (await create({ name: 'Named', deptid: first.deptid + 1, description: 'By name' })).data.department
  const next = (await create({ name: 'Next' })).data.department
  const taken = await create({ name: 'Taken', deptid: 4 })

  assert.deepEqual([named.deptid, next.deptid], [first.deptid + 1, first.deptid + 2])
  assert.deepEqual([named.id, named.name, named.description, named.is_active], [named.deptid, 'Named', 'By name', 1])
  assert.deepEqual([taken.status, taken.body.errors], [409, ['deptid']])
  assert.deepEqual(await lastEvent(), ['department.created', next.deptid, null, { name: 'Next', is_active: true }])
  const { departments } = (await desk.post('/api/departments')).data
  assert.ok(departments.some(({ deptid }: { deptid: number }) => deptid === next.deptid))
})

test('update changes what is given alone, a null empties the description, and the history tells it', async () => {
  const { deptid } = (await create({ name: 'Returns', description: 'What comes back' })).data.department

  const renamed = await desk.post(`/api/admin/departments/${deptid}/update`, manager, { name: 'Repairs' })
  const auditEvent = await lastEvent()
  const emptied = await desk.post('/api/admin/departments/update', manager, { deptid, description: null, is_active: 0 })
  const before = await desk.rowCounts()
  const same = await desk.post('/api/admin/departments/update', manager, { id: deptid, name: 'Repairs' })
  const unknown = await desk.post('/api/admin/departments/update', manager, { id: 987_654, name: 'Repairs' })

  assert.deepEqual([renamed.data.department.name, renamed.data.department.description], ['Repairs', 'What comes back'])
  assert.deepEqual(auditEvent, ['department.updated', deptid, { name: 'Returns' }, { name: 'Repairs' }])
  assert.deepEqual([emptied.data.department.description, emptied.data.department.is_active], [null, 0])
  assert.deepEqual([same.status, same.data.department, unknown.status], [200, emptied.data.department, 404])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a department with tickets, in the trash too, goes only with a place for them, and they keep their last activity', async () => {
  const { deptid } = (await create({ name: 'Passing' })).data.department
  const [kept, trashed] = await severalTickets(deptid, 2)
  await desk.db.updateTable('tickets').set({ trashed_at: desk.clock.now() }).where('id', '=', trashed!).execute()
  const member = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, member.id, deptid)
  const before = [await desk.rowCounts(), await ticketsOf(kept!, trashed!)]

  const refused = await desk.post('/api/admin/departments/delete', manager, { id: deptid })
  const nowhere = await Promise.all(
    [deptid, 987_654].map(move_to_department_id =>
      desk.post('/api/admin/departments/delete', manager, { id: deptid, move_to_department_id })
    )
  )

  assert.deepEqual([refused.status, refused.body.errors], [409, ['move_to_department_id']])
  assert.match(refused.body.message, /1 tickets, and 1 in the trash/)
  assert.deepEqual(
    nowhere.map(({ status, body }) => [status, body.errors]),
    Array(2).fill([400, ['move_to_department_id']])
  )
  assert.deepEqual([await desk.rowCounts(), await ticketsOf(kept!, trashed!)], before)

  desk.clock.turn(60)
  const deleted = await desk.post(`/api/admin/departments/${deptid}/delete`, manager, { move_to_department_id: 6 })

  assert.deepEqual([deleted.status, deleted.data], [200, { deleted_id: deptid, tickets_moved: 2 }])
  const [one, two] = await ticketsOf(kept!, trashed!)
  const [former] = before[1] as Awaited<ReturnType<typeof ticketsOf>>
  assert.deepEqual([one!.department_id, two!.department_id, one!.version], [6, 6, former!.version + 1])
  assert.deepEqual(one!.updated_at, former!.updated_at)
  const event = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', kept!)
    .select(['kind', 'before', 'after', 'actor_id', 'actor_type'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.deepEqual(event, {
    kind: 'ticket.updated',
    before: { department_id: deptid },
    after: { department_id: 6 },
    actor_id: manager.id,
    actor_type: 'staff'
  })
  assert.deepEqual(await lastEvent(), [
    'department.deleted',
    deptid,
    { name: 'Passing', is_active: true },
    { moved_to: 6, tickets_moved: 2 }
  ])
  // A supporter limited to it moves along, and does not become unlimited.
  assert.deepEqual(await departmentsOf(member.id), [6])
})

test('a ticket that waits for its owner’s confirmation moves with its department, and is not deleted with it', async () => {
  const { deptid } = (await create({ name: 'Waiting room' })).data.department
  const [now, late] = [desk.clock.now(), new Date(desk.clock.now().getTime() + 60_000)]
  const row = {
    client_id: ada.id,
    email: ada.email,
    department_id: deptid,
    subject: 'Hum',
    message: 'It hums.',
    created_at: now
  }
  const [waiting] = await desk.db
    .insertInto('unconfirmed_tickets')
    .values([
      { ...row, expires_at: late },
      { ...row, expires_at: now }
    ])
    .returning('id')
    .execute()

  const refused = await desk.post('/api/admin/departments/delete', manager, { id: deptid })
  const deleted = await desk.post(`/api/admin/departments/${deptid}/delete`, manager, { move_to_department_id: 4 })

  assert.deepEqual([refused.status, refused.body.reason], [409, 'department_has_tickets'])
  assert.match(refused.body.message, /0 in the trash, and 1 that wait for confirmation/)
  assert.deepEqual(deleted.data, { deleted_id: deptid, tickets_moved: 0 })
  const kept = await desk.db.selectFrom('unconfirmed_tickets').where('id', '=', waiting!.id).selectAll().execute()
  assert.deepEqual(
    kept.map(({ department_id }) => department_id),
    [4]
  )
})

test('a department to which somebody is limited goes only with a place for them', async () => {
  const { deptid } = (await create({ name: 'Staffed' })).data.department
  const member = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, member.id, deptid)

  const refused = await desk.post('/api/admin/departments/delete', manager, { id: deptid })
  await limitTo(desk, member.id, 5)
  const deleted = await desk.post('/api/admin/departments/delete', manager, { id: deptid })
  const again = await desk.post('/api/admin/departments/delete', manager, { id: deptid })

  assert.deepEqual([refused.status, refused.body.errors], [409, ['move_to_department_id']])
  assert.deepEqual([deleted.data, again.status], [{ deleted_id: deptid, tickets_moved: 0 }, 404])
  assert.deepEqual(await departmentsOf(member.id), [5])
})

test('the last active department stays, in use and at all', async () => {
  const own = await bootDesk()
  const admin = await anAdmin(own)
  for (const id of [1, 4, 5]) await own.post('/api/admin/departments/update', admin, { id, is_active: 0 })
  const before = await own.rowCounts()

  const deactivated = await own.post('/api/admin/departments/update', admin, { id: 6, is_active: 0, name: 'Gone' })
  const deleted = await own.post('/api/admin/departments/delete', admin, { id: 6 })
  const renamed = await own.post('/api/admin/departments/update', admin, { id: 6, is_active: 1 })

  assert.deepEqual([deactivated.status, deleted.status, renamed.status], [409, 409, 200])
  assert.deepEqual(await own.rowCounts(), before)
  assert.equal(
    (await own.post('/api/admin/departments/detail', admin, { id: 6 })).data.department.name,
    'Abuse Department'
  )
  assert.equal((await own.post('/api/admin/departments/delete', admin, { id: 5 })).status, 200)
})

test('members see their department alone from the next request on, and all again when they are a member nowhere', async () => {
  const [grace, alan] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.view_all')]
  const [ticket] = await severalTickets(5, 1)
  const canSee = async () => (await desk.post('/api/admin/tickets/detail', grace, { id: ticket })).status

  const set = await desk.post('/api/admin/departments/members', manager, { deptid: 1, staff_ids: [grace.id, alan.id] })
  const auditEvent = await lastEvent()
  const whileLimited = await canSee()
  const shown = await desk.post('/api/admin/departments/1/members', manager)
  const form = await desk.post(
    '/api/admin/departments/members',
    manager,
    { id: 1, staff_ids: [alan.id], confirm_unlimited: 1 },
    'form'
  )
  const afterwards = await canSee()

  assert.deepEqual([set.status, set.data.count, set.data.unlimited_staff_ids], [200, 2, []])
  assert.deepEqual(set.data.members[0], {
    id: grace.id,
    first_name: grace.first_name,
    last_name: grace.last_name,
    email: grace.email,
    is_active: 1
  })
  assert.deepEqual(auditEvent, ['department.members_changed', 1, { staff_ids: [] }, { staff_ids: [grace.id, alan.id] }])
  assert.deepEqual(shown.data.members, set.data.members)
  assert.deepEqual([whileLimited, afterwards], [404, 200])
  assert.deepEqual([form.data.count, form.data.unlimited_staff_ids], [1, [grace.id]])

  const before = await desk.rowCounts()
  const same = await desk.post('/api/admin/departments/members', manager, { id: 1, staff_ids: [alan.id, alan.id] })

  assert.deepEqual([same.status, same.data.count], [200, 1])
  assert.deepEqual(await desk.rowCounts(), before)
  const none = await desk.post('/api/admin/departments/members', manager, {
    id: 1,
    staff_ids: [],
    confirm_unlimited: 1
  })
  assert.deepEqual([none.data.members, none.data.unlimited_staff_ids], [[], [alan.id]])
})

test('only supporters become members, and nobody decides on their own membership', async () => {
  const [admin, grace] = [await anAdmin(desk), await aSupporter(desk)]
  const before = await desk.rowCounts()
  const members = '/api/admin/departments/members'

  const wrong = await desk.post(members, manager, { id: 1, staff_ids: [grace.id, admin.id, 987_654] })
  const own = await desk.post(members, manager, { id: 1, staff_ids: [manager.id] })
  const unknown = await desk.post(members, manager, { id: 987_654, staff_ids: [grace.id] })

  assert.deepEqual([wrong.status, wrong.body.errors], [400, ['staff_ids']])
  assert.equal(wrong.body.message, `No supporters: ${admin.id}, 987654`)
  assert.deepEqual([own.status, unknown.status], [403, 404])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('whoever is limited to departments manages those alone, and cannot set themselves free', async () => {
  const limited = await aSupporter(desk, 'departments.manage')
  await limitTo(desk, limited.id, 5)
  const before = await desk.rowCounts()

  const list = await desk.post('/api/admin/departments/list', limited)
  const statuses = [
    await desk.post('/api/admin/departments/detail', limited, { id: 4 }),
    await desk.post('/api/admin/departments/update', limited, { id: 4, name: 'Mine' }),
    await desk.post('/api/admin/departments/delete', limited, { id: 4, move_to_department_id: 5 }),
    await desk.post('/api/admin/departments/members', limited, { id: 4, staff_ids: [] }),
    await desk.post('/api/admin/departments/members', limited, { id: 5, staff_ids: [] }),
    await desk.post('/api/admin/departments/create', limited, { name: 'Mine' }),
    await desk.post('/api/admin/departments/delete', limited, { id: 5, move_to_department_id: 4 })
  ].map(({ status }) => status)

  assert.deepEqual([list.data.total, list.data.departments[0].deptid], [1, 5])
  assert.deepEqual(statuses, [404, 404, 404, 404, 403, 403, 400])
  assert.deepEqual(await desk.rowCounts(), before)
})

function create(fields: object) {
  return desk.post('/api/admin/departments/create', manager, fields)
}

async function severalTickets(department_id: number, count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push((await aTicket(desk, ada, { department_id })).ticket_id)
  return ids
}

function ticketsOf(...ids: number[]) {
  return desk.db.selectFrom('tickets').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

async function departmentsOf(staffId: number): Promise<number[]> {
  const rows = await desk.db
    .selectFrom('department_members')
    .where('staff_id', '=', staffId)
    .select('department_id')
    .execute()
  return rows.map(({ department_id }) => department_id)
}

async function lastEvent(): Promise<unknown[]> {
  const { action, target_id, before, after } = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return [action, target_id, before, after]
}
