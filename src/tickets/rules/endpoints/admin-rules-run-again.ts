import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { runAgain as again, BudgetUsedUp, RuleStandsStill, RunNotFound, RunNotStopped } from '../run-again.ts'
import { RuleRunView, runView } from '../run-schemas.ts'

/**
 * Makes a run that a budget has stopped (`reason: "budget"`), once: by the rule as it is now, if it still fits the ticket. The rule has to be active and
 * not paused. The new run is answered; it is `no_match` if the ticket does not fit any more.
 */
export const runRuleAgain = endpoint({
  path: '/api/admin/rules/run-again',
  summary: 'Make a run that a budget has stopped',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ run_id: Id(12) }),
  data: Type.Object({ run: RuleRunView }),
  errors: [RunNotFound, RunNotStopped, RuleStandsStill, BudgetUsedUp, TicketNotFound, TicketMerged],
  async handle({ body, actor, caller, services }) {
    return { message: 'Run made again', data: { run: runView(await again(services, actor, caller, body.run_id)) } }
  }
})
