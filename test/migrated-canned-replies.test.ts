import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { testDatabase } from './support/database.ts'

const { db, close } = await testDatabase({ migrated: false })
after(close)

test('canned replies become macros with their ids and versions, and processes of the version before go on with them', async () => {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0014')))
  await sql`insert into canned_replies (title, text) values ('One', 'first'), ('Gone', 'x'), ('Two', 'second')`.execute(
    db
  )
  await sql`update canned_replies set text = 'second anew' where title = 'Two'`.execute(db)
  await sql`delete from canned_replies where title = 'Gone'`.execute(db)

  await migrate(db, migrations)
  await sql`insert into canned_replies (title, text) values ('Three', 'third')`.execute(db)
  await sql`insert into macros (name, actions) values ('Close', '[{"set_status": "Closed"}]')`.execute(db)
  await sql`update canned_replies set text = 'third anew' where title = 'Three'`.execute(db)

  const macros = await sql`select id, name, reply_text, version from macros order by id`.execute(db)
  const replies = await sql`select title from canned_replies order by id`.execute(db)
  assert.deepEqual(
    macros.rows.map(row => Object.values(row as object)),
    [
      [1, 'One', 'first', 1],
      [3, 'Two', 'second anew', 2],
      [4, 'Three', 'third anew', 2],
      [5, 'Close', '', 1]
    ]
  )
  assert.deepEqual(replies.rows, [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }])
})
