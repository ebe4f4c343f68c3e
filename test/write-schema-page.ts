// Writes docs/schema.md from a database that was just migrated.
import { rename, writeFile } from 'node:fs/promises'
import { testDatabase } from './support/database.ts'
import { schemaPage, schemaPagePath } from './support/schema-page.ts'

const { db } = await testDatabase()
// Whole or not at all, wherever it is interrupted.
await writeFile(`${schemaPagePath}.new`, `${await schemaPage(db)}\n`)
await rename(`${schemaPagePath}.new`, schemaPagePath)
console.log('Wrote docs/schema.md.')
process.exit()
