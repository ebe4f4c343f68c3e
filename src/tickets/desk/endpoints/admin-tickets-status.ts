import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { FieldsRequired } from '../../forms/required-fields.ts'
import { TicketBlocked } from '../../links/blocked-tickets.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { setQueueStatus } from '../set-status.ts'

/** Sets any of the five statuses, from any other. A ticket that another one blocks is closed with `force` only, and none without the fields that closing needs. */
export const setDeskTicketStatus = endpoint({
  path: '/api/admin/tickets/status',
  aliases: ['/api/admin/tickets/:id/status'],
  summary: 'Change the status of a ticket as staff',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    status: Status,
    force: Type.Optional(Flag(0)),
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket: QueueTicket }),
  errors: [TicketNotFound, TicketMerged, TicketBlocked, FieldsRequired, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const ticket = await setQueueStatus(services, change, body.status, { force: body.force === 1 })
    return { message: `Ticket status changed to ${ticket.status}`, data: { ticket } }
  }
})
