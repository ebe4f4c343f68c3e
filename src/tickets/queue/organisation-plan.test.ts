import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { anOrganisation, aPersonOf } from '../../../test/support/organisations.ts'

const desk = await bootDesk()

/** How often the database has scanned this index, and read the whole table of tickets. */
async function scans(index: string) {
  await sql`select pg_stat_force_next_flush()`.execute(desk.db)
  const { rows } = await sql<{ by_index: number; whole: number }>`
    select idx_scan as by_index, (select seq_scan from pg_stat_user_tables where relname = 'tickets') as whole
    from pg_stat_user_indexes where indexrelname = ${index}`.execute(desk.db)
  return rows[0]!
}

test('a page of a manager’s list of 10,000 tickets comes from the index, with its kept number, and no ticket of it is counted', async () => {
  const [large, small] = [await anOrganisation(desk), await anOrganisation(desk)]
  const manager = await aPersonOf(desk, large, 'manager')
  const [member, other] = [await aPersonOf(desk, large), await aPersonOf(desk, small)]
  await sql`insert into tickets (client_id, department_id, subject, organisation_id, created_at, updated_at)
    select case when n % 6 = 0 then ${other.id}::bigint else ${member.id} end, 1, 'Number ' || n,
      case when n % 6 = 0 then ${small.id}::bigint else ${large.id} end,
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
    from generate_series(1, 12000) as n`.execute(desk.db)
  await desk.services.jobs.send(desk.db, 'add-up-ticket-counts', {})
  await desk.deliver()
  await sql`vacuum analyze tickets`.execute(desk.db)

  const before = await scans('tickets_organisation_index')
  const first = await desk.post('/api/tickets/list', manager, { scope: 'organisation', limit: 50 })
  const next = await desk.post('/api/tickets/list', manager, { scope: 'organisation', limit: 50, page: 2 })
  const after = await scans('tickets_organisation_index')

  assert.deepEqual([first.data.total, first.data.count, next.data.count], [10_000, 50, 50])
  assert.equal(first.data.tickets[0].subject, 'Number 11999')
  assert.ok(after.by_index >= before.by_index + 2)
  assert.equal(after.whole, before.whole)
})
