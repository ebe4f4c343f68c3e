import type { Generated } from 'kysely'

export interface SearchTables {
  search_state: { only_row: Generated<boolean>; language: string }
  ticket_words: { ticket_id: number; words: string; label: string }
  client_words: { client_id: number; words: string; label: string }
}
