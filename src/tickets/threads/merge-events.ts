import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { preparedForVisible, type TicketVisibility } from '../ticket/visibility.ts'

type Facts = object | null

/** `before` and `after` of an event, as the timeline stores them. */
interface Event {
  before: Facts
  after: Facts
}

/** The fields in which events name another ticket. */
const places = ['merged_into', 'merged', 'other', 'split_into', 'split_from'] as const

/**
 * Returns a function that hides, in `before` and `after` of these events, other tickets outside this visibility, except the `known` ones, which
 * belong to the thread being read.
 */
export async function hideInvisibleTickets(
  db: Db,
  visibility: TicketVisibility,
  events: readonly Event[],
  known: ReadonlyMap<number, unknown>
): Promise<(event: Event) => Event> {
  const named = events.flatMap(otherTicketsNamed)
  const unknown = [...new Set(named)].filter(id => !known.has(id))
  const found = unknown.length > 0 ? await seenAmong(db, visibility, { ids: unknown }) : []
  const seen = new Set(found.map(({ id }) => id))

  return event => withoutInvisible(event, id => known.has(id) || seen.has(id))
}

/** The other tickets that an event names. */
export function otherTicketsNamed({ before, after }: Event): number[] {
  return [...namedIn(before), ...namedIn(after)]
}

/** The facts of an event without the tickets that the reader does not see. */
export function withoutInvisible({ before, after }: Event, isSeen: (id: number) => boolean): Event {
  const told = (facts: Facts): Facts => {
    const hidden = places.filter(place => idAt(facts, place) !== undefined && !isSeen(idAt(facts, place)!))
    return hidden.length > 0 ? { ...facts, ...Object.fromEntries(hidden.map(place => [place, null])) } : facts
  }
  return { before: told(before), after: told(after) }
}

function namedIn(facts: Facts): number[] {
  return places.flatMap(place => idAt(facts, place) ?? [])
}

function idAt(facts: Facts, place: (typeof places)[number]): number | undefined {
  return (facts as Partial<Record<typeof place, { id: number } | null>> | null)?.[place]?.id
}

const seenAmong = preparedForVisible((tickets, p: { ids: readonly number[] }) =>
  tickets.where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`).select('tickets.id')
)
