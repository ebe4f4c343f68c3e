import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { FollowerView, followerView } from '../../followers/schemas.ts'
import { Count, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { visibleFollowers } from '../followers-of-ticket.ts'

/** Lists who gets the replies of a ticket by e-mail beside its client, and the maximum number. */
export const listTicketFollowers = endpoint({
  path: '/api/admin/tickets/followers/list',
  aliases: ['/api/admin/tickets/followers', '/api/admin/tickets/:id/followers'],
  summary: 'List the followers (Cc) of a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ followers: Type.Array(FollowerView), most: Count }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    const followers = await visibleFollowers(services.db, actor, body.id)
    return {
      message: 'Followers retrieved',
      data: { followers: followers.map(followerView), most: services.config.MAX_FOLLOWERS }
    }
  }
})
