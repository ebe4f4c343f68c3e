import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Makes the index of that name, `on` being what follows it, as in `tickets (client_id)`. Outside a transaction nobody who writes waits
 * for it. An index that is complete is left alone; what an interrupted attempt has left is dropped first. Inside a transaction, as
 * when a backup is restored and nobody else is there, it is made in the plain way.
 */
export async function makeIndex(
  db: Kysely<unknown>,
  name: string,
  on: RawBuilder<unknown>,
  { unique = false } = {}
): Promise<void> {
  const concurrently = db.isTransaction ? sql`` : sql`concurrently`
  const { rows } = await sql<{ is_complete: boolean }>`
    select indisvalid as is_complete from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  if (rows[0]?.is_complete) return
  if (rows[0]) await sql`drop index ${concurrently} ${sql.ref(name)}`.execute(db)
  await sql`create ${unique ? sql`unique` : sql``} index ${concurrently} ${sql.ref(name)} on ${on}`.execute(db)
}
