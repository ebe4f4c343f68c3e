import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { FollowerName } from '../../followers/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { visibleFollowers } from '../followers-of-ticket.ts'

/** Shows clients who else gets the replies of their ticket. */
export const listFollowers = endpoint({
  path: '/api/tickets/followers/list',
  aliases: ['/api/tickets/followers', '/api/tickets/:id/followers'],
  summary: 'List the followers (Cc) of your ticket',
  access: 'user',
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ followers: Type.Array(FollowerName) }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    const followers = await visibleFollowers(services.db, actor, body.id)
    return {
      message: 'Followers retrieved',
      data: { followers: followers.map(({ id, name, email }) => ({ id, name, email })) }
    }
  }
})
