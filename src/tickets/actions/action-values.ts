import type { SnoozeKind } from '../../core/tables/snoozes.ts'
import type { TicketPriority, TicketStatus } from '../../core/tables/tickets.ts'
import type { TagRef } from '../ticket/desk-schemas.ts'

/** What each action is given. Departments are named by their deptid; tags by name in requests, and by id where they are stored. */
export interface ActionValues {
  set_status: TicketStatus
  set_priority: TicketPriority
  move_to: number
  /** A member of staff, nobody, or whoever of a department is next in turn. */
  assign: number | null | { round_robin: number }
  add_tags: readonly TagRef[]
  remove_tags: readonly TagRef[]
  /** A field by its key in requests, and by id where it is stored. The value as it is sent. */
  set_field: { key: string | number; value: unknown }
  note: string
  /** `calendar_id`: the calendar of which the text tells the next opening; without it the default one. */
  email_client: { subject: string; text: string; calendar_id?: number | undefined }
  notify_staff: { who: 'assignee' | 'watchers' | 'department' | number; text: string }
  /** Minutes of a calendar's open time, or of all time without one. */
  snooze: { minutes: number; calendar_id?: number | null | undefined; kind?: SnoozeKind | undefined }
  /** A member of staff. */
  watch: number
  webhook: number
  /** The subject of the new ticket. */
  split_off: { subject: string }
  /** Done to an e-mail that arrives, not to a ticket. */
  hold: 1
  drop: 1
  no_acknowledgement: 1
  block_sender: 1
}

export type ActionKind = keyof ActionValues

/** One thing that a macro or a rule does to a ticket: the kind of action with what it is given. */
export type Action = { [K in ActionKind]: Record<K, ActionValues[K]> }[ActionKind]

/** These are done to an e-mail that arrives, by a rule that follows `mail.received` alone. */
export const mailActions: readonly ActionKind[] = ['hold', 'drop', 'no_acknowledgement', 'block_sender']

/** An action taken apart. `kind` tells the types of the value apart. */
export type ActionEntry = { [K in ActionKind]: { kind: K; value: ActionValues[K] } }[ActionKind]

export function entryOf(action: Action): ActionEntry {
  const [[kind, value]] = Object.entries(action) as [[ActionKind, unknown]]
  return { kind, value } as ActionEntry
}
