import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, OneOf, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { timestamp } from '../../../lib/time.ts'
import { Count, Opener, Priority, Status, TicketNumber } from '../../ticket/schemas.ts'
import { ticketsOf, ticketsOfManager } from '../tickets-of.ts'

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
    // organisation: for managers of one, the tickets of all of its people, each with who opened it.
    scope: Type.Optional(OneOf(['own', 'organisation'])),
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
        client: Type.Optional(Opener),
        created_at: Timestamp(),
        updated_at: Timestamp()
      })
    )
  }),
  errors: [Forbidden],
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const filters = { status: body.status, deptid: body.department_id }
    const list = body.scope === 'organisation' ? ticketsOfManager : ticketsOf
    const { total, tickets } = await list(services.db, actor, filters, page)
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
