import type { DeskEvent } from '../../core/events/event.ts'
import type { SteppingReader } from '../../core/events/follow-log.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { ruleCompiler } from './compiled-rules.ts'
import { candidates, fitsNone, followEvent } from './follow-event.ts'
import type { RuleServices } from './run-rule.ts'
import { moveDays, movesTimer, moveTimers } from './timers.ts'

/** Follows the log and runs the rules, after the commit of what set them off (R2). Each event is judged once, in a transaction of its own. */
export function ruleReader(services: RuleServices): SteppingReader {
  const compiledRules = ruleCompiler()
  return {
    name: 'rules',
    async *steps(db, events) {
      const rules = await compiledRules(db)
      const last = events.at(-1)?.id
      const followed = events.map(event => candidates(rules.following(event.kind), event))
      const tickets = events.flatMap(({ ticket_id }, at) => (followed[at]!.length > 0 ? [ticket_id!] : []))
      // Read once for many events: most of them fit no rule, and need no lock.
      const facts = await ticketFacts(db, [...new Set(tickets)])
      for (const [at, event] of events.entries()) {
        const ofTicket = facts.get(event.ticket_id ?? 0)
        const following =
          ofTicket && fitsNone(followed[at]!, event, ofTicket, services.clock.now()) ? [] : followed[at]!
        const timers = isImported(event) ? [] : rules.timers.filter(({ trigger }) => movesTimer(trigger.timer, event))
        const days = movesDays(event) ? rules.timers.filter(({ trigger }) => trigger.timer.basis === 'date_field') : []
        if (following.length + timers.length + days.length > 0) {
          yield {
            upTo: event.id,
            async run(db) {
              // What the rules do here, later events of the batch are to see.
              facts.delete(event.ticket_id ?? 0)
              if (following.length > 0) await followEvent(services, db, event, following)
              if (timers.length > 0) await moveTimers(db, event, timers)
              for (const rule of days) await moveDays(db, rule)
            }
          }
        } else if (event.id === last) {
          yield { upTo: event.id, run: async () => {} }
        }
      }
    }
  }
}

/** R12 */
function isImported({ cause }: DeskEvent): boolean {
  return cause?.import_id !== undefined
}

/** Days begin at other instants in another time zone. */
function movesDays(event: DeskEvent): boolean {
  return event.kind === 'setting.changed' && Object.hasOwn(event.after, 'time_zone')
}
