import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import type { Change } from '../ticket/change-ticket.ts'
import { lockedUnmerged } from '../ticket/locked-ticket.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { rulesWithIds } from './rules.ts'

export const TimerNotFound = failure(404, 'timer_not_found', 'No timer of this rule waits for the ticket')

/**
 * Takes the timer of a rule off a ticket: what it waits for will not happen at that instant, nor when the rule is changed. Only what begins anew, such
 * as another status, sets it again. Throws `TicketNotFound`, `TicketMerged`, `TimerNotFound`.
 */
export async function removeTimer(
  services: ActServices,
  change: Omit<Change<StaffActor>, 'expectedVersion'>,
  rule: number
): Promise<number> {
  const { actor, caller, ref } = change
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const { id: ticket } = await lockedUnmerged(db, actor, deskVisibility(actor), ref, undefined)
    const removed = await remove(db, { ticket, rule })
    const [found] = removed.length > 0 ? await rulesWithIds(db, [rule]) : []
    if (!found) throw TimerNotFound()
    const due_at = removed[0]!.due_at.toISOString()
    act.happened({ kind: 'ticket.timer_removed', ticket, before: { rule_id: rule, rule_name: found.name, due_at } })
    return ticket
  })
}

/** As if it had fired, so that its instant is over. */
const remove = prepared((db, p: { ticket: number; rule: number }) =>
  db
    .with('removed', db =>
      db
        .deleteFrom('rule_timers')
        .where('ticket_id', '=', p.ticket)
        .where('rule_id', '=', p.rule)
        .returning(['rule_id', 'ticket_id', 'due_at'])
    )
    .with('over', db =>
      db
        .insertInto('rule_timers_fired')
        .columns(['rule_id', 'ticket_id', 'due_at'])
        .expression(db => db.selectFrom('removed').select(['rule_id', 'ticket_id', 'due_at']).distinct())
        .onConflict(conflict => conflict.doNothing())
    )
    .selectFrom('removed')
    .select('due_at')
)
