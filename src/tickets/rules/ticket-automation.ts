import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { listedRuns } from './rule-runs.ts'
import { allRules } from './rules.ts'
import { runView } from './run-schemas.ts'

const shownRuns = 100

/** What rules did on a ticket that the actor sees, the newest first, and the timers that wait for it. Throws `TicketNotFound`. */
export async function automationOf(db: Db, actor: StaffActor, ref: TicketRef) {
  const ticket = await visibleTicketNow(db, readerVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  const { runs } = await listedRuns(db, { ticket_id: ticket.id }, { limit: shownRuns })
  const timers = await waitingTimers(db, { ticket: ticket.id })
  const rules = runs.length + timers.length === 0 ? [] : await allRules(db)
  const names = new Map(rules.map(({ id, name }) => [id, name]))
  return {
    // A deleted rule takes its runs along.
    runs: runs.map(run => ({ ...runView(run), rule_name: names.get(run.rule_id)! })),
    timers: timers.map(({ rule_id, due_at }) => ({
      ...{ rule_id, rule_name: names.get(rule_id)! },
      due_at: due_at.toISOString()
    }))
  }
}

const waitingTimers = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('rule_timers')
    .innerJoin('rules', 'rules.id', 'rule_timers.rule_id')
    .where('rule_timers.ticket_id', '=', p.ticket)
    .where('rules.is_active', '=', true)
    .select(['rule_timers.rule_id', 'rule_timers.due_at'])
    .orderBy('rule_timers.due_at')
    .orderBy('rules.id')
)
