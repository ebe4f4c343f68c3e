import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type { Id } from './columns.ts'

export interface TicketFormTables {
  ticket_forms: TicketFormTable
}

/** A field that a form asks. */
export interface FormItem {
  field_id: number
  /** On opening. */
  required: 0 | 1
  /** It is shown if an earlier field has one of these: ids of options, of a checkbox 0 or 1. */
  show_if: { field_id: number; in: number[] } | null
}

interface TicketFormTable {
  id: Id
  name: string
  /** Departments by their deptid; each has one form that is not archived. */
  deptids: ColumnType<number[], readonly number[], readonly number[]>
  items: JSONColumnType<FormItem[], string, string>
  /** It is for all departments that have no form of their own. */
  is_default: boolean
  is_archived: Generated<boolean>
  version: Generated<number>
  created_at: Date
  updated_at: Date
}
export type TicketFormRow = Selectable<TicketFormTable>
