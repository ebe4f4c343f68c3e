import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import type { Condition } from '../conditions/schemas.ts'

const desk = await bootDesk()

/** Conditions that must all fit. */
function conditions(...each: Condition[]) {
  return { conditions: { all: each.map(one => ({ any: [one] })) } }
}

/** How many scans the database has made of this index. */
async function usesOf(index: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(desk.db)
  const { rows } = await sql<{ idx_scan: number }>`
    select idx_scan from pg_stat_user_indexes where indexrelname = ${index}`.execute(desk.db)
  return rows[0]!.idx_scan
}

test('a page of the queue comes from an index in each order, either way and behind a cursor', async () => {
  const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
  await sql`insert into tickets (client_id, department_id, subject, priority)
    select ${ada.id}, 1, 'Number ' || n, (array['Low', 'Medium', 'High', 'Critical'])[1 + n % 4]
    from generate_series(1, 3000) as n`.execute(desk.db)
  await sql`vacuum analyze tickets`.execute(desk.db)
  const indexes = {
    updated: 'tickets_queue_index',
    created: 'tickets_created_index',
    priority: 'tickets_queue_priority_index'
  }

  for (const [sort, index] of Object.entries(indexes)) {
    for (const direction of ['desc', 'asc']) {
      const body = { sort, direction, limit: 10 }
      const before = await usesOf(index)
      const first = await desk.post('/api/admin/tickets/list', admin, body)
      const between = await usesOf(index)
      const next = await desk.post('/api/admin/tickets/list', admin, { ...body, cursor: first.data.next_cursor })

      assert.deepEqual([first.data.count, next.data.count], [10, 10])
      assert.ok(between > before, `${sort} ${direction}`)
      assert.ok((await usesOf(index)) > between, `${sort} ${direction}, behind a cursor`)
    }
  }
})

test('what is not closed has an index of its own, by which any status, department and assignee are found among many closed tickets', async () => {
  const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
  await sql`insert into tickets (client_id, department_id, subject, status, assigned_staff_id)
    select ${ada.id}, case when n % 2 = 0 then 1 else 4 end, 'Number ' || n,
      case when n % 40 > 0 then 'Closed' else (array['Open', 'Answered'])[1 + n / 40 % 2] end,
      case when n % 80 = 0 then ${admin.id}::bigint end
    from generate_series(1, 8000) as n`.execute(desk.db)
  await sql`vacuum analyze tickets`.execute(desk.db)

  for (const filter of [
    { status: ['Answered'] },
    { status: ['Open', 'Answered'], department_id: 1 },
    { status: ['Open', 'Answered'], unassigned: 1 },
    conditions({ field: 'status', op: 'is_not', value: 'Closed' }),
    conditions({ field: 'status', op: 'not_in', value: ['Closed', 'In Progress'] }),
    conditions(
      { field: 'status', op: 'in', value: ['Open', 'Answered'] },
      { field: 'department_id', op: 'in', value: [1, 4] },
      { field: 'assigned_staff_id', op: 'is_not', value: admin.id }
    )
  ]) {
    const before = await usesOf('tickets_unclosed_index')
    const { data } = await desk.post('/api/admin/tickets/list', admin, { ...filter, limit: 10 })

    assert.equal(data.count, 10)
    assert.ok((await usesOf('tickets_unclosed_index')) > before, JSON.stringify(filter))
  }
})
