import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { FollowerNotFound, FollowerView, followerView } from '../../followers/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { endFollower } from '../follow-ticket.ts'

/** A removed follower gets no more replies, and their own e-mails are no longer added to the ticket. */
export const removeTicketFollower = endpoint({
  path: '/api/admin/tickets/followers/remove',
  aliases: ['/api/admin/tickets/:id/followers/remove'],
  summary: 'Remove a follower (Cc) of a ticket',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, follower_id: Id() }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ followers: Type.Array(FollowerView) }),
  errors: [TicketNotFound, TicketMerged, FollowerNotFound],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: undefined }
    const followers = await endFollower(services, change, body.follower_id)
    return { message: 'Follower removed', data: { followers: followers.map(followerView) } }
  }
})
