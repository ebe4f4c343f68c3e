import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { type ConditionField, fields, type On } from './fields.ts'
import type { Fact, Facts } from './judge-in-memory.ts'

const on: On = { of: column => sql.ref(`tickets.${column}`), staff: 0 }

/** The fields that are facts of a ticket itself. */
const ofTickets = Object.entries(fields).filter(([, field]: [string, ConditionField]) => !field.isOfLists)

/** What these tickets are like now, by id, for `judge`; tags by id. Deleted ones are missing. */
export async function ticketFacts(db: Db, ids: readonly number[]): Promise<Map<number, Facts>> {
  if (ids.length === 0) return new Map()
  const rows = await factsOf(db, { ids })
  return new Map(rows.map(({ id, custom, ...facts }) => [id, { ...facts, ...custom }]))
}

const factsOf = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select('id')
    .select(db => db.selectFrom('ticket_fields').whereRef('ticket_id', '=', 'tickets.id').select('values').as('custom'))
    .select(
      ofTickets.map(([name, field]: [string, ConditionField]) => sql<Fact>`${field.fact ?? field.sql(on)}`.as(name))
    )
)
