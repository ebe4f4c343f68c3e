import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { FieldRow, FieldValues } from '../../core/tables/fields.ts'
import { failure } from '../../kit/errors.ts'

export const FieldNotFound = failure(404, 'field_not_found', 'There is no such field')

/** A custom field of tickets. */
export type Field = FieldRow

/** All fields in their order, archived ones last. */
export async function allFields(db: Db): Promise<Field[]> {
  return await all(db, {})
}

/** Throws `FieldNotFound`. */
export async function fieldWith(db: Db, id: number): Promise<Field> {
  const [field] = await byId(db, { id })
  if (!field) throw FieldNotFound()
  return field
}

/** The name of a field's value among those of a ticket. */
export function slotOf({ id }: Pick<Field, 'id'>): string {
  return `f${id}`
}

/** The stored values of a ticket. */
export async function valuesOf(db: Db, ticketId: number): Promise<FieldValues> {
  const [row] = await stored(db, { id: ticketId })
  return row?.values ?? {}
}

/** Keeps these fields from being deleted until the transaction ends. Returns those that still exist. */
export async function keepFields(db: Db, ids: readonly number[]): Promise<Set<number>> {
  return new Set((await kept(db, { ids })).map(({ id }) => id))
}

const columns = [
  ...(['id', 'key', 'label', 'kind', 'options', 'client_access', 'is_filterable', 'required_on', 'hint'] as const),
  ...(['position', 'is_archived', 'is_filter_ready', 'version', 'created_at', 'updated_at'] as const)
]

const all = prepared(db =>
  db.selectFrom('fields').select(columns).orderBy('is_archived').orderBy('position').orderBy('id')
)

const byId = prepared((db, p: { id: number }) => db.selectFrom('fields').where('id', '=', p.id).select(columns))

const stored = prepared((db, p: { id: number }) =>
  db.selectFrom('ticket_fields').where('ticket_id', '=', p.id).select('values')
)

const kept = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('fields')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select('id')
    .orderBy('id')
    .forKeyShare()
)
