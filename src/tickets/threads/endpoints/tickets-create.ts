import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { countTicket } from '../../../core/rate-limits/use-limits.ts'
import { FileTooLarge, TooManyAttempts, TooManyFiles, Unauthenticated } from '../../../kit/errors.ts'
import { Id, IsoTime, OutputText } from '../../../kit/schemas.ts'
import { calendarTimestamp, isoTime } from '../../../lib/time.ts'
import { UnknownDepartment } from '../../../people/departments/departments.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { GivenFields } from '../../fields/field-schemas.ts'
import { FieldsRequired } from '../../forms/required-fields.ts'
import {
  AttachmentView,
  defaultPriority,
  Message,
  Priority,
  Status,
  Subject,
  TicketNumber
} from '../../ticket/schemas.ts'
import { openTicket } from '../open-ticket.ts'

/**
 * A client opens a ticket (contract: POST /api/tickets/create). On /api/tickets the presence of its own fields or files selects it
 * (decision 9). Fields that the form of the department requires and shows have to have a value; those that it hides are not stored.
 */
export const createTicket = endpoint({
  path: '/api/tickets/create',
  aliases: [
    {
      path: '/api/tickets',
      when: sent => sent.hasFiles || ['subject', 'message', 'deptid', 'priority'].some(field => sent.has(field))
    }
  ],
  summary: 'Open a ticket',
  access: 'client',
  about: { tickets: ['ticket_id'] },
  body: Type.Object({
    department_id: Id(),
    subject: Subject,
    message: Message,
    format: Format,
    priority: Type.Optional(Priority),
    fields: Type.Optional(GivenFields)
  }),
  synonyms: { deptid: 'department_id' },
  files: true,
  status: 201,
  data: Type.Object({
    ticket_id: Id(),
    ticket_number: TicketNumber,
    department: Type.Object({ id: Id(), deptid: Id(), name: OutputText('Technical Support') }),
    subject: OutputText('The printer is on fire'),
    priority: Priority,
    status: Status,
    message: OutputText('It started this morning.'),
    attachments: Type.Array(AttachmentView),
    created_at: OutputText('Fri Nov 20 08:28:31 2026'),
    created_at_iso: IsoTime()
  }),
  errors: [
    ...[UnknownDepartment, FieldsRequired, Unauthenticated],
    ...[FileRefused, FileTooLarge, TooManyFiles, TooManyAttempts]
  ],
  async handle({ body, files, actor, caller, services }) {
    const { department_id: deptid, subject, message, format, priority = defaultPriority, fields } = body
    countTicket(services, actor.id, caller.ip)
    const opening = { deptid, subject, message, format, priority, files, fields, isByForm: true } as const
    const ticket = await openTicket(services, actor, caller, opening)
    return {
      message: `Ticket ${ticket.ticket_number} created`,
      data: {
        ...ticket,
        department: { id: ticket.department_id, deptid: ticket.deptid, name: ticket.department_name },
        created_at: calendarTimestamp(ticket.created_at),
        created_at_iso: isoTime(ticket.created_at)
      }
    }
  }
})
