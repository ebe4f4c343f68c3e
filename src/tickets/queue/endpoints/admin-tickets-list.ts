import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Nullable, OutputText, Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { FieldFilters, FilterNotReady, withFields } from '../field-filter.ts'
import { ListedTicket, listedTicketView } from '../listed-ticket.ts'
import { outgoingMarks } from '../outgoing-marks.ts'
import { queue } from '../queue.ts'
import { QueueQuery, queueSynonyms, selectionOf } from '../queue-query.ts'

const limits = { fallback: 20, max: 100 }

/**
 * The queue. `total` is exact for filters of status, department and assignment; with any other filter, or in the trash, it counts up to
 * 10,000, with `search` up to 1,000, by custom fields or `rating` up to 500. `next_cursor` fetches the next page, even while tickets arrive. `search` matches words and their
 * beginnings in messages, notes, subjects, numbers and clients, and parts of words in the last three.
 */
export const listDeskTickets = endpoint({
  path: '/api/admin/tickets/list',
  aliases: ['/api/admin/tickets'],
  summary: 'List the tickets that a staff member sees',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    ...QueueQuery.properties,
    fields: Type.Optional(FieldFilters),
    cursor: Type.Optional(Text(255, 'WyJ1cGRhdGVkIiwiZGVzYyIsIjIwMjYtMTEtMjBUMDg6Mjg6MzEuMDAwMDAwWiIsN10')),
    ...pageFields(limits)
  }),
  synonyms: queueSynonyms,
  data: Type.Object({
    ...pagedFields,
    total: Type.Integer({
      minimum: 0,
      examples: [1],
      description:
        'How many fit. By status, department and assignment all are counted; with other filters or `trashed` to 10,000, with `search` to 1,000, by custom fields or `rating` to 500.'
    }),
    next_cursor: Nullable(OutputText('WyJ1cGRhdGVkIiwiZGVzYyIsIjIwMjYtMTEtMjBUMDg6Mjg6MzEuMDAwMDAwWiIsN10')),
    tickets: Type.Array(ListedTicket)
  }),
  errors: [Forbidden, FilterNotReady],
  async handle({ body, actor, services }) {
    const { cursor, page: _, limit: __, fields, ...query } = body
    const page = pageOf(body, limits)
    const selection = await withFields(services.db, selectionOf(query), fields)
    const found = await queue(services.db, actor, selection, { ...page, cursor }, services.clock.now())
    const marks = await outgoingMarks(
      services.db,
      found.tickets.map(({ id }) => id)
    )
    const tickets = found.tickets.map(row => listedTicketView(row, found.due.get(row.id) ?? null, marks.get(row.id)))
    return {
      message: 'Tickets retrieved',
      data: {
        ...paged(tickets, found.total, page),
        next_cursor: found.nextCursor ?? null,
        tickets
      }
    }
  }
})
