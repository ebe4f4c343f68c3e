import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, OutputText, Text, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { Status, TicketNumber } from '../ticket/schemas.ts'
import type { SearchResults } from './search.ts'

export const Query = Text(255, 'printer fire')

/** How well a result matches: 10 is an exact match, everything else is below 1. */
const Rank = Type.Number({ minimum: 0, examples: [0.6079] })

/** One line of text, with ⟦ and ⟧ around each match. */
const Snippet = OutputText('It was the ⟦printer⟧ that was on ⟦fire⟧.')

const FoundTicket = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('The printer is on fire'),
  status: Status
})

/** Results for staff: for a client, the ticket is the last changed one that they see, or null. */
export const DeskResult = Type.Object({
  kind: OneOf(['ticket', 'message', 'note', 'client']),
  id: Id(),
  ticket: Nullable(FoundTicket),
  client: Type.Object({
    id: Id(),
    first_name: OutputText('Ada'),
    last_name: OutputText('Lovelace'),
    email: OutputText('ada@example.com')
  }),
  snippet: Snippet,
  rank: Rank,
  created_at: Timestamp()
})

/** Results for clients: never a note. */
export const OwnResult = Type.Object({
  kind: OneOf(['ticket', 'message']),
  id: Id(),
  ticket: FoundTicket,
  snippet: Snippet,
  rank: Rank,
  created_at: Timestamp()
})

export function deskResultView({
  created_at,
  rank,
  ...found
}: SearchResults['results'][number]): Static<typeof DeskResult> {
  return { ...found, rank: shownRank(rank), created_at: timestamp(created_at) }
}

/** Results of tickets and their messages; others are left out. */
export function ownResultViews(results: SearchResults['results']): Static<typeof OwnResult>[] {
  return results.flatMap(({ kind, id, ticket, snippet, rank, created_at }) =>
    (kind === 'ticket' || kind === 'message') && ticket
      ? [{ kind, id, ticket, snippet, rank: shownRank(rank), created_at: timestamp(created_at) }]
      : []
  )
}

function shownRank(rank: number): number {
  return Number(rank.toPrecision(4))
}
