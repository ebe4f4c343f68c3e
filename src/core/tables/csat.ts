import type { Id } from './columns.ts'

export interface CsatTables {
  csat_surveys: CsatSurveyTable
}

export const ratings = ['good', 'bad'] as const
export type Rating = (typeof ratings)[number]

/** Why a client was not asked how satisfied they are. `rated`: they had said so already; `auto_replies`: a program has answered for them. */
export const voidedReasons = [
  ...(['reopened', 'trash', 'merged', 'disabled', 'department', 'no_reply'] as const),
  ...(['opted_out', 'auto_replies', 'unreachable', 'recent', 'rated'] as const)
] as const
export type VoidedReason = (typeof voidedReasons)[number]

interface CsatSurveyTable {
  id: Id
  ticket_id: number
  /** The event with which the ticket was closed, by its place in the log. */
  closing_event_id: number
  closed_at: Date
  /** When it is decided whether to ask; null: it was. */
  due_at: Date | null
  token_digest: string | null
  sent_at: Date | null
  voided_reason: VoidedReason | null
  rating: Rating | null
  comment: string | null
  rated_at: Date | null
  changed_at: Date | null
  /** The last person who replied before the closing. */
  credited_staff_id: number | null
}
