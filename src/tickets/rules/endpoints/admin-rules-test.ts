import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { InvalidFields } from '../../../kit/errors.ts'
import { OneOf, OutputText } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { hasRule, lacking, proposedRule, proposedRuleFields } from '../proposed-rule.ts'
import { RuleNotFound } from '../rules.ts'
import { TrialView, trialView } from '../trial-schemas.ts'
import { ticketToTry, tryOnLast, tryOnTicket } from '../try-rule.ts'
import { withTickets } from '../with-tickets.ts'

/**
 * What a rule would do, saved or not: to one ticket, or to those of the last events that it follows, the newest first (of the log's newest 20,000; a rule
 * with a timer: to the newest tickets). All are judged as they are now, also where the event is older, and long texts of `last` are cut. Nothing is
 * written and nothing is sent.
 */
export const testRule = endpoint({
  path: '/api/admin/rules/test',
  summary: 'Show what a rule would do, without doing it',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    ...proposedRuleFields,
    ticket_id: Type.Optional(TicketRef),
    last: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, examples: [500] }))
  }),
  data: Type.Object({
    judged_by: OneOf(['ticket_as_it_is_now'] as const),
    results: Type.Array(
      Type.Object({ ...TrialView.properties, ticket_number: TicketNumber, subject: OutputText('It does not start') })
    )
  }),
  errors: [RuleNotFound, TicketNotFound, TicketMerged],
  async handle({ body: { ticket_id: ref, last, ...proposal }, actor, services, disconnected }) {
    const isOnNone = ref === undefined && last === undefined
    if (isOnNone) throw lacking([...(hasRule(proposal) ? [] : ['rule_id']), 'ticket_id'])
    if (ref !== undefined && last !== undefined) {
      throw InvalidFields({ message: 'Give ticket_id or last, not both', errors: ['ticket_id', 'last'] })
    }
    const rule = await proposedRule(services.db, proposal)
    const trials =
      ref === undefined
        ? await tryOnLast(services, rule, last!, disconnected())
        : await tryOnTicket(services, rule, await ticketToTry(services.db, actor, ref))
    return {
      message: 'Judged by the tickets as they are now',
      data: {
        judged_by: 'ticket_as_it_is_now' as const,
        results: await withTickets(services.db, trials.map(trialView))
      }
    }
  }
})
