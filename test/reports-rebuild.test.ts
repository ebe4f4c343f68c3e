import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { databaseUrl } from './support/database.ts'
import { run } from './support/program.ts'
import { bootReportsDesk } from './support/reports.ts'

test('N7: "deskline reports rebuild" makes the same rows beside a running service, and others again if they were wrong', async () => {
  const { desk, opened, staff, report } = await bootReportsDesk()
  const ids = [await opened(), await opened({ department_id: 5, priority: 'High' })]
  for (const id of ids) await staff('reply', { id, message: 'Hello' })
  await staff('status', { id: ids[0], status: 'Closed' })
  const today = new Date().toISOString().slice(0, 10)
  await report('volume', { from: today, to: today })
  const stored = async () => [
    (await sql`select * from ticket_facts order by ticket_id, number`.execute(desk.db)).rows,
    (await sql`select * from report_days order by figure, dimension, key, day`.execute(desk.db)).rows
  ]
  const environment = { DATA_DIR: join(desk.dataDir, 'other'), DATABASE_URL: databaseUrl(desk.connection) }

  const before = await stored()
  const first = await run(['reports', 'rebuild'], environment)
  const rebuilt = await stored()
  await sql`update ticket_facts set at = at - interval '9 days', value = 7 where number = 0`.execute(desk.db)
  await sql`delete from ticket_facts where ticket_id = ${ids[1]!} and number > 1`.execute(desk.db)
  await sql`update report_days set n = n + 1, day = day - 3`.execute(desk.db)
  const second = await run(['reports', 'rebuild'], environment)

  assert.equal(first.code, 0, first.output)
  assert.match(first.output, /The reports were rebuilt: 2 tickets\.\n$/)
  assert.deepEqual(rebuilt, before)
  assert.equal(second.code, 0, second.output)
  assert.deepEqual(await stored(), before)
})
