import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { Id, Nullable, OutputText } from '../../../kit/schemas.ts'
import { languageOf } from '../../../mail/outbox/localized-email.ts'
import { DraftInTicket, WaitingReplyView } from '../../drafts/schemas.ts'
import { FieldValuesView } from '../../fields/field-schemas.ts'
import { FollowerView } from '../../followers/schemas.ts'
import { linkFields } from '../../links/linked-tickets.ts'
import { DueClock } from '../../sla/shown-clock.ts'
import { ClientAccess } from '../../ticket/client-access.ts'
import { ClientEmailView } from '../../ticket/client-email.ts'
import { EventView, NoteView, StaffPerson, ThreadMessage } from '../../ticket/desk-schemas.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { Reach } from '../../ticket/reach.ts'
import { TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { deskTicket } from '../ticket-detail.ts'

const OtherTicket = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('The printer is on fire')
})

/**
 * A ticket as staff work with it, with its newest messages, notes and events: a hundred of each, fewer messages and notes if they are long.
 * `messages_before`, `notes_before` and `events_before` request earlier ones.
 */
export const showDeskTicket = endpoint({
  path: '/api/admin/tickets/detail',
  aliases: ['/api/admin/tickets/:id', '/api/admin/tickets/:id/detail'],
  summary: 'Show a ticket with its thread, notes and history',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    id: TicketRef,
    messages_before: Type.Optional(Id(12)),
    notes_before: Type.Optional(Id(12)),
    events_before: Type.Optional(Id(4711))
  }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    ticket: Type.Object({ ...QueueTicket.properties, sla: Nullable(DueClock), fields: FieldValuesView }),
    client_access: ClientAccess,
    merged_into: Nullable(OtherTicket),
    merged_sources: Type.Array(OtherTicket),
    // Of the linked tickets that the caller does not see only how many there are.
    ...linkFields,
    watchers: Type.Array(StaffPerson),
    // The people who get replies by e-mail beside the client.
    followers: Type.Array(FollowerView),
    // What the client gets by e-mail when staff reply.
    client_email: ClientEmailView,
    // What that means for an answer, in the language of `Accept-Language` or of the profile.
    reach: Reach,
    drafts: Type.Array(DraftInTicket),
    // The caller's own replies that wait to be sent, or were stopped; nobody else sees them.
    waiting_replies: Type.Array(WaitingReplyView),
    messages: Type.Array(ThreadMessage),
    messages_before: Nullable(Id()),
    last_message_id: Nullable(Id()),
    notes: Type.Array(NoteView),
    notes_before: Nullable(Id()),
    events: Type.Array(EventView),
    events_before: Nullable(Id())
  }),
  errors: [TicketNotFound],
  async handle({ body, actor, caller, services }) {
    const before = { messages: body.messages_before, notes: body.notes_before, events: body.events_before }
    const asked = languageAmong(caller.headers['accept-language'])
    const language = asked ?? (await languageOf(services.db, { population: 'staff', id: actor.id }))
    return {
      message: 'Ticket retrieved',
      data: await deskTicket(services.db, actor, body.id, { now: services.clock.now(), language }, before)
    }
  }
})
