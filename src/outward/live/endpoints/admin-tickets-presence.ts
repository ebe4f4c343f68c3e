import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { OneOf } from '../../../kit/schemas.ts'
import { presenceStates } from '../../../tickets/threads/presence.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { PresenceView, reportPresence } from '../presence.ts'
import { eventReaders } from '../readers.ts'
import { presenceChanged } from '../streams.ts'

/** Reports that the caller is at a ticket, which is valid for 30 seconds, or has left it. Returns who is there now. Clients never see presence. */
export const reportTicketPresence = endpoint({
  path: '/api/admin/tickets/presence',
  aliases: ['/api/admin/tickets/:id/presence'],
  summary: 'Set your presence at a ticket: viewing, replying or away',
  access: eventReaders,
  onlyReads: true,
  body: Type.Object({ id: TicketRef, state: OneOf(presenceStates) }),
  synonyms: { ticket_id: 'id' },
  data: PresenceView,
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    const data = await reportPresence(services.db, actor, body.id, body.state)
    presenceChanged(services)
    return { message: 'Presence noted', data }
  }
})
