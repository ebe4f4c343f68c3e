import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Id } from './columns.ts'

export interface FieldTables {
  fields: FieldTable
  deleted_fields: DeletedFieldTable
  ticket_fields: TicketFieldTable
}

export const fieldKinds = ['text', 'long_text', 'number', 'date', 'checkbox', 'select', 'multi_select'] as const
export type FieldKind = (typeof fieldKinds)[number]

export const fieldAccesses = ['none', 'read', 'write'] as const
export type FieldAccess = (typeof fieldAccesses)[number]

export const fieldRequirements = ['open', 'close', 'never'] as const
export type FieldRequirement = (typeof fieldRequirements)[number]

export interface FieldOption {
  id: number
  label: string
  is_archived: boolean
}

interface FieldTable {
  id: Id
  /** The name in the API, which never changes. */
  key: string
  label: string
  kind: FieldKind
  /** Of selects; ids are never used again. */
  options: ColumnType<FieldOption[], string, string>
  /** Whether clients know of it. */
  client_access: FieldAccess
  is_filterable: boolean
  /** Whether the index by which lists are filtered is there. */
  is_filter_ready: Generated<boolean>
  required_on: FieldRequirement
  hint: string
  position: number
  is_archived: Generated<boolean>
  version: Generated<number>
  created_at: Date
  updated_at: Date
}
export type FieldRow = Selectable<FieldTable>

interface DeletedFieldTable {
  field_id: number
  key: string
  deleted_at: Date
  /** Whether no ticket has a value of it any more. */
  is_cleared: Generated<boolean>
}

/** A date is a text; an option its id. */
export type FieldValue = string | number | boolean | number[]

/** By field: `f12`. */
export type FieldValues = Record<string, FieldValue>

interface TicketFieldTable {
  ticket_id: number
  values: ColumnType<FieldValues, string, string>
}
