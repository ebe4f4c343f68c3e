import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { InvalidFields } from '../../../kit/errors.ts'
import { Id, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { hasRule, lacking, proposedRule, proposedRuleFields } from '../../../tickets/rules/proposed-rule.ts'
import { followsMail } from '../../../tickets/rules/rule-definition.ts'
import { RuleNotFound } from '../../../tickets/rules/rules.ts'
import { TrialView, trialView } from '../../../tickets/rules/trial-schemas.ts'
import { ticketToTry, tryOnLast, tryOnTicket } from '../../../tickets/rules/try-rule.ts'
import { withTickets } from '../../../tickets/rules/with-tickets.ts'
import { TicketMerged } from '../../../tickets/ticket/locked-ticket.ts'
import { TicketNumber, TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { LoggedMailNotFound } from '../logged-mail-detail.ts'
import { tryOnMails } from '../try-on-mails.ts'

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
    last: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, examples: [500] })),
    mail_id: Type.Optional({ ...Id(88_120), description: 'Of a rule about e-mails that arrive: one of the mail log.' })
  }),
  data: Type.Object({
    judged_by: OneOf(['ticket_as_it_is_now'] as const),
    results: Type.Array(
      Type.Object({
        ...TrialView.properties,
        ticket_number: Nullable(TicketNumber),
        subject: OutputText('It does not start')
      })
    )
  }),
  errors: [RuleNotFound, TicketNotFound, TicketMerged, LoggedMailNotFound],
  async handle({ body: { ticket_id: ref, last, mail_id: mail, ...proposal }, actor, services, disconnected }) {
    const on = Object.entries({ ticket_id: ref, last, mail_id: mail }).flatMap(([name, given]) =>
      given === undefined ? [] : [name]
    )
    if (on.length === 0) throw lacking([...(hasRule(proposal) ? [] : ['rule_id']), 'ticket_id'])
    if (on.length > 1) throw InvalidFields({ message: `Give one of these: ${on.join(', ')}`, errors: on })
    const rule = await proposedRule(services.db, proposal)
    const trials = followsMail(rule.trigger)
      ? await tryOnMails(services, actor, rule, { last, mail })
      : mail !== undefined
        ? throwNotOfMail()
        : ref === undefined
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

function throwNotOfMail(): never {
  throw InvalidFields({ message: 'mail_id is for rules that follow mail.received', errors: ['mail_id'] })
}
