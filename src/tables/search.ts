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
    /** Of messages: behind which id words are stored; null as long as all are. */
    forgotten_id: number | null
    /** From then on words may be forgotten: no process asks the table of words itself. */
    forgets_at: Generated<Date>
  }
  ticket_words: { ticket_id: number; words: string; label: string }
  /** The words of the newest messages and of long ones; those of others are made from the text: `search_words_of_message`. */
  message_words: { message_id: number; words: string }
  /** What the search knows; indexed by words that are not stored here. */
  searched_messages: { message_id: number }
  note_words: { note_id: number; words: string }
  client_words: { client_id: number; words: string; label: string }
}
