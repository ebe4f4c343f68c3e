import type { Population } from './columns.ts'

export interface LiveTables {
  stream_processes: { id: string; seen_at: Date }
  event_streams: { id: string; process_id: string; population: Population; account_id: number }
  presences: PresenceTable
}

interface PresenceTable {
  /** One of the two. */
  ticket_id: number | null
  article_id: number | null
  staff_id: number
  state: 'viewing' | 'replying' | 'writing'
  since: Date
  said_at: Date
}
