import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { conversationsOf } from '../conversations-of.ts'
import { ConversationView } from '../schemas.ts'

/** The side conversations of a ticket, the newest first, with those of tickets that were merged into it. */
export const listConversations = endpoint({
  path: '/api/admin/tickets/conversations/list',
  aliases: ['/api/admin/tickets/:id/conversations'],
  summary: 'List the side conversations of a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ conversations: Type.Array(ConversationView) }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    return {
      message: 'Side conversations',
      data: { conversations: await conversationsOf(services.db, actor, body.id) }
    }
  }
})
