import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'

/** Runs the statements of these files, in order; a path begins in the folder of the migrations. */
export async function runFiles(db: Kysely<unknown>, paths: readonly string[]): Promise<void> {
  for (const path of paths) await sql.raw(await readFile(join(import.meta.dirname, path), 'utf8')).execute(db)
}

/** Creates these functions, or replaces them by what their files say now. */
export async function createFunctions(db: Kysely<unknown>, names: readonly string[]): Promise<void> {
  await runFiles(
    db,
    names.map(name => `functions/${name}.sql`)
  )
}
