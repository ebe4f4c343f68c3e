import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { FollowerName, FollowerNotFound } from '../../followers/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { removeFollowerAs } from '../followers-of-ticket.ts'

/** Clients remove a follower, who gets no more replies of their ticket. */
export const removeFollower = endpoint({
  path: '/api/tickets/followers/remove',
  aliases: ['/api/tickets/:id/followers/remove'],
  summary: 'Remove a follower (Cc) of your ticket',
  access: 'user',
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, follower_id: Id() }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ followers: Type.Array(FollowerName) }),
  errors: [TicketNotFound, FollowerNotFound, Forbidden],
  async handle({ body, actor, caller, services }) {
    const what = { ref: body.id, followerId: body.follower_id }
    const followers = await removeFollowerAs(services, actor, caller, what)
    return {
      message: 'Follower removed',
      data: { followers: followers.map(({ id, name, email }) => ({ id, name, email })) }
    }
  }
})
