import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aTicket, form, limitTo } from '../../../test/support/tickets.ts'
import { openJobs } from '../../core/jobs.ts'
import { jobHandlers } from '../../job-handlers.ts'
import { moveDepartment } from './move-department.ts'

const desk = await bootDesk({ connections: 2 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const jobs = openJobs({ connection: desk.connection, log: desk.services.log })
const count = 1_234

test('many tickets move in the background: the department is out of use at once, shows its progress, and is gone in the end', async () => {
  const { id, deptid } = await aLargeDepartment()
  const member = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, member.id, id)
  await aWaitingTicket(id)

  const begun = await deletion(deptid, 4)
  await aWaitingTicket(id)
  const whileMoving = await shown(deptid)
  const refused = [
    await deletion(deptid, 5),
    await deletion(4, 5),
    await desk.post('/api/admin/departments/update', admin, { id: deptid, is_active: 1 }),
    await desk.post('/api/tickets/create', ada, form({ department_id: deptid, subject: 'x', message: 'y' }))
  ]
  const newcomer = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, newcomer.id, id)
  await jobs.drain(desk.db, jobHandlers(desk.services))

  assert.deepEqual([begun.status, begun.data], [200, { deleted_id: deptid, tickets_moved: 0, tickets_left: count }])
  assert.equal(whileMoving.is_active, 0)
  assert.deepEqual(whileMoving.moving, { to_department_id: 4, tickets_moved: 0, tickets_left: count })
  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 409, 409, 400]
  )
  assert.equal((await desk.post('/api/admin/departments/detail', admin, { id: deptid })).status, 404)
  assert.deepEqual(await departmentsOf(member.id), [4])
  assert.deepEqual(await departmentsOf(newcomer.id), [4])
  const waiting = await desk.db.selectFrom('unconfirmed_tickets').select('department_id').execute()
  assert.deepEqual(waiting, Array(2).fill({ department_id: 4 }))
  assert.deepEqual(await eventsOf(id), { tickets: count, events: count, untold: 0, by: [admin.id] })
  assert.deepEqual(await audited(deptid), [
    ['department.created', null],
    ['department.deletion_begun', { moving_to: 4, tickets: count }],
    ['department.deleted', { moved_to: 4, tickets_moved: count }]
  ])
})

test('interrupted, it goes on where it was, and no ticket moves twice', async () => {
  const { id, deptid } = await aLargeDepartment()
  await deletion(deptid, 5)
  let looks = 0
  // Called once for each batch.
  const clock = {
    now() {
      if (++looks > 1) throw new Error('The process has died')
      return desk.clock.now()
    }
  }

  await assert.rejects(moveDepartment({ ...desk.services, clock }, id), /has died/)
  const { moving } = await shown(deptid)
  await Promise.all([moveDepartment(desk.services, id), moveDepartment(desk.services, id)])
  await jobs.drain(desk.db, jobHandlers(desk.services))

  assert.deepEqual(moving, { to_department_id: 5, tickets_moved: 500, tickets_left: count - 500 })
  assert.deepEqual(await eventsOf(id), { tickets: count, events: count, untold: 0, by: [admin.id] })
  assert.deepEqual((await audited(deptid)).at(-1), ['department.deleted', { moved_to: 5, tickets_moved: count }])
})

test('a ticket that cannot be moved stays behind alone, and moves once it can', async () => {
  const { id, deptid } = await aLargeDepartment()
  const { stuck } = await desk.db
    .selectFrom('tickets')
    .where('department_id', '=', id)
    .select(({ fn }) => fn.max('id').as('stuck'))
    .executeTakeFirstOrThrow()
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`.execute(
    desk.db
  )
  await sql
    .raw(
      `create trigger stuck before update on tickets for each row when (old.id = ${stuck}) execute function refuse()`
    )
    .execute(desk.db)
  await deletion(deptid, 6)

  const tried = await jobs.drain(desk.db, jobHandlers(desk.services))
  const { moving } = await shown(deptid)
  await sql`drop trigger stuck on tickets`.execute(desk.db)
  await jobs.drain(desk.db, jobHandlers(desk.services), { early: true })

  assert.equal(tried.failed, 1)
  assert.deepEqual(moving, { to_department_id: 6, tickets_moved: count - 1, tickets_left: 1 })
  assert.deepEqual(await eventsOf(id), { tickets: count, events: count, untold: 0, by: [admin.id] })
})

test('a move whose job is lost is taken up by the hourly sweep, even if another part of that fails', async () => {
  const { id, deptid } = await aLargeDepartment()
  await deletion(deptid, 4)
  await jobs.clear(desk.db, 'move-department')
  const sweep = (services = desk.services) => jobHandlers(services).sweep({}, { number: 1, isLast: false })
  const withoutOutbox = { ...desk.services, config: { ...desk.services.config, DATA_DIR: '/dev/null' } }

  await sweep()
  await jobs.drain(desk.db, jobHandlers(desk.services))
  const early = await shown(deptid)
  desk.clock.turn(2 * 3600)
  await assert.rejects(sweep(withoutOutbox), { code: 'ENOTDIR' })
  await jobs.drain(desk.db, jobHandlers(desk.services))

  assert.equal(early.moving.tickets_left, count)
  assert.equal((await desk.post('/api/admin/departments/detail', admin, { id: deptid })).status, 404)
  assert.equal((await eventsOf(id)).events, count)
})

async function aLargeDepartment(): Promise<{ id: number; deptid: number }> {
  const { department } = (await desk.post('/api/admin/departments/create', admin, { name: 'Large' })).data
  const { ticket_id } = await aTicket(desk, ada, { department_id: department.deptid })
  await sql`
    insert into tickets (client_id, department_id, subject, trashed_at)
      select client_id, department_id, 'Moving', case when n % 10 = 0 then now() end
      from tickets, generate_series(2, ${count}) as n where id = ${ticket_id}`.execute(desk.db)
  await desk.findPendingNotifications()
  await desk.db.deleteFrom('pending_notifications').execute()
  return department
}

/** A ticket that its client has to confirm. */
async function aWaitingTicket(department_id: number) {
  const now = desk.clock.now()
  const about = { client_id: ada.id, email: ada.email, department_id }
  const row = { ...about, subject: 'Hum', message: 'It hums.', created_at: now }
  await desk.db
    .insertInto('unconfirmed_tickets')
    .values({ ...row, expires_at: new Date(now.getTime() + 86_400_000) })
    .execute()
}

function deletion(id: number, move_to_department_id: number) {
  return desk.post('/api/admin/departments/delete', admin, { id, move_to_department_id })
}

async function shown(id: number) {
  const { department } = (await desk.post('/api/admin/departments/detail', admin, { id })).data
  const { departments } = (await desk.post('/api/admin/departments/list', admin)).data
  assert.deepEqual(
    departments.find(({ deptid }: { deptid: number }) => deptid === id),
    department
  )
  return department
}

async function departmentsOf(staff: number): Promise<number[]> {
  const rows = await desk.db.selectFrom('department_members').where('staff_id', '=', staff).selectAll().execute()
  return rows.map(({ department_id }) => department_id)
}

/** The events of tickets leaving this department: how many, of how many tickets, and by whom. */
async function eventsOf(from: number) {
  await desk.findPendingNotifications()
  const { rows } = await sql`
    select count(*)::int as events, count(distinct ticket_id)::int as tickets, array_agg(distinct actor_id::int) as by,
      (select count(*)::int from pending_notifications) as untold
    from events where kind = 'ticket.updated' and (before ->> 'department_id')::bigint = ${from}`.execute(desk.db)
  return rows[0] as { events: number; tickets: number; by: number[]; untold: number }
}

async function audited(deptid: number) {
  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'department')
    .where('target_id', '=', deptid)
    .select(['action', 'after'])
    .orderBy('id')
    .execute()
  return rows.map(({ action, after }) => [action, action === 'department.created' ? null : after])
}
