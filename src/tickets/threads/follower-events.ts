import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

interface Event {
  kind: string
  before: object | null
  after: object | null
}

/**
 * Adds the name of the follower to events about one, as `follower` beside the id. Events store only ids, so that a person has to be erased
 * in one place only.
 */
export async function followersNamed<E extends Event>(db: Db, events: readonly E[]): Promise<E[]> {
  const ids = events.flatMap(event => idIn(event) ?? [])
  if (ids.length === 0) return [...events]
  const found = new Map((await namesOf(db, { ids })).map(({ id, ...person }) => [id, person]))
  return events.map(event => {
    const id = idIn(event)
    const follower = id === undefined ? undefined : found.get(id)
    if (!follower) return event
    return event.kind === 'ticket.follower_added'
      ? { ...event, after: { ...event.after, follower } }
      : { ...event, before: { ...event.before, follower } }
  })
}

function idIn({ kind, before, after }: Event): number | undefined {
  if (kind === 'ticket.follower_added') return (after as { follower_id?: number } | null)?.follower_id
  if (kind === 'ticket.follower_removed') return (before as { follower_id?: number } | null)?.follower_id
  return undefined
}

const namesOf = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('ticket_followers')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'name', 'email'])
)
