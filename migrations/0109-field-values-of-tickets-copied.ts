import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0002-search'

const batchSize = 1_000

/** The values that were set before the trigger was there, and the indexes of fields by which lists are filtered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) after = await copySome(db, after)

  const concurrently = db.isTransaction ? sql`` : sql`concurrently`
  const ready = await sql<{ id: number }>`select id from fields where is_filterable and is_filter_ready`.execute(db)
  for (const { id } of ready.rows) {
    const value = sql`field_values ->> ${sql.lit(`f${id}`)}`
    await makeIndex(db, `tickets_f${id}_index`, sql`tickets ((${value}), updated_at, id) where ${value} is not null`)
  }
  if (ready.rows.length > 0) await sql`analyze tickets`.execute(db)
  const former = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = current_schema() and tablename = 'ticket_fields' and indexname ~ '_f[0-9]+_index$'`.execute(db)
  for (const { name } of former.rows) await sql`drop index ${concurrently} ${sql.ref(name)}`.execute(db)
}

/** Whoever sets values has locked the ticket, so that these are the newest. Returns the last ticket that was copied. */
async function copySome(db: Kysely<unknown>, after: number): Promise<number | undefined> {
  const copy = async (db: Kysely<unknown>) => {
    const { rows } = await sql<{ id: number }>`
      select tickets.id from tickets join ticket_fields on ticket_id = tickets.id where ticket_id > ${after}
      order by ticket_id limit ${batchSize} for update of tickets`.execute(db)
    await sql`
      update tickets set field_values = short_field_values(values) from ticket_fields
      where ticket_id = tickets.id and tickets.id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db)
    return rows.at(-1)?.id
  }
  return db.isTransaction ? await copy(db) : await db.transaction().execute(copy)
}
