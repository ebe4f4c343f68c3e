import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { languageOf } from '../../../mail/outbox/localized-email.ts'
import { recipientFields } from '../../followers/recipients.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { possibleRecipients } from '../possible-recipients.ts'
import { PossibleRecipientView, PossibleSenderView, SignatureLinesView } from '../schemas.ts'

/**
 * From which addresses a reply may leave, the usual one first, and since when one of them cannot send; and the people near the ticket who may be put in
 * copy: those of its e-mails, of the client's organisation, and third parties who were asked before. The client and staff are none of them. `text` says what
 * those who would get it see of each other, if the same fields are given as to `tickets/reply`.
 */
export const listPossibleRecipients = endpoint({
  path: '/api/admin/tickets/recipients',
  aliases: ['/api/admin/tickets/:id/recipients'],
  summary: 'List from where and to whom a reply may go',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({
    id: TicketRef,
    to: recipientFields.to,
    cc: recipientFields.cc,
    cc_once: recipientFields.cc_once,
    bcc: recipientFields.bcc
  }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    senders: Type.Array(PossibleSenderView),
    // Below an e-mail from the usual sender.
    signature: SignatureLinesView,
    people: Type.Array(PossibleRecipientView),
    text: OutputText('Ada and Anton see each other.')
  }),
  errors: [TicketNotFound],
  async handle({ body: { id, ...given }, actor, caller, services }) {
    const asked = languageAmong(caller.headers['accept-language'])
    const language = asked ?? (await languageOf(services.db, { population: 'staff', id: actor.id }))
    const { senders, signature, people, text } = await possibleRecipients(services, actor, id, given, language)
    return {
      message: 'Recipients retrieved',
      data: {
        senders: senders.map(({ address, name, isUsual, failingSince, signature }) => ({
          address,
          name,
          is_usual: bit(isUsual),
          failing_since: failingSince?.toISOString() ?? null,
          signature
        })),
        signature,
        people,
        text
      }
    }
  }
})
