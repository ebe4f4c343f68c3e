import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testDatabase } from './support/database.ts'
import { schemaPage, schemaPagePath } from './support/schema-page.ts'

test('docs/schema.md shows the tables, columns and keys of a migrated database', async () => {
  const { db } = await testDatabase()

  assert.equal(readFileSync(schemaPagePath, 'utf8'), `${await schemaPage(db)}\n`, 'run "npm run generate"')
})
