import assert from 'node:assert/strict'
import { type RawBuilder, sql } from 'kysely'
import { ticketCountOf } from '../../src/tickets/ticket/client-ticket-counts.ts'
import type { Desk } from './desk.ts'
import type { Asker } from './requests.ts'
import { ticketCountsAreRight } from './ticket-counts.ts'

/** Somebody with an account, as far as numbers go. */
type Member = { id: number; token: string }

const closed = sql`tickets.status = 'Closed'`

/** Asserts that every number the desk shows these people agrees with the rows of the database, counted in plain SQL. */
export async function displayedCountsAgree(
  desk: Desk,
  admin: Member,
  supporters: Member[],
  clients: Member[]
): Promise<void> {
  for (const member of [admin, ...supporters]) await countsAgree(desk, member)
  await ticketCountsAreRight(desk.db)
  await departmentsAgree(desk, admin)
  await ticketsAgree(desk)
  for (const client of clients) await clientAgrees(desk, admin, client)
}

async function countsAgree(desk: Desk, member: Member): Promise<void> {
  const seen = sql`tickets.trashed_at is null and tickets.merged_into_id is null and ${seenBy(member)}`
  const work = sql`${seen} and not ${closed}`
  const counted = {
    mine: await count(desk, sql`${work} and assigned_staff_id = ${member.id}`),
    unassigned: await count(desk, sql`${work} and assigned_staff_id is null`),
    open: await count(desk, work),
    waiting_on_customer: await count(desk, sql`${work} and status = 'Answered'`),
    customer_reply: await count(desk, sql`${work} and status = 'Customer-Reply'`)
  }
  const { rows: departments } = await sql<{ id: number; deptid: number; name: string; is_active: boolean }>`
    select id, deptid, name, is_active from departments where ${inDepartmentsOf(member, sql`departments.id`)}
    order by id`.execute(desk.db)
  const each = []
  for (const { id, deptid, name, is_active } of departments) {
    const here = sql`${work} and department_id = ${id}`
    const open = await count(desk, here)
    const unassigned = await count(desk, sql`${here} and assigned_staff_id is null`)
    if (is_active || open > 0) each.push({ deptid, name, open, unassigned })
  }

  assert.deepEqual(await told(desk, '/api/admin/tickets/counts', member), {
    ...counted,
    per_department: each,
    views: [],
    // Nothing sleeps here, and nothing was promised.
    snoozed: 0,
    breaching_soon: 0
  })
  const { total } = await told(desk, '/api/admin/tickets/list', member)
  assert.equal(total, await count(desk, seen))
  const views = [
    [{ assigned_staff_id: member.id }, sql`assigned_staff_id = ${member.id}`],
    [{ unassigned: 1 }, sql`assigned_staff_id is null`],
    [{ status: 'Customer-Reply' }, sql`status = 'Customer-Reply'`]
  ] as const
  for (const [filter, where] of views) {
    const list = await told(desk, '/api/admin/tickets/list', member, filter)
    assert.deepEqual([list.total, list.tickets.length], Array(2).fill(await count(desk, sql`${seen} and ${where}`)))
  }
}

async function departmentsAgree(desk: Desk, admin: Member): Promise<void> {
  const { departments } = await told(desk, '/api/admin/departments/list', admin)
  assert.equal(departments.length, await count(desk, sql`true`, 'departments'))
  for (const { id, deptid, ...shown } of departments) {
    const here = sql`department_id = ${id}`
    const kept = sql`${here} and trashed_at is null and merged_into_id is null`
    const counts = {
      open_ticket_count: await count(desk, sql`${kept} and not ${closed}`),
      ticket_count: await count(desk, kept),
      trashed_ticket_count: await count(desk, sql`${here} and trashed_at is not null`),
      member_count: await count(desk, here, 'department_members')
    }
    assert.deepEqual({ ...shown, ...counts }, shown, shown.name)
    const { department } = await told(desk, '/api/admin/departments/detail', admin, { id: deptid })
    assert.deepEqual(department, { id, deptid, ...shown })
  }
}

/** The counts of each ticket: its own messages and files, and those of tickets merged into it. */
async function ticketsAgree(desk: Desk): Promise<void> {
  for (const { id, message_count, attachment_count } of await desk.db.selectFrom('tickets').selectAll().execute()) {
    const parts = sql`ticket_id in (select tickets.id from tickets where ${id} in (tickets.id, tickets.merged_into_id))`
    assert.deepEqual(
      [message_count, attachment_count],
      [await count(desk, parts, 'ticket_messages'), await count(desk, parts, 'ticket_attachments')],
      `ticket ${id}`
    )
  }
}

async function clientAgrees(desk: Desk, admin: Member, client: Member): Promise<void> {
  const ofClient = sql`client_id = ${client.id} and trashed_at is null`
  const tickets = await count(desk, ofClient)
  const { total: kept } = await ticketCountOf(desk.db, client.id).executeTakeFirstOrThrow()

  assert.equal(kept, tickets)
  assert.equal((await told(desk, '/api/tickets/list', client)).total, tickets)
  assert.equal((await told(desk, '/api/admin/clients/detail', admin, { id: client.id })).tickets.length, tickets)
  const { total } = await told(desk, '/api/admin/tickets/list', admin, { client_id: client.id })
  assert.equal(total, await count(desk, sql`${ofClient} and merged_into_id is null`))
}

/** Within a query on tickets: those that a member of staff may see, worked out anew from the grants and memberships. */
function seenBy({ id }: Member): RawBuilder<unknown> {
  return sql`(exists (select from staff where id = ${id} and role = 'admin')
    or ${inDepartmentsOf({ id }, sql`tickets.department_id`)} and (assigned_staff_id = ${id}
      or exists (select from staff_permissions where staff_id = ${id} and permission_slug = 'tickets.view_all')))`
}

function inDepartmentsOf({ id }: Pick<Member, 'id'>, department: RawBuilder<unknown>): RawBuilder<unknown> {
  const own = sql`select member.department_id from department_members as member where member.staff_id = ${id}`
  return sql`(not exists (${own}) or ${department} in (${own}))`
}

async function count(desk: Desk, where: RawBuilder<unknown>, table = 'tickets'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${where}`.execute(desk.db)
  return rows[0]!.count
}

async function told(desk: Desk, path: string, asker: Asker, body: object = {}) {
  const reply = await desk.post(path, asker, body)
  assert.equal(reply.status, 200, `${path}: ${reply.body.message}`)
  return reply.data
}
