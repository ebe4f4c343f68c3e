import type { Generated } from 'kysely'

export interface SearchTables {
  search_state: { only_row: Generated<boolean>; language: string }
  /** How far the reader has come that makes words; by table. Multiranges and transaction ids as text. */
  search_places: {
    name: string
    seen_id: number
    gaps: string
    old_gaps: string
    turned_at: Date
    turned_xid: string | null
  }
  ticket_words: { ticket_id: number; words: string; label: string }
  message_words: { message_id: number; words: string }
  note_words: { note_id: number; words: string }
  client_words: { client_id: number; words: string; label: string }
}
