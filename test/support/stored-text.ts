import { sql } from 'kysely'
import type { Desk } from './desk.ts'

/** Every row that the database holds, of each schema, as text in small letters. */
export async function storedText(desk: Desk): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(desk.db)
  const contents: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.raw(name)} t`.execute(
      desk.db
    )
    contents.push(...rows.map(({ row }) => row))
  }
  return contents.join('\n').toLowerCase()
}
