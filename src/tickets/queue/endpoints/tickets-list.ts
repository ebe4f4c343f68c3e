import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { timestamp } from '../../../lib/time.ts'
import { Count, Priority, Status, TicketNumber } from '../../ticket/schemas.ts'
import { ticketsOf } from '../tickets-of.ts'

const limits = { fallback: 100, max: 1000 }

/** The caller's tickets, last activity first (contract: POST /api/tickets/list). */
export const listTickets = endpoint({
  path: '/api/tickets/list',
  aliases: ['/api/tickets'],
  summary: "List the caller's tickets",
  access: 'user',
  onlyReads: true,
  body: Type.Object({
    status: Type.Optional(Status),
    department_id: Type.Optional(Id()),
    ...pageFields(limits)
  }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({
    ...pagedFields,
    tickets: Type.Array(
      Type.Object({
        id: Id(),
        ticket_number: TicketNumber,
        department_name: OutputText('Technical Support'),
        department_deptid: Id(),
        subject: OutputText('The printer is on fire'),
        priority: Priority,
        status: Status,
        message_count: Count,
        attachment_count: Count,
        created_at: Timestamp(),
        updated_at: Timestamp()
      })
    )
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const filters = { status: body.status, deptid: body.department_id }
    const { total, tickets } = await ticketsOf(services.db, actor, filters, page)
    return {
      message: 'Tickets retrieved',
      data: {
        ...paged(tickets, total, page),
        tickets: tickets.map(ticket => ({
          ...ticket,
          created_at: timestamp(ticket.created_at),
          updated_at: timestamp(ticket.updated_at)
        }))
      }
    }
  }
})
