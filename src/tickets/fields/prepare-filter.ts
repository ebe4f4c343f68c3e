import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { slotOf } from './fields.ts'

/**
 * Builds the index by which lists are filtered by a field, without blocking writers, and says that it is ready; or drops it if lists are no longer
 * filtered by the field, or it is gone. Call it outside a transaction. It may be interrupted anywhere and done again.
 */
export async function prepareFilter({ db }: Pick<Services, 'db'>, fieldId: number): Promise<void> {
  const slot = slotOf({ id: fieldId })
  const name = `tickets_${slot}_index`
  const [field] = await filterable(db, { id: fieldId })
  const [index] = await indexNamed(db, { name })
  if (index && (!field || !index.is_complete)) await sql`drop index concurrently ${sql.ref(name)}`.execute(db)
  if (!field) return
  if (!index?.is_complete) {
    await db.connection().execute(async db => {
      // It takes as long as it takes.
      await sql`set statement_timeout = 0`.execute(db)
      // Tickets with a value in the order of their last change, by which they are listed.
      await sql`create index concurrently ${sql.ref(name)} on tickets ((field_values ->> ${sql.lit(slot)}), updated_at, id)
        where field_values ->> ${sql.lit(slot)} is not null`.execute(db)
      // The planner knows what is in an expression only after it has looked.
      await sql`analyze tickets`.execute(db)
      await sql`reset statement_timeout`.execute(db)
    })
  }
  await markReady(db, { id: fieldId })
}

/** Starts a job for each field whose index is not there: its job has given up or was lost, or the desk was restored from a backup. */
export async function resumeFilters({ db, jobs }: Pick<Services, 'db' | 'jobs'>): Promise<void> {
  for (const { id: fieldId } of await unready(db, {})) await jobs.send(db, 'prepare-field-filter', { fieldId })
}

const filterable = prepared((db: Db, p: { id: number }) =>
  db.selectFrom('fields').where('id', '=', p.id).where('is_filterable', '=', sql.lit(true)).select('id')
)

const indexNamed = prepared((db: Db, p: { name: string }) => {
  const text = sql<{ is_complete: boolean }>`
    select indisvalid as is_complete from pg_index where indexrelid = to_regclass(${p.name})`
  return { compile: () => text.compile(db) }
})

const markReady = prepared((db, p: { id: number }) =>
  db
    .updateTable('fields')
    .where('id', '=', p.id)
    .where('is_filterable', '=', sql.lit(true))
    .set({ is_filter_ready: true })
)

const unready = prepared(db =>
  db
    .selectFrom('fields')
    .where('is_filterable', '=', sql.lit(true))
    .where(
      sql<boolean>`not (is_filter_ready and exists (
        select from pg_index where indexrelid = to_regclass('tickets_f' || id || '_index') and indisvalid))`
    )
    .select('id')
    .orderBy('id')
)
