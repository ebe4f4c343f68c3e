import type { SteppingReader } from '../../core/events/follow-log.ts'
import { ruleCompiler } from './compiled-rules.ts'
import { candidates, followEvent } from './follow-event.ts'
import type { RuleServices } from './run-rule.ts'
import { movesTimer, moveTimers } from './timers.ts'

/** Follows the log and runs the rules, after the commit of what set them off (R2). Each event is judged once, in a transaction of its own. */
export function ruleReader(services: RuleServices): SteppingReader {
  const compiledRules = ruleCompiler()
  return {
    name: 'rules',
    async *steps(db, events) {
      const rules = await compiledRules(db)
      const last = events.at(-1)?.id
      for (const event of events) {
        const following = candidates(rules.following(event.kind), event)
        const timers = rules.timers.filter(({ trigger }) => movesTimer(trigger.timer, event))
        if (following.length > 0 || timers.length > 0) {
          yield {
            upTo: event.id,
            async run(db) {
              if (following.length > 0) await followEvent(services, db, event, following)
              if (timers.length > 0) await moveTimers(db, event, timers)
            }
          }
        } else if (event.id === last) {
          yield { upTo: event.id, run: async () => {} }
        }
      }
    }
  }
}
