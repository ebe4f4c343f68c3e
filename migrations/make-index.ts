import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Creates the index of that name; `on` is what follows `on` in SQL, such as `tickets (client_id)`. Outside a transaction it is built
 * concurrently, without blocking writers. A valid index is left alone; an invalid one from an interrupted attempt is dropped first. Inside
 * a transaction, as at a restore, where nobody else uses the database, it is built the ordinary way.
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
