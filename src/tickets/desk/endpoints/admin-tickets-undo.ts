import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketTrashed } from '../../links/locked-tickets.ts'
import { NotSplit, WrittenSince } from '../../links/unsplit-ticket.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { undoChange } from '../undo-change.ts'
import { ChangedSince, NothingToUndo, UndoImpossible } from '../undo-refusals.ts'

/**
 * Undoes the caller's own last change of a ticket within 30 seconds, if nobody has changed the ticket since: its status, priority, subject,
 * department, assignee, tags, snooze, a link, or what was split off. The timeline shows it as a change back, with `by: undo`.
 */
export const undoDeskTicket = endpoint({
  path: '/api/admin/tickets/undo',
  aliases: ['/api/admin/tickets/:id/undo'],
  summary: 'Undo your own last change of a ticket',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket: QueueTicket }),
  errors: [
    TicketNotFound,
    TicketMerged,
    TicketTrashed,
    VersionConflict,
    Forbidden,
    NothingToUndo,
    ChangedSince,
    UndoImpossible,
    NotSplit,
    WrittenSince
  ],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const ticket = await undoChange(services, change)
    return { message: 'Change undone', data: { ticket } }
  }
})
