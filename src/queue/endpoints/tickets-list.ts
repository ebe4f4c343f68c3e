import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Id, PageLimit, PageNumber, Shown, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { Count, Priority, Status, TicketNumber } from '../../tickets/schemas.ts'
import { ticketsOf } from '../tickets-of.ts'

const defaultLimit = 100
const maxLimit = 1000

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
    page: Type.Optional(PageNumber(1)),
    limit: Type.Optional(PageLimit({ fallback: defaultLimit, max: maxLimit }))
  }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({
    count: Count,
    total: Count,
    page: PageNumber(1),
    limit: PageNumber(defaultLimit),
    tickets: Type.Array(
      Type.Object({
        id: Id(),
        ticket_number: TicketNumber,
        department_name: Shown('Technical Support'),
        department_deptid: Id(),
        subject: Shown('The printer is on fire'),
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
    const { status, department_id: deptid, page = 1 } = body
    const limit = Math.min(body.limit ?? defaultLimit, maxLimit)
    const { total, tickets } = await ticketsOf(services.db, actor, { status, deptid }, { page, limit })
    return {
      message: 'Tickets retrieved',
      data: {
        count: tickets.length,
        total,
        page,
        limit,
        tickets: tickets.map(ticket => ({
          ...ticket,
          created_at: timestamp(ticket.created_at),
          updated_at: timestamp(ticket.updated_at)
        }))
      }
    }
  }
})
