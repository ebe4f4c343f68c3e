import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { NamedThing } from '../../core/definitions/uses.ts'
import type { FormItem } from '../../core/tables/ticket-forms.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { allFields, type Field } from '../fields/fields.ts'
import type { TicketForm } from './forms.ts'

interface GivenItem {
  field_id: number
  required?: 0 | 1
  show_if?: FormItem['show_if']
}

/** What an admin says of a form. */
export interface FormChanges {
  name?: string
  deptids?: readonly number[]
  items?: readonly GivenItem[]
  is_default?: 0 | 1
}

export type FormDefinition = Pick<TicketForm, 'name' | 'deptids' | 'items' | 'is_default'>

export const blankForm: FormDefinition = { name: '', deptids: [], items: [], is_default: false }

/** What changes make of a form. Lists are replaced whole. Throws `InvalidFields` with the place of each fault. */
export async function definitionWith(
  db: Db,
  former: FormDefinition,
  { name, deptids, items, is_default }: FormChanges
): Promise<FormDefinition> {
  const wanted = {
    name: name ?? former.name,
    deptids: deptids ? await existingDepartments(db, deptids) : former.deptids,
    is_default: is_default === undefined ? former.is_default : is_default === 1
  }
  if (!items) return { ...wanted, items: former.items }
  const fields = new Map((await allFields(db)).map(field => [field.id, field]))
  return { ...wanted, items: items.map(item => itemWith(item, former.items, fields)) }
}

function itemWith({ field_id, required, show_if = null }: GivenItem, former: FormItem[], fields: Map<number, Field>) {
  const same = former.find(item => item.field_id === field_id)
  const begun = same?.required ?? (fields.get(field_id)?.required_on === 'open' ? 1 : 0)
  return { field_id, required: required ?? begun, show_if }
}

/**
 * Refuses what no form may say: a field that does not exist, an archived field that was not there before, a field twice, and a
 * condition that does not look at an earlier field with such values. Throws `InvalidFields`.
 */
export async function checkForm(
  db: Db,
  { items }: Pick<FormDefinition, 'items'>,
  former: FormDefinition = blankForm
): Promise<void> {
  const fields = new Map((await allFields(db)).map(field => [field.id, field]))
  const had = new Set(former.items.map(({ field_id }) => field_id))
  for (const [at, { field_id: id, show_if }] of items.entries()) {
    const field = fields.get(id)
    const place = `items.${at}.field_id`
    if (!field) throw wrong(place, `there is no field ${id}`)
    if (field.is_archived && !had.has(id)) throw wrong(place, `the field “${field.label}” is archived`)
    const earlier = items.slice(0, at).map(({ field_id }) => field_id)
    if (earlier.includes(id)) throw wrong(place, `the field “${field.label}” is in the form already`)
    if (!show_if) continue
    const control = earlier.includes(show_if.field_id) ? fields.get(show_if.field_id) : undefined
    if (!control) throw wrong(`items.${at}.show_if.field_id`, 'a condition looks at an earlier field of the form')
    checkValues(control, show_if.in, `items.${at}.show_if`)
  }
}

function checkValues({ label, kind, options }: Field, values: readonly number[], at: string): void {
  const possible = kind === 'checkbox' ? [0, 1] : options.map(({ id }) => id)
  if (possible.length === 0) throw wrong(`${at}.field_id`, `a condition cannot look at “${label}”: it is no select`)
  const unknown = values.find(value => !possible.includes(value))
  if (unknown !== undefined) throw wrong(`${at}.in`, `“${label}” has no option ${unknown}`)
}

/** These departments, each once and in their order, locked against deletion until the transaction ends. Throws `InvalidFields`. */
export async function existingDepartments(db: Db, deptids: readonly number[]): Promise<number[]> {
  const known = new Set((await departmentsWith(db, { deptids })).map(({ deptid }) => deptid))
  const unknown = deptids.find(deptid => !known.has(deptid))
  if (unknown !== undefined) throw wrong('deptids', `there is no department ${unknown}`)
  return [...known].toSorted((one, other) => one - other)
}

/** The departments that a definition is for, for `definition_uses`. */
export function usesOfDepartments(deptids: readonly number[]): NamedThing[] {
  return deptids.map((id, at) => ({ kind: 'department', id, where: `deptids.${at}` }))
}

/** What a form names. */
export function usesOfForm({ deptids, items }: FormDefinition): NamedThing[] {
  return [
    ...usesOfDepartments(deptids),
    ...items.flatMap(({ field_id, show_if }, at) => [
      { kind: 'field' as const, id: field_id, where: `items.${at}` },
      ...(show_if ? [{ kind: 'field' as const, id: show_if.field_id, where: `items.${at}.show_if` }] : [])
    ])
  ]
}

function wrong(at: string, fault: string) {
  return InvalidFields({ message: `${at}: ${fault}`, errors: [at] })
}

const departmentsWith = prepared((db, p: { deptids: readonly number[] }) =>
  db
    .selectFrom('departments')
    .where('deptid', '=', sql<number>`any(${p.deptids}::bigint[])`)
    .select('deptid')
    .orderBy('id')
    .forKeyShare()
)
