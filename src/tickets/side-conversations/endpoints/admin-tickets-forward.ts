import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { FileTooLarge, TooManyFiles } from '../../../kit/errors.ts'
import { BooleanInput, Nullable } from '../../../kit/schemas.ts'
import { timestamp } from '../../../lib/time.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { undoSeconds } from '../../drafts/undo-window.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { conversationDetail } from '../conversations-of.ts'
import { forwardLater, forwardTicket } from '../forward-ticket.ts'
import { forwardingFields, forwardingIn } from '../forwarding-fields.ts'
import { ThirdPartyRefused } from '../refusals.ts'
import { ConversationDetail } from '../schemas.ts'
import { WaitingFields } from '../waiting-side-messages.ts'

/**
 * Begins a side conversation: sends a third party a message, with chosen messages and files of the ticket. The client never sees it, nor what is
 * answered, which comes back to an address of its own. The client is called "Client" in what goes along unless `hide_client` is 0; with `waits`, closing
 * the ticket waits for the answer, and the answer ends its snooze. With `undo` it waits for as long as the setting `undo_send_seconds` says: until then
 * it can be taken back (`tickets/conversations/undo`), there is no conversation, and nobody but its writer knows of it.
 */
export const forwardDeskTicket = endpoint({
  path: '/api/admin/tickets/forward',
  aliases: ['/api/admin/tickets/:id/forward'],
  summary: 'Forward messages of a ticket to a third party, in a side conversation',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    ...forwardingFields,
    undo: Type.Optional(BooleanInput(1))
  }),
  synonyms: { ticket_id: 'id' },
  files: true,
  status: 201,
  data: Type.Object({ conversation: Nullable(ConversationDetail.properties.conversation), ...WaitingFields }),
  errors: [TicketNotFound, ThirdPartyRefused, TicketMerged, FileRefused, FileTooLarge, TooManyFiles],
  async handle({ body, files, actor, caller, services }) {
    const by = { actor, caller, ref: body.id }
    const given = forwardingIn(body, files)
    const seconds = await undoSeconds(services.db, actor, body.undo)
    if (seconds > 0) {
      const { side_message_id, sends_at } = await forwardLater(services, by, given, seconds)
      return {
        message: 'Forwarding waits',
        data: { conversation: null, side_message_id, undo_until: timestamp(sends_at) }
      }
    }
    const id = await forwardTicket(services, by, given)
    const { conversation } = await conversationDetail(services.db, actor, id)
    return { message: 'Forwarded', data: { conversation, ...(body.undo ? { undo_until: null } : {}) } }
  }
})
