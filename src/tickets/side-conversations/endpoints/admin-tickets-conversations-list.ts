import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { conversationsOf } from '../conversations-of.ts'
import { ConversationView } from '../schemas.ts'
import { WaitingSideMessageView } from '../waiting-side-messages.ts'

/** The side conversations of a ticket, the newest first, with those of tickets that were merged into it. */
export const listConversations = endpoint({
  path: '/api/admin/tickets/conversations/list',
  aliases: ['/api/admin/tickets/:id/conversations'],
  summary: 'List the side conversations of a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    conversations: Type.Array(ConversationView),
    // The caller's own messages that have not gone, and those that were stopped and not taken back yet.
    waiting: Type.Array(WaitingSideMessageView)
  }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    return { message: 'Side conversations', data: await conversationsOf(services.db, actor, body.id) }
  }
})
