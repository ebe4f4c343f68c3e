import { sql } from 'kysely'
import type { Desk } from './desk.ts'

/** A digest of all rows of each table, but for those that any request writes. */
export async function tableContents(desk: Desk): Promise<Record<string, string | null>> {
  await desk.rowCounts()
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind = 'r'
      and relname not in ('sessions', 'rate_limits', 'stream_processes', 'event_streams', 'idempotency_keys')`.execute(
    desk.db
  )
  const contents: Record<string, string | null> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ digest: string | null }>`
      select md5(string_agg(each::text, E'\\n' order by each::text collate "C")) as digest from ${sql.table(name)} as each
    `.execute(desk.db)
    contents[name] = rows[0]!.digest
  }
  return contents
}
