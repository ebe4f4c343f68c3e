import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { type QueueQuery, selectionOf } from '../src/tickets/queue/queue-query.ts'
import { testDatabase } from './support/database.ts'

const { db, close } = await testDatabase({ migrated: false })
after(close)

test('saved views from before there were conditions get those of their filters, tags by id, and what they use', async () => {
  const before = Object.entries(migrations).filter(([name]) => name < '0003')
  await migrate(db, Object.fromEntries(before))
  const queries: QueueQuery[] = [
    {},
    {
      status: ['Open', 'Answered'],
      priority: ['High'],
      department_id: 4,
      assigned_staff_id: 7,
      client_id: 3,
      tag_id: 1,
      created_from: '2026-11-01',
      created_to: '2026-11-30',
      updated_from: '2026-11-20 08:00:00',
      updated_to: '2026-11-20T17:59:59Z',
      watched: 1,
      waiting_since: '2026-11-19 12:00:00',
      search: 'printer',
      sort: 'created'
    },
    { unassigned: 1, waiting: 0, watched: 0, created_to: '9999-12-31' },
    { unassigned: 0, waiting: 1, tag: 'never made', trashed: 1, merged: 1 }
  ]
  await sql`insert into tags (name) values ('Urgent')`.execute(db)
  for (const query of [...queries, { tag: 'urgent' }]) {
    await sql`insert into ticket_views (shared_by, is_shared, name, query, position)
      values (null, true, 'Before', ${JSON.stringify(query)}, 1)`.execute(db)
  }

  await migrate(db, migrations)

  const { rows: views } = await sql<{ query: QueueQuery; conditions: unknown; is_valid: boolean }>`
    select query, conditions, conditions_version = version as is_valid from ticket_views order by id`.execute(db)
  assert.deepEqual(
    views.map(({ query }) => query),
    [...queries, { tag: 'urgent' }]
  )
  assert.deepEqual(
    views.map(({ conditions }) => conditions),
    [...queries, { tag_id: 1 }].map(query => selectionOf(query).conditions)
  )
  assert.ok(views.every(({ is_valid }) => is_valid))
  const { rows: uses } = await sql<{ text: string }>`
    select concat_ws(' ', used_kind, used_id, by_id, "where") as text from definition_uses order by by_id, "where"`.execute(
    db
  )
  assert.deepEqual(
    uses.map(({ text }) => text),
    [
      'department 4 2 conditions.all.2.any.0',
      'staff 7 2 conditions.all.3.any.0',
      'client 3 2 conditions.all.4.any.0',
      'tag 1 2 conditions.all.5.any.0',
      'tag 1 5 conditions.all.0.any.0'
    ]
  )
})
