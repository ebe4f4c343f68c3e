import { sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { EventOf } from '../../core/events/catalogue.ts'

/** A snooze, as events record it. */
export type SnoozeFacts = EventOf<'ticket.woken'>['before']
/** Why a snooze ended. */
export type WakeCause = EventOf<'ticket.woken'>['after']['cause']

/**
 * Ends the snooze of a locked ticket and records why; false if it is not snoozed. Call it before the event of what ends it is recorded: that
 * stays the last change of the ticket, which can be undone.
 */
export async function endSnooze(act: Act, ticket: number, cause: WakeCause, undoOf?: number): Promise<boolean> {
  const [ended] = await wake(act.db, { ticket })
  if (!ended) return false
  const before = ended.snooze
  const after = { cause, ...(undoOf && { by: 'undo' as const, undo_of: undoOf }) }
  act.happened({ kind: 'ticket.woken', ticket, before, after, logged: { before: withoutReason(before), after } })
  return true
}

/** A snooze for the audit log, which outlives the words of people. */
export function withoutReason({ reason: _, ...snooze }: SnoozeFacts): Omit<SnoozeFacts, 'reason'> {
  return snooze
}

const wake = prepared((_db, p: { ticket: number }) => {
  const query = sql<{ snooze: SnoozeFacts }>`select snooze from wake_ticket(${p.ticket}) as woken (snooze)`
  return { compile: () => query.compile(_db) }
})
