import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface MacroTables {
  macros: MacroTable
  /** When each was used, for thirty days. */
  macro_uses: { id: Id; macro_id: number; at: Date }
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
  /** The departments in which it is offered, by their deptid; none: in all. */
  deptids: Generated<number[]>
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
}
export type MacroRow = Selectable<MacroTable>
