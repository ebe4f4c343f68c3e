import type { CreatedAt, Id } from './columns.ts'
import type { Authentication } from './mails.ts'

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
  /** How sure it was who had written the mail by which they came; null where staff have added them. */
  sender_verdict: Authentication['verdict'] | null
  ended_by: FollowerParty | null
  ended_at: Date | null
  created_at: CreatedAt
}
