import type { CreatedAt, Id } from './columns.ts'

export interface FollowerTables {
  ticket_followers: TicketFollowerTable
}

/** On whose word somebody follows a ticket, or does no longer. */
export type FollowerParty = 'client' | 'follower' | 'staff'

/** Somebody beside the client who gets the answers of a ticket by e-mail. */
interface TicketFollowerTable {
  id: Id
  ticket_id: number
  email: string
  name: string
  added_by: FollowerParty
  ended_by: FollowerParty | null
  ended_at: Date | null
  created_at: CreatedAt
}
