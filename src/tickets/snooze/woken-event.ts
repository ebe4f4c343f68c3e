import { type Expression, type RawBuilder, sql } from 'kysely'
import type { EventKind } from '../../core/events/catalogue.ts'
import { actorValues, ofTicket, type TimelineEvent } from '../ticket/timeline.ts'
import type { WakeCause } from './end-snooze.ts'

/** When a statement ends the snooze of the row `ticket` that it has written, and why. */
interface Ending {
  if: RawBuilder<boolean>
  cause: RawBuilder<WakeCause>
}

/**
 * Within a statement that has written the row `ticket`: the event that its snooze has ended, if it was snoozed, before this other event, both in
 * the order of `eventColumns`. A ticket that is not snoozed costs one look into a table that is nearly empty, and no query of its own.
 */
export function afterWaking(p: TimelineEvent, ending: Ending, event: Expression<unknown>): RawBuilder<unknown> {
  const kind: EventKind = 'ticket.woken'
  const after = sql<string>`json_build_object('cause', ${ending.cause})`
  const audited = sql<string>`json_build_object('before', woken.snooze::jsonb - 'reason', 'after', ${after})`
  const columns = [
    ...ofTicket.map(column => sql.ref(column)),
    ...[sql.lit(kind), sql.ref('woken.snooze'), after],
    ...actorValues(p, audited)
  ]
  return sql`select ${sql.join(columns)} from ticket, wake_ticket(ticket.id) as woken (snooze) where ${ending.if}
    union all ${event}`
}
