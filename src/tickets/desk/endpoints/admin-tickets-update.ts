import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { UnknownDepartment } from '../../../people/departments/departments.ts'
import { GivenFields } from '../../fields/field-schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { Priority, Subject, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { updateTicket } from '../update-ticket.ts'

/** Changes the given fields; missing ones stay. */
export const updateDeskTicket = endpoint({
  path: '/api/admin/tickets/update',
  aliases: ['/api/admin/tickets/:id/update'],
  summary: 'Change the priority, subject, department or custom fields of a ticket',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id'] },
  body: Type.Object({
    id: TicketRef,
    priority: Type.Optional(Priority),
    subject: Type.Optional(Subject),
    department_id: Type.Optional(Id()),
    fields: Type.Optional(GivenFields),
    expected_version: ExpectedVersion
  }),
  synonyms: { ticket_id: 'id', deptid: 'department_id' },
  data: Type.Object({ ticket: QueueTicket }),
  errors: [TicketNotFound, UnknownDepartment, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const { id: ref, expected_version: expectedVersion, ...changes } = body
    const ticket = await updateTicket(services, { actor, caller, ref, expectedVersion }, changes)
    return { message: 'Ticket updated', data: { ticket } }
  }
})
