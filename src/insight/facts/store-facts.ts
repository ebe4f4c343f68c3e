import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { countingCalendar } from '../../core/calendars/calendars.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketFactTable } from '../../core/tables/reports.ts'
import { type Counted, countTicket, type OpenBetween, type Timeline } from './count-ticket.ts'
import { readTimelines } from './read-timelines.ts'

/**
 * Makes the facts of these tickets anew, and notes the days that have to be added up again. Those that are gone keep their facts, unless they are
 * among `removed`: erasing a client leaves the counts, purging a ticket does not. Call it with the state locked (`lockReports`).
 */
export async function refreshFacts(
  db: Db,
  ids: readonly number[],
  { now, removed = new Set() }: { now: Date; removed?: ReadonlySet<number> }
): Promise<void> {
  const openBetween = await openTimeOfDesk(db)
  const timelines = await readTimelines(db, ids)
  const facts = new Map(timelines.map(timeline => [timeline.ticket.id, factsOf(timeline, openBetween)]))
  for (const id of removed) if (!facts.has(id)) facts.set(id, [])
  await storeFacts(db, facts, now)
}

async function openTimeOfDesk(db: Db): Promise<OpenBetween> {
  const [calendar] = await defaultCalendar(db, {})
  if (!calendar) return (from, to) => Math.max(0, to.getTime() - from.getTime())
  return (await countingCalendar(db, calendar.id)).open.between
}

type Fact = Omit<TicketFactTable, 'ticket_id' | 'number'>

function factsOf(timeline: Timeline, openBetween: OpenBetween): Fact[] {
  const { department_id, priority, channel, organisation_id, tag_ids } = timeline.ticket
  const ofTicket = { department_id, priority, channel, organisation_id, tag_ids }
  return countTicket(timeline, openBetween).map((counted: Counted) => ({ ...counted, ...ofTicket }))
}

async function storeFacts(db: Db, wanted: ReadonlyMap<number, Fact[]>, now: Date): Promise<void> {
  const stored = Map.groupBy(await storedFacts(db, { ids: [...wanted.keys()] }), ({ ticket_id }) => ticket_id)
  const written: (Fact & { ticket_id: number; number: number })[] = []
  const former: Pick<Fact, 'figure' | 'at'>[] = []
  const shorter: { ticket_id: number; number: number }[] = []
  for (const [ticket_id, facts] of wanted) {
    const before = stored.get(ticket_id) ?? []
    for (const [number, fact] of facts.entries()) {
      const { ticket_id: _, number: __, ...was } = before[number] ?? { ticket_id, number }
      if (isDeepStrictEqual(was, fact)) continue
      written.push({ ticket_id, number, ...fact })
      if (before[number]) former.push(before[number])
    }
    if (before.length > facts.length) shorter.push({ ticket_id, number: facts.length })
    former.push(...before.slice(facts.length))
  }
  if (written.length > 0) await writeFacts(db, { facts: JSON.stringify(written) })
  if (shorter.length > 0) await removeFacts(db, { shorter: JSON.stringify(shorter) })
  const changed = [...written, ...former].map(({ figure, at }) => ({ figure, at }))
  if (changed.length > 0) await markDirty(db, { changed: JSON.stringify(changed), now })
}

const defaultCalendar = prepared(db => db.selectFrom('calendars').where('is_default', '=', true).select('id'))

const columns = [
  ...(['figure', 'at', 'value', 'seconds', 'open_seconds', 'staff_id'] as const),
  ...(['department_id', 'priority', 'channel', 'organisation_id', 'tag_ids'] as const)
] as const

const storedFacts = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('ticket_facts')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['ticket_id', 'number', ...columns])
    .orderBy('ticket_id')
    .orderBy('number')
)

const writeFacts = prepared((db, p: { facts: string }) =>
  db
    .insertInto('ticket_facts')
    .columns(['ticket_id', 'number', ...columns])
    .expression(db =>
      db
        .selectFrom(
          sql<TicketFactTable>`json_to_recordset(${p.facts}::json)`.as<'written'>(sql`written(
            ticket_id bigint, number integer, figure text, at timestamptz, value smallint, seconds integer, open_seconds integer,
            staff_id bigint, department_id bigint, priority text, channel text, organisation_id bigint, tag_ids bigint[])`)
        )
        .select(['ticket_id', 'number', ...columns])
    )
    .onConflict(conflict =>
      conflict
        .columns(['ticket_id', 'number'])
        .doUpdateSet(Object.fromEntries(columns.map(column => [column, sql.ref(`excluded.${column}`)])))
    )
)

const removeFacts = prepared((db, p: { shorter: string }) =>
  db
    .deleteFrom('ticket_facts')
    .using(
      sql<{ ticket_id: number; number: number }>`json_to_recordset(${p.shorter}::json)`.as<'shorter'>(
        sql`shorter(ticket_id bigint, number integer)`
      )
    )
    .whereRef('ticket_facts.ticket_id', '=', 'shorter.ticket_id')
    .whereRef('ticket_facts.number', '>=', 'shorter.number')
)

/** Within a query on facts: the day of one, in the zone of the reports. */
export const dayOfFact = sql<string>`(at at time zone (select zone from report_state))::date`

const markDirty = prepared((db, p: { changed: string; now: Date }) =>
  insertDirty(
    db,
    sql`(select distinct figure, ${dayOfFact} as day from json_to_recordset(${p.changed}::json) as changed(figure text, at timestamptz))`,
    p.now
  )
)

function insertDirty(db: Db, days: RawBuilder<unknown>, now: Date) {
  return db
    .insertInto('report_dirty')
    .columns(['figure', 'day', 'since'])
    .expression(db =>
      db
        .selectFrom(sql<{ figure: never; day: string }>`${days}`.as('changed'))
        .select(['figure', 'day', sql<Date>`${now}::timestamptz`.as('since')])
        .orderBy('figure')
        .orderBy('day')
    )
    .onConflict(conflict => conflict.columns(['figure', 'day']).doNothing())
}

/** Notes that all days have to be added up again. */
export const markAllDirty = prepared((db, p: { now: Date }) =>
  insertDirty(
    db,
    sql`(select distinct figure, ${dayOfFact} as day from ticket_facts union select figure, day from report_days)`,
    p.now
  )
)

/** Changes what facts say of their tickets, where no event of the tickets tells of it, and notes the days. */
export async function changeFacts(
  db: Db,
  { where, set, now }: { where: RawBuilder<boolean>; set: RawBuilder<unknown>; now: Date }
): Promise<void> {
  await sql`
    with changed as (update ticket_facts set ${set} where ${where} returning figure, at)
    insert into report_dirty (figure, day, since)
    select distinct figure, ${dayOfFact}, ${now}::timestamptz from changed on conflict do nothing`.execute(db)
}

/**
 * Ends what is open of tickets that are gone without having been taken out, when their client was erased with them: their counts stay, but nobody
 * waits any more.
 */
export async function closeGone(db: Db, { at, now }: { at: Date; now: Date }): Promise<void> {
  await sql`
    with gone as (
      select ticket_id, staff_id, department_id, priority, channel, organisation_id, tag_ids
      from ticket_facts
      where figure = 'open' and not exists (select from tickets where tickets.id = ticket_facts.ticket_id)
      group by ticket_id, staff_id, department_id, priority, channel, organisation_id, tag_ids
      having sum(value) > 0),
    closed as (
      insert into ticket_facts (ticket_id, number, figure, at, value, staff_id, department_id, priority, channel, organisation_id, tag_ids)
      select ticket_id, (select max(number) + 1 from ticket_facts where ticket_facts.ticket_id = gone.ticket_id), 'open', ${at}, -1,
        staff_id, department_id, priority, channel, organisation_id, tag_ids
      from gone
      returning figure, at)
    insert into report_dirty (figure, day, since)
    select distinct figure, ${dayOfFact}, ${now}::timestamptz from closed on conflict do nothing`.execute(db)
}
