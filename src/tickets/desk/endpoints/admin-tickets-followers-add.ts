import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Email, Name } from '../../../kit/schemas.ts'
import { FollowerView, followerView } from '../../followers/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { addFollower, FollowerRefused, TooManyFollowers } from '../follow-ticket.ts'

/** Adding somebody who already follows the ticket changes nothing. */
export const addTicketFollower = endpoint({
  path: '/api/admin/tickets/followers/add',
  aliases: ['/api/admin/tickets/:id/followers/add'],
  summary: 'Add a follower (Cc) to a ticket',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, email: Email(), name: Type.Optional(Name(200, 'Grace Hopper')) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ followers: Type.Array(FollowerView) }),
  errors: [TicketNotFound, TicketMerged, FollowerRefused, TooManyFollowers],
  async handle({ body, actor, caller, services }) {
    const { id: ref, email, name = '' } = body
    const followers = await addFollower(services, { actor, caller, ref, expectedVersion: undefined }, { email, name })
    return { message: 'Follower added', data: { followers: followers.map(followerView) } }
  }
})
