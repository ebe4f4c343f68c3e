import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { CannedReplyNotFound } from '../macros.ts'
import { renderCannedReply as render } from '../render-canned-reply.ts'

const Ticket = Type.Unsafe<TicketRef>({
  ...TicketRef,
  'x-invalid': 'ticket_id must be the id of a ticket or a ticket number such as TIC-482910'
})

/** Returns the text of a canned reply with its placeholders filled for a ticket; nothing is sent. */
export const renderCannedReply = endpoint({
  path: '/api/admin/canned-replies/render',
  aliases: ['/api/admin/canned-replies/:id/render'],
  summary: 'Render a canned reply for a ticket',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({ id: Id(), ticket_id: Ticket }),
  data: Type.Object({
    id: Id(),
    ticket_id: Id(),
    text: OutputText('Dear Ada, please turn it off and on again. Grace')
  }),
  errors: [CannedReplyNotFound, TicketNotFound],
  async handle({ body: { id, ticket_id: ticket }, actor, services }) {
    const rendered = await render(services, actor, { id, ticket })
    return { message: 'Canned reply filled', data: { id, ...rendered } }
  }
})
