import { sql } from 'kysely'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { lockReports } from './report-state.ts'
import { markAllDirty, refreshFacts } from './store-facts.ts'

const batchSize = 500

/** Has the facts of all tickets made anew, from the first on, beside all that goes on. */
export async function askToFill(db: Db, now: Date): Promise<void> {
  await beginFilling(db, { now })
}

/**
 * Makes the facts of the next tickets anew, if that was asked for; they stay as they are where nothing has changed. Returns how many tickets were
 * read, at least 1 if anything is left to do. A process that is killed takes none of them along.
 */
export async function fillFacts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  return await transaction(db, async db => {
    const { filled_up_to: after } = await lockReports(db)
    if (after === null) return 0
    const now = clock.now()
    if (after === 0) await removeLeftovers(db)
    const ids = (await nextTickets(db, { after, limit: batchSize })).map(({ id }) => id)
    await refreshFacts(db, ids, { now })
    const isOver = ids.length < batchSize
    await advance(db, { upTo: isOver ? null : ids.at(-1)!, more: ids.length, since: isOver ? null : now })
    return Math.max(1, ids.length)
  })
}

/** Has all facts and days made anew, and returns when that is done; `progress` hears how many of how many tickets are. */
export async function rebuildReports(
  services: Pick<Services, 'db' | 'clock'>,
  addUp: () => Promise<number>,
  progress: (done: number, all: number) => void
): Promise<void> {
  const { db, clock } = services
  await askToFill(db, clock.now())
  while ((await fillFacts(services)) > 0) {
    const [state] = await progressOf(db, {})
    progress(state!.filled, state!.to_fill)
  }
  await transaction(db, async db => {
    await lockReports(db)
    await markAllDirty(db, { now: clock.now() })
  })
  while ((await addUp()) > 0);
}

/** Facts of tickets that were purged, or split off and put back, before the reader came to it. */
async function removeLeftovers(db: Db): Promise<void> {
  await sql`
    with gone as (
      delete from ticket_facts using events
      where events.kind in ('ticket.purged', 'ticket.unsplit') and events.ticket_id = ticket_facts.ticket_id
        and not exists (select from tickets where tickets.id = ticket_facts.ticket_id)
      returning figure, at)
    insert into report_dirty (figure, day, since)
    select distinct figure, (at at time zone (select zone from report_state))::date, now() from gone
    on conflict do nothing`.execute(db)
}

const beginFilling = prepared((db, p: { now: Date }) =>
  db.updateTable('report_state').set(({ selectFrom }) => ({
    filled_up_to: 0,
    filled: 0,
    to_fill: selectFrom('tickets').select(({ fn }) => fn.countAll<number>().as('tickets')),
    filling_since: p.now
  }))
)

const nextTickets = prepared((db, p: { after: number; limit: number }) =>
  db.selectFrom('tickets').where('id', '>', p.after).select('id').orderBy('id').limit(p.limit)
)

const advance = prepared((db, p: { upTo: number | null; more: number; since: Date | null }) =>
  db.updateTable('report_state').set(eb => ({
    filled_up_to: p.upTo,
    filled: eb('filled', '+', p.more),
    filling_since: sql<Date | null>`case when ${p.since}::timestamptz is null then null else filling_since end`
  }))
)

const progressOf = prepared(db => db.selectFrom('report_state').select(['filled', 'to_fill']))
