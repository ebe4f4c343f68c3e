import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { bit } from '../../../lib/bit.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { possibleRecipients } from '../possible-recipients.ts'
import { PossibleRecipientView, PossibleSenderView } from '../schemas.ts'

/**
 * From which addresses a reply may leave, the usual one first, and since when one of them cannot send; and the people near the ticket who may be put in
 * copy: those of its e-mails, of the client's organisation, and third parties who were asked before. The client and staff are none of them.
 */
export const listPossibleRecipients = endpoint({
  path: '/api/admin/tickets/recipients',
  aliases: ['/api/admin/tickets/:id/recipients'],
  summary: 'List from where and to whom a reply may go',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    senders: Type.Array(PossibleSenderView),
    people: Type.Array(PossibleRecipientView)
  }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    const { senders, people } = await possibleRecipients(services, actor, body.id)
    return {
      message: 'Recipients retrieved',
      data: {
        senders: senders.map(({ address, name, isUsual, failingSince }) => ({
          address,
          name,
          is_usual: bit(isUsual),
          failing_since: failingSince?.toISOString() ?? null
        })),
        people
      }
    }
  }
})
