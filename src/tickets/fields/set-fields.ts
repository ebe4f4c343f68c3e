import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { EventOf } from '../../core/events/catalogue.ts'
import type { FieldValue, FieldValues } from '../../core/tables/fields.ts'
import { raiseVersion } from '../ticket/raise-version.ts'
import { allFields, type Field, keepFields, slotOf, valuesOf } from './fields.ts'
import { type GivenValues, judgeValues, refuseFaults } from './judge-values.ts'

interface Setting {
  /** Clients know of no other fields than those that they may write. */
  by?: 'client' | 'staff'
  /** A ticket that was just opened: its version stays. */
  isNew?: boolean
  /** It undoes this event. */
  undoOf?: number
}

export interface FieldChange {
  field: Field
  before: FieldValue | null
  after: FieldValue | null
}

/**
 * Sets the given fields of a locked ticket and records an event for each that changes; its version rises once. Returns what has changed. Throws
 * `InvalidFields` with `fields.KEY`.
 */
export async function setFields(
  act: Act,
  ticketId: number,
  given: GivenValues,
  { by = 'staff', isNew = false, undoOf }: Setting = {}
): Promise<FieldChange[]> {
  if (Object.keys(given).length === 0) return []
  const { db } = act
  const fields = (await allFields(db)).filter(field => by === 'staff' || field.client_access === 'write')
  const had = await valuesOf(db, ticketId)
  const { judged, faults } = judgeValues(fields, given, had)
  refuseFaults(faults)
  const changes = judged
    .map(({ field, value }) => ({ field, before: had[slotOf(field)] ?? null, after: value }))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
  return await writeChanges(act, ticketId, changes, { isNew, ...(undoOf && { mark: { by: 'undo', undo_of: undoOf } }) })
}

/** Gives a ticket the values that it lacks and another one has. */
export async function fillFields(act: Act, { from, to }: { from: number; to: number }): Promise<void> {
  const { db } = act
  const [theirs, own] = [await valuesOf(db, from), await valuesOf(db, to)]
  const missing = Object.keys(theirs).filter(slot => !Object.hasOwn(own, slot))
  if (missing.length === 0) return
  const changes = (await allFields(db))
    .filter(field => missing.includes(slotOf(field)))
    .map(field => ({ field, before: null, after: theirs[slotOf(field)]! }))
  await writeChanges(act, to, changes, { isNew: true, mark: { by: 'merge' } })
}

/** Gives a ticket that was split off the values of its source; for another client, only those that no client reads. */
export const copyFields = prepared((db: Db, p: { from: number; to: number; isForOther: boolean }) =>
  db
    .insertInto('ticket_fields')
    .columns(['ticket_id', 'values'])
    .expression(
      sql`select ${p.to}::bigint, jsonb_object_agg('f' || fields.id, values -> ('f' || fields.id))
        from ticket_fields join fields on values -> ('f' || fields.id) is not null
        where ticket_id = ${p.from} and (not ${p.isForOther}::boolean or fields.client_access = 'none')
        group by ticket_id`
    )
)

type Change = EventOf<'ticket.field_changed'>
/** Why it changed, if nobody has set it. */
type Mark = Pick<Change['after'], 'by' | 'undo_of'>

async function writeChanges(
  act: Act,
  ticketId: number,
  wanted: readonly FieldChange[],
  { isNew = false, mark }: { isNew?: boolean; mark?: Mark }
): Promise<FieldChange[]> {
  const { db } = act
  if (wanted.length === 0) return []
  const existing = await keepFields(
    db,
    wanted.map(({ field }) => field.id)
  )
  const changes = wanted.filter(({ field }) => existing.has(field.id))
  const set: FieldValues = {}
  for (const { field, after } of changes) if (after !== null) set[slotOf(field)] = after
  const cleared = changes.flatMap(({ field, after }) => (after === null ? [slotOf(field)] : []))
  await write(db, { id: ticketId, set: JSON.stringify(set), cleared })
  if (!isNew) await raiseVersion(db, { id: ticketId })
  for (const change of changes) act.happened({ ...eventOf(change, mark), ticket: ticketId })
  return changes
}

/** Texts are people's words: the audit log tells only that they have changed, and long ones are in no event. */
function eventOf({ field, before, after }: FieldChange, mark: Mark | undefined) {
  const { id: field_id, client_access, kind } = field
  const valued = (value: FieldValue | null) =>
    kind === 'long_text'
      ? { field_id, client_access }
      : { field_id, client_access, value: value as Change['before']['value'] }
  const isText = kind === 'text' || kind === 'long_text'
  return {
    kind: 'ticket.field_changed' as const,
    before: valued(before),
    after: { ...valued(after), ...mark },
    ...(isText && { logged: { before: { field_id }, after: { field_id } } })
  }
}

const write = prepared((db, p: { id: number; set: string; cleared: string[] }) =>
  db
    .insertInto('ticket_fields')
    .columns(['ticket_id', 'values'])
    .expression(sql`select ${p.id}::bigint, ${p.set}::jsonb`)
    .onConflict(conflict =>
      conflict.column('ticket_id').doUpdateSet({
        values: sql<string>`(ticket_fields.values || excluded.values) - ${p.cleared}::text[]`
      })
    )
)
