import { endpoint } from '../../endpoint.ts'
import { CursorExpired, InvalidCursor } from '../cursor.ts'
import { StreamedEvent } from '../event-view.ts'
import { eventReaders } from '../readers.ts'
import { StreamRequest, streamRequestOf } from '../stream-request.ts'
import { openStream, StreamsFull, TooManyStreams } from '../streams.ts'

/**
 * What happens, as it happens, from behind `Last-Event-ID` or `after`, else from now: the events of the feed as server-sent events, and
 * who is at which ticket as `presence`, unless kinds are named. It goes on until the caller hangs up, may not read it any more, or reads too slowly.
 */
export const streamEvents = endpoint({
  path: '/api/admin/events/stream',
  summary: 'Stream events (server-sent events)',
  access: eventReaders,
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
