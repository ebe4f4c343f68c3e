import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import { migrate, migrateTo } from '../src/platform/db/migrate.ts'
import { testDatabase } from './support/database.ts'

type TestDb = Awaited<ReturnType<typeof testDatabase>>['db']

for (const how of ['beside the service', 'in a restore, within one transaction']) {
  test(`values that were set before are in the tickets’ rows, which are no newer for it, and lists by them have their index: ${how}`, async () => {
    const { db, close } = await testDatabase({ migrated: false })
    after(close)
    await former(db)

    if (how === 'beside the service') await migrate(db, migrations)
    else await db.transaction().execute(db => migrate(db, migrations))

    const { rows } = await sql<{ copied: number; empty: number; changed: number }>`
      select count(*) filter (where field_values = jsonb_build_object('f1', id % 3))::int as copied,
        count(*) filter (where field_values is null)::int as empty,
        count(*) filter (where version > 1 or updated_at > now() - interval '23 hours')::int as changed from tickets`.execute(
      db
    )
    const indexes = await sql<{ name: string }>`
      select indexname as name from pg_indexes where schemaname = current_schema() and indexname ~ '_f[0-9]+_index$'`.execute(
      db
    )
    assert.deepEqual(rows, [{ copied: 2_000, empty: 500, changed: 0 }])
    assert.deepEqual(indexes.rows, [{ name: 'tickets_f1_index' }])
  })
}

/** A desk of the version before, with a field by which lists are filtered. */
async function former(db: TestDb): Promise<void> {
  await migrateTo(db, migrations, '0108-tokens-of-authors')
  await sql`insert into fields (key, label, kind, client_access, is_filterable, is_filter_ready, required_on, hint, position, created_at, updated_at) values
    ('contract', 'Contract', 'select', 'none', true, true, 'never', '', 1, now(), now()),
    ('story', 'Story', 'long_text', 'none', false, false, 'never', '', 1, now(), now())`.execute(db)
  await sql`create index ticket_fields_f1_index on ticket_fields ((values ->> 'f1'), ticket_id)`.execute(db)
  await sql`insert into clients (first_name, last_name, email, password) values ('Ada', 'L', 'ada@example.com', 'x')`.execute(
    db
  )
  await sql`with made as (
      insert into tickets (client_id, department_id, subject, updated_at)
      select clients.id, 1, 'Number ' || n, now() - interval '1 day' from clients, generate_series(1, 2500) as n returning id)
    insert into ticket_fields select id, jsonb_build_object('f1', id % 3, 'f2', 'Long ago') from made where id % 5 > 0`.execute(
    db
  )
}
