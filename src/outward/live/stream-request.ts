import { type Static, Type } from 'typebox'
import type { HttpCaller } from '../../kit/caller.ts'
import { Id, OneOf } from '../../kit/schemas.ts'
import { Cursor } from './cursor.ts'
import { kinds } from './event-view.ts'

/** The body of a request for a stream. */
export const StreamRequest = Type.Object({
  after: Type.Optional(Cursor),
  kinds: Type.Optional(Type.Array(OneOf(kinds), { maxItems: 100, 'x-one': true })),
  ticket_id: Type.Optional(Id())
})

/** What is wanted, and after which cursor. The `Last-Event-ID` that the client remembers takes precedence over `after`. */
export function streamRequestOf({ after, kinds, ticket_id }: Static<typeof StreamRequest>, { headers }: HttpCaller) {
  const last = headers['last-event-id']
  const remembered = typeof last === 'string' && last.trim() !== '' ? last : undefined
  return { wanted: { kinds: kinds?.length ? kinds : undefined, ticketId: ticket_id }, cursor: remembered ?? after }
}
