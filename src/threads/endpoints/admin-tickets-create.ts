import { Type } from 'typebox'
import { FileRefused } from '../../attachments/uploads.ts'
import { ClientNotFound } from '../../clients/client-record.ts'
import { UnknownDepartment } from '../../departments/departments.ts'
import { UnknownAssignee } from '../../desk/assignees.ts'
import { UnknownTag } from '../../desk/tag-refs.ts'
import { endpoint } from '../../endpoint.ts'
import { FileTooLarge, Forbidden, TooManyFiles } from '../../kit/errors.ts'
import { Id } from '../../kit/schemas.ts'
import { QueueTicket, TagRefs } from '../../tickets/desk-schemas.ts'
import { AttachmentView, defaultPriority, Message, Priority, Subject } from '../../tickets/schemas.ts'
import { ClientInactive, openForClient } from '../open-for-client.ts'

/** Opens a ticket for somebody who called, or whom staff write to first. */
export const openDeskTicket = endpoint({
  path: '/api/admin/tickets/create',
  summary: 'Open a ticket on behalf of a client',
  access: { anyOf: ['tickets.reply'] },
  body: Type.Object({
    client_id: Id(),
    department_id: Id(),
    subject: Subject,
    message: Message,
    priority: Type.Optional(Priority),
    assigned_staff_id: Type.Optional(Id()),
    tags: Type.Optional(TagRefs)
  }),
  synonyms: { deptid: 'department_id', staff_id: 'assigned_staff_id' },
  files: true,
  status: 201,
  data: Type.Object({ ticket: QueueTicket, message_id: Id(), attachments: Type.Array(AttachmentView) }),
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
    const opening = {
      clientId: body.client_id,
      deptid: body.department_id,
      subject: body.subject,
      message: body.message,
      priority: body.priority ?? defaultPriority,
      assignedStaffId: body.assigned_staff_id,
      tags: body.tags ?? []
    }
    const opened = await openForClient(services, actor, caller, opening, files)
    return { message: `Ticket ${opened.ticket.ticket_number} created`, data: opened }
  }
})
