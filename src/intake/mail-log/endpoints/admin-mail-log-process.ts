import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { outcomesIn } from '../../../core/tables/mail-log.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { BooleanInput, Flag, Id, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { TicketNumber } from '../../../tickets/ticket/schemas.ts'
import { LoggedMailNotFound } from '../logged-mail-detail.ts'
import { NotProcessable, processAgain, RawMailGone } from '../process-again.ts'

/**
 * Decides once more on an e-mail that came in, by the settings, rules and tickets of now; with `dry_run` it only says what would become of it. An e-mail
 * that is in a ticket stays there: `is_settled` of a dry run, 409 otherwise.
 */
export const processLoggedMail = endpoint({
  path: '/api/admin/mail/log/process',
  aliases: ['/api/admin/mail/log/:id/process'],
  summary: 'Process an e-mail that came in again, or say what would become of it',
  access: { anyOf: ['tickets.edit_status'] },
  about: {},
  body: Type.Object({ id: Id(), dry_run: Type.Optional(BooleanInput(1)) }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({
    id: Id(),
    dry_run: Flag(0),
    outcome: OneOf(outcomesIn, 'reply'),
    reason: Nullable(OutputText('unknown_sender')),
    // Of a dry run, only a ticket that is there already.
    ticket_id: Nullable(Id(104_233)),
    ticket_number: Nullable(TicketNumber),
    is_settled: Flag(0)
  }),
  errors: [LoggedMailNotFound, NotProcessable, RawMailGone, Forbidden],
  async handle({ body: { id, dry_run }, actor, caller, services }) {
    const isDryRun = dry_run === 1
    const { receipt, isSettled } = await processAgain(services, actor, caller, { id, isDryRun })
    const isThere = !isDryRun || isSettled || receipt.outcome !== 'ticket'
    return {
      message: isDryRun ? 'What would become of it' : 'E-mail processed',
      data: {
        id,
        dry_run: bit(isDryRun),
        outcome: receipt.outcome,
        reason: receipt.reason ?? null,
        ticket_id: isThere ? (receipt.ticket_id ?? null) : null,
        ticket_number: isThere ? (receipt.ticket_number ?? null) : null,
        is_settled: bit(isSettled)
      }
    }
  }
})
