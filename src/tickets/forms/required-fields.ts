import type { Db } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { allFields, type Field, slotOf, valuesOf } from '../fields/fields.ts'
import { type GivenValues, judgeValues, refuseFaults } from '../fields/judge-values.ts'
import { formOfDepartment, formOfTicket } from './forms.ts'
import { missingItems, shownItems } from './judge-form.ts'
import { itemsForClients } from './shown-form.ts'

export const FieldsRequired = failure(400, 'fields_required', 'Fields are required that have no value')

/**
 * F2, F3: what of a client's values is stored when they open a ticket in a department: none of a field that its form hides. What a later change of
 * the form hides stays where it is set, as archived fields and options do (F5, F7): changing a form changes no ticket. Throws `InvalidFields`, and `FieldsRequired` with `fields.KEY` if a required field that is shown has none.
 */
export async function valuesForForm(db: Db, deptid: number, given: GivenValues): Promise<GivenValues> {
  const { items: all } = (await formOfDepartment(db, deptid)) ?? { items: [] }
  if (all.length === 0 && Object.keys(given).length === 0) return given
  const fields = await writableFields(db)
  const byId = new Map(fields.map(field => [field.id, field]))
  const { judged, faults } = judgeValues(fields, given)
  const values = new Map(judged.map(({ field, value }) => [field.id, value]))
  const valueIn = (id: number) => values.get(id)
  const items = itemsForClients(all, byId)
  const shown = new Set(shownItems(items, valueIn).map(({ field_id }) => field_id))
  const inForm = new Set(all.map(({ field_id }) => field_id))
  // An archived field is hidden too, but whoever sends it is told.
  const hidden = new Set(
    fields.filter(({ id, is_archived }) => inForm.has(id) && !shown.has(id) && !is_archived).map(({ key }) => key)
  )

  refuseFaults(faults.filter(({ key }) => !hidden.has(key)))
  const missing = missingItems(items, valueIn, ({ required }) => required === 1)
  refuseMissing(missing.map(({ field_id }) => byId.get(field_id)!))
  return Object.fromEntries(Object.entries(given).filter(([key]) => !hidden.has(key)))
}

/** F3: of what a client changes in a ticket later, what its form shows with the values that it then has. Throws nothing: wrong values are for whoever sets them. */
export async function shownValues(db: Db, ticketId: number, given: GivenValues): Promise<GivenValues> {
  const form = await formOfTicket(db, ticketId)
  if (!form) return given
  const fields = await writableFields(db)
  const byId = new Map(fields.map(field => [field.id, field]))
  const had = await valuesOf(db, ticketId)
  const values = new Map(judgeValues(fields, given, had).judged.map(({ field, value }) => [field.id, value]))
  const items = itemsForClients(form.items, byId)
  const shown = shownItems(items, id => (values.has(id) ? values.get(id) : had[slotOf({ id })]))
  const hidden = new Set(items.filter(item => !shown.includes(item)).map(({ field_id }) => byId.get(field_id)!.key))
  return Object.fromEntries(Object.entries(given).filter(([key]) => !hidden.has(key)))
}

/** Those of a client's earlier answers that can still be stored. */
export async function fittingValues(db: Db, given: GivenValues): Promise<GivenValues> {
  const { judged } = judgeValues(await writableFields(db), given)
  return Object.fromEntries(judged.map(({ field, value }) => [field.key, value]))
}

/** The fields that clients may write. */
async function writableFields(db: Db): Promise<Field[]> {
  return (await allFields(db)).filter(({ client_access }) => client_access === 'write')
}

/**
 * F2: refuses to close a ticket without the fields that closing needs, as far as the form of its department has and shows them. Staff alone are
 * refused. Throws `FieldsRequired` with `fields.KEY`.
 */
export async function requireFieldsToClose(db: Db, ticketId: number): Promise<void> {
  const form = await formOfTicket(db, ticketId)
  if (!form) return
  const fields = new Map((await allFields(db)).map(field => [field.id, field]))
  // F5: an archived field is hidden in forms, and with it what depends on it.
  const items = form.items.filter(({ field_id }) => fields.get(field_id)?.is_archived === false)
  const values = await valuesOf(db, ticketId)
  const missing = missingItems(
    items,
    id => values[slotOf({ id })],
    ({ field_id }) => fields.get(field_id)!.required_on === 'close'
  )
  refuseMissing(missing.map(({ field_id }) => fields.get(field_id)!))
}

function refuseMissing(fields: readonly Field[]): void {
  if (fields.length === 0) return
  throw FieldsRequired({
    message: `Please fill in: ${fields.map(({ label }) => label).join(', ')}`,
    errors: fields.map(({ key }) => `fields.${key}`)
  })
}
