import type { Generated } from 'kysely'

export interface SnoozeTables {
  snoozes: SnoozeTable
}

/** For whom a snoozed ticket waits. */
export type SnoozeKind = 'own' | 'third_party' | 'customer'

/** A ticket that is put off, or one that is back and has not been looked at. */
interface SnoozeTable {
  ticket_id: number
  /** Null: until the client writes. */
  until: Date | null
  until_reply: boolean
  kind: SnoozeKind
  reason: string
  /** Who snoozed it; null if the system did, or they have been deleted. */
  staff_id: number | null
  created_at: Date
  /** When its time came. Null: it is snoozed. */
  woken_at: Generated<Date | null>
}
