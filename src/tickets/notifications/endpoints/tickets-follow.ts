import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { followAsManager } from '../manager-follows.ts'

/** A manager gets the e-mails about a colleague's ticket, or no longer; everybody gets those about the own tickets (beyond the contract). */
export const followTicket = endpoint({
  path: '/api/tickets/follow',
  aliases: ['/api/tickets/:id/follow'],
  summary: 'Follow a ticket of your organisation, or stop following it',
  access: 'client',
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, is_following: Type.Optional(Flag()) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), is_following: Flag() }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    const followed = await followAsManager(services.db, actor, body.id, body.is_following !== 0)
    return { message: 'Saved', data: { ...followed, is_following: bit(followed.is_following) } }
  }
})
