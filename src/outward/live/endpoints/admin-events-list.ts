import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OneOf, OutputText, PageLimit } from '../../../kit/schemas.ts'
import { Cursor, CursorExpired, InvalidCursor } from '../cursor.ts'
import { kinds, StreamedEvent } from '../event-view.ts'
import { readFeed } from '../feed.ts'
import { eventReaders } from '../readers.ts'

const limits = { fallback: 100, max: 1000 }

/**
 * The event feed: events in the order of their commits, from the oldest that is kept. Admins get all events, other staff those of the tickets
 * that they see now. One call reads a bounded part of the log: continue with `next_cursor` until it stays the same.
 */
export const listEvents = endpoint({
  path: '/api/admin/events/list',
  aliases: ['/api/admin/events'],
  summary: 'List events (the event feed)',
  access: eventReaders,
  onlyReads: true,
  body: Type.Object({
    after: Type.Optional(Cursor),
    kinds: Type.Optional(Type.Array(OneOf(kinds), { maxItems: 100, 'x-one': true })),
    ticket_id: Type.Optional(Id()),
    limit: Type.Optional(PageLimit(limits))
  }),
  data: Type.Object({ events: Type.Array(StreamedEvent), next_cursor: OutputText('4711') }),
  errors: [InvalidCursor, CursorExpired],
  async handle({ body, actor, services }) {
    const wanted = { kinds: body.kinds?.length ? body.kinds : undefined, ticketId: body.ticket_id }
    const limit = Math.min(body.limit ?? limits.fallback, limits.max)
    const { events, nextCursor } = await readFeed(services, actor, wanted, { cursor: body.after, limit })
    return { message: 'Events retrieved', data: { events, next_cursor: nextCursor } }
  }
})
