import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { type DueWork, dueBatch } from '../../core/clock/due-work.ts'
import { prepared } from '../../core/db.ts'
import type { SnoozeFacts } from './end-snooze.ts'

/** Tickets whose snooze is over wake: the longest due first. */
export function dueSnoozes(services: ActServices): DueWork {
  return {
    name: 'snoozes',
    async nextDueAt() {
      const [next] = await nextWake(services.db, {})
      return next?.until ?? null
    },
    runDue: due => wakeTickets(services, due)
  }
}

/**
 * Wakes tickets whose time has come, at most `dueBatch` in one transaction, and returns how many. The time of waking stays in the row until the
 * ticket has been looked at; the ticket itself is left as it is.
 */
async function wakeTickets(services: ActServices, due: Date): Promise<number> {
  return await act(services, system, async act => {
    const woken = await wakeSome(act.db, { due, now: act.now })
    for (const { ticket_id: ticket, until, ...snooze } of woken) {
      const before: SnoozeFacts = { ...snooze, until: until!.toISOString() }
      // The audit log tells what people do.
      act.happened({ kind: 'ticket.woken', ticket, before, after: { cause: 'time' }, logged: false })
    }
    return woken.length
  })
}

const nextWake = prepared(db =>
  db
    .selectFrom('snoozes')
    .where('woken_at', 'is', null)
    .where('until', 'is not', null)
    .select('until')
    .orderBy('until')
    .limit(1)
)

const wakeSome = prepared((db, p: { due: Date; now: Date }) =>
  db
    .with('due', db =>
      db
        .selectFrom('snoozes')
        .where('woken_at', 'is', null)
        .where('until', '<=', p.due)
        .select('ticket_id')
        .orderBy('until')
        .orderBy('ticket_id')
        .limit(sql.lit(dueBatch))
        .forNoKeyUpdate()
        .skipLocked()
    )
    .with('woken', db =>
      db
        .updateTable('snoozes')
        .from('due')
        .whereRef('snoozes.ticket_id', '=', 'due.ticket_id')
        .set({ woken_at: p.now })
        .returning(['snoozes.ticket_id', 'until', 'until_reply', 'kind', 'reason', 'staff_id'])
    )
    .selectFrom('woken')
    .select(['ticket_id', 'until', 'until_reply', 'kind', 'reason', 'staff_id'])
    .orderBy('until')
    .orderBy('ticket_id')
)
