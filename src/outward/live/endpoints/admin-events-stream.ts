import { endpoint } from '../../../core/endpoint.ts'
import { CursorExpired, InvalidCursor } from '../cursor.ts'
import { StreamedEvent } from '../event-view.ts'
import { streamReaders } from '../readers.ts'
import { StreamRequest, streamRequestOf } from '../stream-request.ts'
import { openStream, StreamsFull, TooManyStreams } from '../streams.ts'

/**
 * Streams the events of the feed as server-sent events: those after `Last-Event-ID` or `after`, else those from now on; and unless kinds are
 * named, who is at which ticket as `presence`, and at which article as `article_presence`. Who manages articles without a ticket permission hears of articles alone. It ends when the caller disconnects, loses the permission, or reads too slowly.
 */
export const streamEvents = endpoint({
  path: '/api/admin/events/stream',
  summary: 'Stream events (server-sent events)',
  access: streamReaders,
  onlyReads: true,
  body: StreamRequest,
  answers: 'events',
  data: StreamedEvent,
  errors: [InvalidCursor, CursorExpired, TooManyStreams, StreamsFull],
  async handle({ body, session, caller, services }) {
    const { wanted, cursor } = streamRequestOf(body, caller)
    return await openStream(services, session, wanted, cursor)
  }
})
