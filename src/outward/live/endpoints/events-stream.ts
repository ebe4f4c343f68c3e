import { endpoint } from '../../../core/endpoint.ts'
import { CursorExpired, InvalidCursor } from '../cursor.ts'
import { StreamedEvent } from '../event-view.ts'
import { StreamRequest, streamRequestOf } from '../stream-request.ts'
import { openStream, StreamsFull, TooManyStreams } from '../streams.ts'

/** The event stream for clients: their own tickets are opened, answered, given a status, merged or unmerged. It never contains notes. */
export const streamOwnEvents = endpoint({
  path: '/api/events/stream',
  summary: 'Stream events of your tickets (server-sent events)',
  access: 'client',
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
