import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { ClientNotFound } from '../../../people/clients/client-record.ts'
import { UnknownDepartment } from '../../../people/departments/departments.ts'
import { ClientInactive } from '../../ticket/active-client.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { Subject, TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { TicketTrashed } from '../locked-tickets.ts'
import { splitTicket } from '../split-ticket.ts'

const Entries = (minItems: number) => Type.Array(Id(12), { minItems, maxItems: 100, examples: [[12, 13]] })

/**
 * Moves messages of a ticket into a new one with their files, times and authors; one message of the client at least, not all, not the first
 * alone. Notes stay unless `note_ids` names them. With `client_id` another client reads what moves.
 */
export const splitDeskTicket = endpoint({
  path: '/api/admin/tickets/split',
  aliases: ['/api/admin/tickets/:id/split'],
  summary: 'Split messages off into a ticket of their own',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id', 'ticket_id'], clients: ['client_id'] },
  body: Type.Object({
    id: TicketRef,
    message_ids: Entries(1),
    note_ids: Type.Optional(Entries(0)),
    subject: Subject,
    department_id: Type.Optional(Id()),
    client_id: Type.Optional(Id()),
    expected_version: ExpectedVersion
  }),
  synonyms: { deptid: 'department_id' },
  status: 201,
  data: Type.Object({ ticket_id: Id(9), ticket_number: TicketNumber, source_id: Id() }),
  errors: [
    TicketNotFound,
    TicketMerged,
    TicketTrashed,
    VersionConflict,
    UnknownDepartment,
    ClientNotFound,
    ClientInactive,
    Forbidden
  ],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const {
      message_ids: messageIds,
      note_ids: noteIds = [],
      subject,
      department_id: deptid,
      client_id: clientId
    } = body
    const split = await splitTicket(services, change, { messageIds, noteIds, subject, deptid, clientId })
    return { message: `Ticket ${split.ticket_number} created`, data: split }
  }
})
