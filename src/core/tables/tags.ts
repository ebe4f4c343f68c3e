import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface TagTables {
  tags: TagTable
  ticket_tags: { ticket_id: number; tag_id: number }
}

interface TagTable {
  id: Id
  name: string
  color: Generated<string>
  created_at: CreatedAt
  version: GeneratedAlways<number>
}
export type TagRow = Selectable<TagTable>
