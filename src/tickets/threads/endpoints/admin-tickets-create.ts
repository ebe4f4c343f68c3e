import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, Forbidden, TooManyFiles } from '../../../kit/errors.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { ClientNotFound } from '../../../people/clients/client-record.ts'
import { UnknownDepartment } from '../../../people/departments/departments.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { UnknownTag } from '../../desk/tag-refs.ts'
import { GivenFields } from '../../fields/field-schemas.ts'
import { ClientInactive } from '../../ticket/active-client.ts'
import { UnknownAssignee } from '../../ticket/assignees.ts'
import { ClientAccess, clientAccessTo } from '../../ticket/client-access.ts'
import { TagRefs } from '../../ticket/desk-schemas.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { AttachmentView, defaultPriority, Message, Priority, Subject } from '../../ticket/schemas.ts'
import { openTicketForClient } from '../open-ticket.ts'

/**
 * Opens a ticket for a client who called, or to whom staff write first. `client_access` tells whether the account has proven its address: if not,
 * whoever has the account may be somebody else, and sees the ticket.
 */
export const openDeskTicket = endpoint({
  path: '/api/admin/tickets/create',
  summary: 'Open a ticket on behalf of a client',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['ticket.id'], staff: ['assigned_staff_id'] },
  body: Type.Object({
    client_id: Id(),
    department_id: Id(),
    subject: Subject,
    message: Message,
    format: Format,
    priority: Type.Optional(Priority),
    assigned_staff_id: Type.Optional(Id()),
    tags: Type.Optional(TagRefs),
    fields: Type.Optional(GivenFields),
    client_waits: Type.Optional({
      ...BooleanInput(1),
      description: '1: the message notes down what the client said, and the client waits for a first answer.'
    })
  }),
  synonyms: { deptid: 'department_id', staff_id: 'assigned_staff_id' },
  files: true,
  status: 201,
  data: Type.Object({
    ticket: QueueTicket,
    client_access: ClientAccess,
    message_id: Id(),
    attachments: Type.Array(AttachmentView)
  }),
  errors: [
    ClientNotFound,
    ClientInactive,
    UnknownDepartment,
    UnknownAssignee,
    UnknownTag,
    Forbidden,
    FileRefused,
    FileTooLarge,
    TooManyFiles
  ],
  async handle({ body, files, actor, caller, services }) {
    const { department_id: deptid, subject, message, format, priority = defaultPriority, fields } = body
    const { client_id: clientId, assigned_staff_id: assignedStaffId, tags = [], client_waits = 0 } = body
    const onBehalf = { clientId, assignedStaffId, tags, clientWaits: client_waits === 1 }
    const opening = { deptid, subject, message, format, priority, files, fields }
    const opened = await openTicketForClient(services, actor, caller, opening, onBehalf)
    const client_access = await clientAccessTo(services.db, opened.ticket_id)
    return { message: `Ticket ${opened.ticket_number} created`, data: { ...opened, client_access } }
  }
})
