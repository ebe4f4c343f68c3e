import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, IsoTime, OutputText } from '../../../kit/schemas.ts'
import { Count, TicketNumber } from '../../ticket/schemas.ts'
import { existingTickets, namedTickets } from '../existing-tickets.ts'
import { hasRule, lacking, proposedRule, proposedRuleFields } from '../proposed-rule.ts'
import { RuleNotFound } from '../rules.ts'

/**
 * Counts the tickets that a rule with a timer, saved or not, fits now and for which its time is over already. A rule takes them only if it is switched on
 * with `include_existing: 1` and this number as `expected_count`. A rule on events takes none.
 */
export const showRuleImpact = endpoint({
  path: '/api/admin/rules/impact',
  summary: 'Count the tickets for which the time of a rule is over already',
  access: 'admin',
  onlyReads: true,
  body: Type.Object(proposedRuleFields),
  data: Type.Object({
    already_due: Count,
    sample: Type.Array(
      Type.Object({ id: Id(), ticket_number: TicketNumber, subject: OutputText('The printer'), due_at: IsoTime() }),
      { maxItems: 20 }
    )
  }),
  errors: [RuleNotFound],
  async handle({ body, services: { db, clock }, disconnected }) {
    if (!hasRule(body)) throw lacking(['rule_id'])
    const rule = await proposedRule(db, body)
    const { count, sample } = await existingTickets(db, rule, clock.now(), disconnected())
    return { message: 'Impact of the rule', data: { already_due: count, sample: await namedTickets(db, sample) } }
  }
})
