import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db } from '../../core/db.ts'
import type { FieldValue } from '../../core/tables/fields.ts'
import { Flag, Id, OneOf, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { FieldKinds, FieldValuesView } from './field-schemas.ts'
import { allFields, type Field, slotOf, valuesOf } from './fields.ts'

/** The values of a ticket that staff see, by key. */
export async function deskFields(db: Db, ticketId: number): Promise<Record<string, FieldValue>> {
  const values = await valuesOf(db, ticketId)
  return Object.keys(values).length === 0 ? {} : byKey(await allFields(db), values)
}

export const ClientOption = Type.Object({ id: Id(1), label: OutputText('Gold') })

/** A field as clients know it: nothing of what is for staff. */
export const ClientField = Type.Object({
  id: Id(12),
  key: OutputText('serial_number'),
  label: OutputText('Serial number'),
  kind: FieldKinds,
  options: Type.Array(ClientOption),
  hint: OutputText('It is on the back')
})

/** The same as a ticket shows it. */
export const TicketField = Type.Object({
  ...ClientField.properties,
  // Whether the client may change it.
  client_access: OneOf(['read', 'write'] as const),
  is_archived: Flag(0)
})

export const clientFieldsData = {
  fields: FieldValuesView,
  field_definitions: Type.Array(TicketField)
}
type ClientFields = Static<ReturnType<typeof Type.Object<typeof clientFieldsData>>>

/** Within a query: whether there are custom fields of which clients know. */
export const areFieldsForClients = sql<boolean>`exists (select from fields where client_access <> 'none')`

/** The values that the client of a ticket sees, and the fields that they may see or set: archived ones only with a value. */
export async function clientFields(db: Db, ticketId: number): Promise<ClientFields> {
  const fields = (await allFields(db)).filter(({ client_access }) => client_access !== 'none')
  const values = byKey(fields, await valuesOf(db, ticketId))
  const shown = fields.filter(({ key, is_archived }) => !is_archived || Object.hasOwn(values, key))
  return {
    fields: values,
    field_definitions: shown.map(field => ({
      ...clientField(field, values[field.key]),
      client_access: field.client_access as 'read' | 'write',
      is_archived: bit(field.is_archived)
    }))
  }
}

/** `value`: an archived option is shown where it is set. */
export function clientField(
  { id, key, label, kind, options, hint }: Field,
  value?: FieldValue
): Static<typeof ClientField> {
  const isSet = (option: number) => value === option || (Array.isArray(value) && value.includes(option))
  const shown = options.filter(option => !option.is_archived || isSet(option.id))
  return { id, key, label, kind, options: shown.map(({ id, label }) => ({ id, label })), hint }
}

function byKey(fields: readonly Field[], values: Record<string, FieldValue>): Record<string, FieldValue> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = values[slotOf(field)]
      return value === undefined ? [] : [[field.key, value]]
    })
  )
}
