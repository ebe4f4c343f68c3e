import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'

const batchSize = 1000
/** The rest waits for the next call. */
const maxBatches = 1000

/**
 * Removes events from before that time from the log, in batches, oldest first. Events of tickets stay on their timelines, without a position; the
 * others are deleted. What a reader of the log has not handled yet stays. The audit log keeps its rows. Returns how many positions were removed.
 */
export async function retireEvents(db: Db, before: Date): Promise<number> {
  let retired = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const [gone] = await retireSome(db, { before, limit: batchSize })
    retired += gone!.places
    if (gone!.places < batchSize) break
  }
  return retired
}

const retireSome = prepared((db, p: { before: Date; limit: number }) =>
  db
    .with('oldest', db =>
      db
        .selectFrom('event_places')
        .where(
          'place',
          '<=',
          db.selectFrom('event_readers').select(({ fn }) => fn.min('place').as('place'))
        )
        .select(['place', 'event_id'])
        .orderBy('place')
        .limit(p.limit)
    )
    .with('gone', db =>
      db
        .deleteFrom('event_places')
        .using('oldest')
        .leftJoin('events', 'events.id', 'oldest.event_id')
        .whereRef('event_places.place', '=', 'oldest.place')
        .where(sql<boolean>`(events.created_at is null or events.created_at < ${p.before}::timestamptz)`)
        .returning('event_places.event_id')
    )
    .with('events_gone', db =>
      db
        .deleteFrom('events')
        .using('gone')
        .whereRef('events.id', '=', 'gone.event_id')
        .where('events.ticket_id', 'is', null)
    )
    .selectFrom('gone')
    .select(({ fn }) => fn.countAll<number>().as('places'))
)
