import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable } from '../../../kit/schemas.ts'
import { UnknownDepartment } from '../../../people/departments/departments.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { takeNextTicket } from '../next-ticket.ts'

/**
 * Takes the unassigned ticket in the caller's departments that has waited longest for an answer: for agents who do not see the whole queue.
 * `ticket` is null if none waits.
 */
export const takeNextDeskTicket = endpoint({
  path: '/api/admin/tickets/next',
  summary: 'Take the next ticket: the one that has waited longest',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['ticket.id'] },
  body: Type.Object({ department_id: Type.Optional(Id()) }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({ ticket: Nullable(QueueTicket) }),
  errors: [UnknownDepartment],
  async handle({ body, actor, caller, services }) {
    const ticket = await takeNextTicket(services, actor, caller, body.department_id)
    if (!ticket) return { message: 'No ticket waits in your departments', data: { ticket: null } }
    return { message: `Ticket ${ticket.ticket_number} is yours`, data: { ticket } }
  }
})
