import type { Generated } from 'kysely'

export interface SearchTables {
  search_state: { only_row: Generated<boolean>; language: string }
  /** The progress of the indexer that extracts words, by table. Multiranges and transaction ids are text. */
  search_places: {
    name: string
    seen_id: number
    gaps: string
    old_gaps: string
    turned_at: Date
    turned_xid: string | null
    /** For messages: the id after which words are stored; null while all are. */
    forgotten_id: number | null
    /** From then on words may be deleted: no process queries the table of words directly any more. */
    forgets_at: Generated<Date>
  }
  ticket_words: { ticket_id: number; words: string; label: string }
  /** The words of the newest messages and of long ones; others are computed from the text by `search_words_of_message`. */
  message_words: { message_id: number; words: string }
  /** The messages that search knows; indexed by words that are not stored here. */
  searched_messages: { message_id: number }
  note_words: { note_id: number; words: string }
  client_words: { client_id: number; words: string; label: string }
}
