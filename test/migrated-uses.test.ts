import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { testDatabase } from './support/database.ts'

const { db, close } = await testDatabase({ migrated: false })
after(close)

test('F5: what the texts of rules and macros name is used, also where these were saved before that was noted', async () => {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0099')))
  await sql`insert into fields (key, label, kind, client_access, is_filterable, required_on, hint, position, created_at, updated_at) values
    ('serial', 'Serial', 'text', 'read', false, 'never', '', 1, now(), now()), ('device', 'Device', 'text', 'read', false, 'never', '', 1, now(), now()), ('part', 'Part', 'text', 'read', false, 'never', '', 1, now(), now())`.execute(
    db
  )
  await sql`insert into rules (position, is_active, active_since, version, created_at, updated_at) values (1, true, now(), 2, now(), now())`.execute(
    db
  )
  const versions = [
    [1, [{ note: '{{field.part}} of the version before' }]],
    [
      2,
      [
        { set_priority: 'High' },
        { note: 'About {{field.serial|it}}' },
        { email_client: { subject: 'Your {{ field.device }}', text: '{{field.gone}}' } }
      ]
    ]
  ] as const
  for (const [version, actions] of versions) {
    await sql`insert into rule_versions (rule_id, version, name, trigger, conditions, actions, watch_only, created_at)
      values (1, ${version}, 'Tell', '{"events": ["ticket.created"]}', '{"all": []}', ${JSON.stringify(actions)}, false, now())`.execute(
      db
    )
  }
  await sql`insert into macros (name, reply_text, actions) values
    ('Ask', 'Is it {{field.serial|the device}}? {{client.first_name}}', ${JSON.stringify([{ set_field: { key: 1, value: '{{field.device}}' } }])})`.execute(
    db
  )

  await migrate(db, migrations)

  const { rows } = await sql<{ key: string; by_kind: string; where: string }>`
    select key, by_kind, "where" from definition_uses join fields on fields.id = used_id and used_kind = 'field' order by 1, 2, 3`.execute(
    db
  )
  assert.deepEqual(
    rows.map(({ key, by_kind, where }) => [key, by_kind, where]),
    [
      ['device', 'rule', 'actions.2.email_client'],
      ['serial', 'macro', 'reply_text'],
      ['serial', 'rule', 'actions.1.note']
    ]
  )
})
