import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface MacroTables {
  macros: MacroTable
}

/** A macro; one without actions is a canned reply. */
interface MacroTable {
  id: Id
  /** Whose it is; null: shared. */
  staff_id: number | null
  name: string
  reply_text: Generated<string>
  /** As they are stored: see `stored-actions.ts`. */
  actions: JSONColumnType<object[], string | undefined, string>
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
}
export type MacroRow = Selectable<MacroTable>
