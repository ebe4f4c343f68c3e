import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, TooManyFiles } from '../../../kit/errors.ts'
import { Flag, Id, Text } from '../../../kit/schemas.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { Message, Subject, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { conversationDetail } from '../conversations-of.ts'
import { forwardTicket } from '../forward-ticket.ts'
import { ConversationDetail } from '../schemas.ts'

const Addresses = (minItems: number) =>
  Type.Array(Text(320, 'Sungrid <service@sungrid.example>'), { minItems, maxItems: 10 })
const Ids = Type.Optional(Type.Array(Id(12), { maxItems: 50, examples: [[12, 13]] }))

/**
 * Begins a side conversation: sends a third party a message, with chosen messages and files of the ticket. The client never sees it, nor what is
 * answered, which comes back to an address of its own. The client is called "Client" in what goes along unless `hide_client` is 0; with `waits`, closing
 * the ticket waits for the answer.
 */
export const forwardDeskTicket = endpoint({
  path: '/api/admin/tickets/forward',
  aliases: ['/api/admin/tickets/:id/forward'],
  summary: 'Forward messages of a ticket to a third party, in a side conversation',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    to: Addresses(1),
    cc: Type.Optional(Addresses(0)),
    message_ids: Ids,
    attachment_ids: Ids,
    subject: Subject,
    message: Message,
    format: Format,
    waits: Type.Optional(Flag(1)),
    hide_client: Type.Optional(Flag(1))
  }),
  synonyms: { ticket_id: 'id' },
  files: true,
  status: 201,
  data: ConversationDetail,
  errors: [TicketNotFound, TicketMerged, FileRefused, FileTooLarge, TooManyFiles],
  async handle({ body, files, actor, caller, services }) {
    const { id: ref, to, cc = [], subject, message, format, waits = 0, hide_client = 1 } = body
    const { message_ids: messageIds = [], attachment_ids: attachmentIds = [] } = body
    const chosen = { messageIds, attachmentIds, uploads: files, waits: waits === 1, hidesClient: hide_client === 1 }
    const given = { to, cc, subject, message, format, ...chosen }
    const id = await forwardTicket(services, { actor, caller, ref }, given)
    return { message: 'Forwarded', data: await conversationDetail(services.db, actor, id) }
  }
})
