import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'

const batchSize = 1_000

/** Removes the values of a deleted field from all tickets, in batches. */
export async function removeFieldValues({ db }: Pick<Services, 'db'>, fieldId: number): Promise<void> {
  const slot = `f${fieldId}`
  for (let after: number | null = 0; after !== null; ) {
    const [batch]: { last: number | null }[] = await removeSome(db, { slot, after, limit: batchSize })
    after = batch?.last ?? null
  }
  await markCleared(db, { id: fieldId })
}

/** Starts a new job for each deleted field whose values may be left: its job has given up, or was lost. */
export async function resumeFieldRemovals({ db, jobs }: Pick<Services, 'db' | 'jobs'>): Promise<void> {
  for (const { field_id: fieldId } of await uncleared(db, {})) await jobs.send(db, 'remove-field-values', { fieldId })
}

const removeSome = prepared((db: Db, p: { slot: string; after: number; limit: number }) =>
  db
    .with('removed', db =>
      db
        .updateTable('ticket_fields')
        .where('ticket_id', 'in', db =>
          db
            // The ticket first, as whoever sets values does: the copy in its row changes too.
            .selectFrom('tickets')
            .innerJoin('ticket_fields', 'ticket_id', 'tickets.id')
            .where('ticket_id', '>', p.after)
            .where(sql<boolean>`values -> ${p.slot}::text is not null`)
            .select('ticket_id')
            .orderBy('ticket_id')
            .limit(p.limit)
            .forUpdate()
        )
        .set({ values: sql<string>`values - ${p.slot}::text` })
        .returning('ticket_id')
    )
    .selectFrom('removed')
    .select(({ fn }) => fn.max<number | null>('ticket_id').as('last'))
)

const markCleared = prepared((db, p: { id: number }) =>
  db.updateTable('deleted_fields').where('field_id', '=', p.id).set({ is_cleared: true })
)

const uncleared = prepared(db =>
  db.selectFrom('deleted_fields').where('is_cleared', '=', sql.lit(false)).select('field_id').orderBy('field_id')
)
