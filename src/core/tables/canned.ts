import type { GeneratedAlways, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface CannedReplyTables {
  canned_replies: CannedReplyTable
}

interface CannedReplyTable {
  id: Id
  staff_id: number | null
  title: string
  text: string
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
}
export type CannedReplyRow = Selectable<CannedReplyTable>
