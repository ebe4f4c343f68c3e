import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { permissionSlugs } from './permissions.ts'

test('the catalogue in the database is that of the code, in its order, with the categories of the contract', async t => {
  const { db, close } = await testDatabase()
  t.after(close)

  const rows = await db.selectFrom('permissions').select(['slug', 'category']).orderBy('id').execute()

  assert.deepEqual(
    rows.map(row => row.slug),
    [...permissionSlugs]
  )
  assert.deepEqual(
    rows.map(row => row.category).join(' '),
    ['Clients Clients Clients Clients', 'Tickets Tickets Tickets Tickets', 'Departments Departments Staff Staff'].join(
      ' '
    )
  )
})
