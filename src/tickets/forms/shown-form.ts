import { type Static, Type } from 'typebox'
import type { Db } from '../../core/db.ts'
import type { FormItem } from '../../core/tables/ticket-forms.ts'
import { Flag, Id, Nullable, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { allFields, type Field } from '../fields/fields.ts'
import { ClientField, clientField } from '../fields/shown-fields.ts'
import { ShowIf } from './form-schemas.ts'
import { formOfDepartment } from './forms.ts'

export const AskedItem = Type.Object({
  field: ClientField,
  required: Flag(),
  show_if: Nullable(ShowIf),
  required_to_close: Type.Optional({ ...Flag(0), description: 'For staff: whether closing a ticket needs it.' })
})

/** A form as it is filled in. */
export const AskedForm = Type.Object({
  name: Type.Optional({ ...OutputText('Hardware'), description: 'For staff.' } as ReturnType<typeof OutputText>),
  id: Type.Optional({ ...Id(2), description: 'For staff.' }),
  items: Type.Array(AskedItem)
})

/** The form that is filled in for a department; null if there is none. Clients get the items that they may write. */
export async function askedForm(
  db: Db,
  deptid: number,
  reader: 'client' | 'staff'
): Promise<Static<typeof AskedForm> | null> {
  const form = await formOfDepartment(db, deptid)
  if (!form) return null
  const fields = new Map((await allFields(db)).map(field => [field.id, field]))
  if (reader === 'client') return { items: itemsForClients(form.items, fields).map(item => asked(item, fields)) }
  const items = form.items.filter(({ field_id }) => fields.get(field_id)?.is_archived === false)
  return {
    id: form.id,
    name: form.name,
    items: items.map(item => ({
      ...asked(item, fields),
      required_to_close: bit(fields.get(item.field_id)!.required_on === 'close')
    }))
  }
}

/** The items that clients may write. One that depends on a field that they may not write is never shown to them. */
export function itemsForClients(items: readonly FormItem[], fields: ReadonlyMap<number, Field>): FormItem[] {
  const kept = new Set<number>()
  return items.filter(({ field_id, show_if }) => {
    const field = fields.get(field_id)
    const isAsked = field?.client_access === 'write' && !field.is_archived && (!show_if || kept.has(show_if.field_id))
    if (isAsked) kept.add(field_id)
    return isAsked
  })
}

function asked({ field_id, required, show_if }: FormItem, fields: ReadonlyMap<number, Field>) {
  return { field: clientField(fields.get(field_id)!), required, show_if }
}
