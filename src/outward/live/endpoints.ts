import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { listEvents } from './endpoints/admin-events-list.ts'
import { streamEvents } from './endpoints/admin-events-stream.ts'
import { articlePresence } from './endpoints/admin-kb-articles-presence.ts'
import { reportTicketPresence } from './endpoints/admin-tickets-presence.ts'
import { streamOwnEvents } from './endpoints/events-stream.ts'

export const liveEndpoints: readonly AnyEndpoint[] = [
  listEvents,
  streamEvents,
  streamOwnEvents,
  reportTicketPresence,
  articlePresence
]
