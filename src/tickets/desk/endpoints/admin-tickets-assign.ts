import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden, MissingFields } from '../../../kit/errors.ts'
import { Flag, Id, Nullable } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { UnknownAssignee } from '../../ticket/assignees.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { AlreadyAssigned, assignTicket } from '../assign-ticket.ts'

/** Assigns a ticket to a staff member; null unassigns it. The caller's own id takes it. */
export const assignDeskTicket = endpoint({
  path: '/api/admin/tickets/assign',
  aliases: ['/api/admin/tickets/:id/assign'],
  summary: 'Assign or unassign a ticket',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: { tickets: ['id'], staff: ['assigned_staff_id'] },
  body: Type.Object({
    id: TicketRef,
    assigned_staff_id: Type.Optional(Nullable(Id())),
    force: Type.Optional(Flag(0)),
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id', staff_id: 'assigned_staff_id' },
  data: Type.Object({ ticket: QueueTicket }),
  errors: [TicketNotFound, UnknownAssignee, AlreadyAssigned, TicketMerged, VersionConflict, Forbidden],
  async handle({ body, actor, caller, services }) {
    const { id: ref, assigned_staff_id: staffId, force, expected_version: expectedVersion } = body
    // Null is a value here, so a missing field is an error.
    if (staffId === undefined) {
      const errors = ['assigned_staff_id']
      throw MissingFields({ message: `Missing required fields: ${errors}`, errors })
    }
    const change = { actor, caller, ref, expectedVersion }
    const ticket = await assignTicket(services, change, { staffId, force: force === 1 })
    const to = ticket.assignee ? `${ticket.assignee.first_name} ${ticket.assignee.last_name}` : 'nobody'
    return { message: `Ticket assigned to ${to}`, data: { ticket } }
  }
})
