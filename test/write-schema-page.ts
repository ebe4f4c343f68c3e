// Writes docs/schema.md from a database that was just migrated.
import { writeFile } from 'node:fs/promises'
import { testDatabase } from './support/database.ts'
import { schemaPage, schemaPagePath } from './support/schema-page.ts'

const { db } = await testDatabase()
await writeFile(schemaPagePath, `${await schemaPage(db)}\n`)
console.log('Wrote docs/schema.md.')
process.exit()
