import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Forbidden } from '../../kit/errors.ts'
import { Flag, Id, Moment, Nullable, OneOf, PageLimit, PageNumber, Shown, Text } from '../../kit/schemas.ts'
import { pageOf } from '../../lib/page.ts'
import { QueueTicket, TagName } from '../../tickets/desk-schemas.ts'
import { Count, Priority, Status } from '../../tickets/schemas.ts'
import { queueTicketView } from '../../tickets/ticket-row.ts'
import { directions, sorts } from '../cursor.ts'
import { queue } from '../queue.ts'

const oneOrMore = 'A list, or one as it is.'

const limits = { fallback: 20, max: 100 }

/**
 * The queue. `total` is exact however many there are of a status, department and assignment; narrowed by anything else, or in the trash,
 * it counts to 10,000, with `search` to 1,000. `next_cursor` leads on, also while tickets arrive. `search` finds words and the
 * beginnings of each in messages, notes, subjects, numbers and clients, and parts of words in the last three.
 */
export const listDeskTickets = endpoint({
  path: '/api/admin/tickets/list',
  aliases: ['/api/admin/tickets'],
  summary: 'List the tickets that a staff member sees',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  body: Type.Object({
    status: Type.Optional(Type.Array(Status, { maxItems: 5, 'x-one': true, description: oneOrMore })),
    priority: Type.Optional(Type.Array(Priority, { maxItems: 4, 'x-one': true, description: oneOrMore })),
    department_id: Type.Optional(Id()),
    assigned_staff_id: Type.Optional(Id()),
    unassigned: Type.Optional(Flag()),
    client_id: Type.Optional(Id()),
    tag: Type.Optional(TagName),
    tag_id: Type.Optional(Id()),
    created_from: Type.Optional(Moment('2026-11-01')),
    created_to: Type.Optional(Moment('2026-11-30')),
    updated_from: Type.Optional(Moment('2026-11-20 08:00:00')),
    updated_to: Type.Optional(Moment('2026-11-20 17:59:59')),
    search: Type.Optional(Text(255, 'printer')),
    trashed: Type.Optional(Flag(0)),
    sort: Type.Optional(OneOf(sorts)),
    direction: Type.Optional(OneOf(directions)),
    cursor: Type.Optional(Text(255, 'WyJ1cGRhdGVkIiwiZGVzYyIsIjIwMjYtMTEtMjBUMDg6Mjg6MzEuMDAwMDAwWiIsN10')),
    page: Type.Optional(PageNumber(1)),
    limit: Type.Optional(PageLimit(limits))
  }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({
    count: Count,
    total: Type.Integer({
      minimum: 0,
      examples: [1],
      description:
        'How many fit. By status, department and assignment all are counted; with other filters or `trashed` to 10,000, with `search` to 1,000.'
    }),
    page: PageNumber(1),
    limit: PageNumber(20),
    next_cursor: Nullable(Shown('WyJ1cGRhdGVkIiwiZGVzYyIsIjIwMjYtMTEtMjBUMDg6Mjg6MzEuMDAwMDAwWiIsN10')),
    tickets: Type.Array(QueueTicket)
  }),
  errors: [Forbidden],
  async handle({ body, actor, services }) {
    const { sort = 'updated', direction = 'desc', cursor, page: _, limit: __, ...filters } = body
    const page = pageOf(body, limits)
    const found = await queue(services.db, actor, filters, { sort, direction }, { ...page, cursor })
    const tickets = found.tickets.map(queueTicketView)
    return {
      message: 'Tickets retrieved',
      data: {
        count: tickets.length,
        total: found.total,
        page: page.page,
        limit: page.limit,
        next_cursor: found.nextCursor ?? null,
        tickets
      }
    }
  }
})
