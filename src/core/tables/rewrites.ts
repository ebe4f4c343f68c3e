import type { Generated } from 'kysely'

export interface RewriteTables {
  rewrites: RewriteTable
}

/** The progress of rewriting a table batch by batch, in the order of its ids. */
interface RewriteTable {
  name: string
  done_to: Generated<number>
  up_to: number
  rows_changed: Generated<number>
  worked_at: Date | null
  finished_at: Date | null
}
