import type { CreatedAt, Id } from './columns.ts'
import type { Authentication } from './mails.ts'

export interface FollowerTables {
  ticket_followers: TicketFollowerTable
}

/** At whose request a follower was added or removed. */
export type FollowerParty = 'client' | 'follower' | 'staff'

/** Somebody beside the client who gets the replies of a ticket by e-mail. */
interface TicketFollowerTable {
  id: Id
  ticket_id: number
  email: string
  name: string
  added_by: FollowerParty
  /** The authentication verdict of the e-mail that added them; null if staff did. */
  sender_verdict: Authentication['verdict'] | null
  /** The address of the ticket's client when an e-mail added them, in lower case; null if staff did. */
  client_email: string | null
  ended_by: FollowerParty | null
  ended_at: Date | null
  created_at: CreatedAt
}
