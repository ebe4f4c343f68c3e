import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { isErasedClient } from '../../people/clients/erased.ts'
import type { SlaWorld, TicketClocks, TimelineEvent } from './clock-types.ts'
import { foldEvent } from './fold.ts'
import { storedTickets } from './stored-clocks.ts'
import { changeOf, type TicketEvent, ticketsNamed, timelineKinds } from './timeline-events.ts'
import { type DeskPolicies, rowsToChoose, worldOf, worldWithoutPolicies } from './world.ts'

/** A position in the log: the row of an event, and its place. */
export interface Position {
  row: number
  place: number
}

/** These tickets without those of anonymized clients, for which no clock begins any more (S15). Deleted ones stay. */
export async function withoutErased(db: Db, ids: readonly number[]): Promise<number[]> {
  const erased = ids.length === 0 ? [] : await ofErased(db, { ids })
  return ids.filter(id => !erased.some(ticket => ticket.id === id))
}

const ofErased = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(isErasedClient)
    .select('tickets.id')
)

/**
 * What the timelines of these tickets said before this event, of tickets that were not read because the desk had no policy: no clock has begun. A
 * ticket without an opening is missing.
 */
export async function foldedBefore(
  db: Db,
  world: SlaWorld,
  ids: readonly number[],
  position: Position
): Promise<Map<number, TicketClocks>> {
  const states = new Map<number, TicketClocks>()
  const rows = (await timelinesWithNamed(db, ids)).filter(row => isBefore(row, position))
  for (const row of rows) foldRow(states, worldWithoutPolicies(world), row)
  return new Map([...states].filter(([id]) => ids.includes(id)))
}

/** Their events, in order, with those of the tickets that they were merged with or split from, and so on: what waited there counts here (S13, S14). */
async function timelinesWithNamed(db: Db, ids: readonly number[]): Promise<Row[]> {
  const rows: Row[] = []
  const known = new Set<number>()
  let next = [...ids]
  while (next.length > 0) {
    for (const id of next) known.add(id)
    const found = await timelines(db, next, 0)
    rows.push(...found)
    next = [...new Set(found.flatMap(ticketsNamed))].filter(id => !known.has(id))
  }
  return rows.toSorted((one, other) => one.by - other.by)
}

/**
 * A ticket with its clocks as they are now: with what has happened since the reader of the log has stored them. Undefined if it has no opening, or no
 * clock may begin any more. Nothing is written.
 */
export async function ticketNow(db: Db, desk: DeskPolicies, id: number): Promise<TicketClocks | undefined> {
  const world = worldOf(desk, (await rowsToChoose(db, desk, [id])).get(id))
  const next = await nextPosition(db)
  const stored = await storedTickets(db, [id])
  if (!stored.has(id) && (await withoutErased(db, [id])).length === 0) return undefined
  const states = new Map([...stored, ...(await foldedBefore(db, world, stored.has(id) ? [] : [id], next))])
  const after = stored.get(id)?.by
  const rows = await timelines(db, [id], after ?? 0)
  const unread = rows.filter(row => after !== undefined || !isBefore(row, next))
  const others = await storedTickets(db, unread.flatMap(ticketsNamed))
  for (const [other, state] of others) states.set(other, state)
  for (const row of unread) foldRow(states, world, row)
  return states.get(id)
}

type Row = TicketEvent & { by: number; place: number | null; ticket_id: number }

function isBefore({ by, place }: Row, position: Position): boolean {
  // Old events lose their place, new ones have none yet.
  return place === null ? by < position.row : place < position.place
}

function foldRow(states: Map<number, TicketClocks>, world: SlaWorld, row: Row): void {
  const change = changeOf(row, id => states.get(id))
  const former = states.get(row.ticket_id)
  if (!change || (!former && change.what !== 'opened')) return
  const event: TimelineEvent = { ...change, by: row.by, at: row.at.getTime() }
  states.set(row.ticket_id, foldEvent(world, former, event))
}

/** The position behind the newest event that the reader of the log has handled. */
async function nextPosition(db: Db): Promise<Position> {
  const [newest] = await newestRead(db, {})
  return { row: (newest?.event_id ?? 0) + 1, place: (newest?.place ?? 0) + 1 }
}

async function timelines(db: Db, ids: readonly number[], after: number): Promise<Row[]> {
  const rows = await eventsOfTickets(db, { ids, after, kinds: timelineKinds })
  return rows.map(({ actor_type, ...row }) => ({ ...row, actor: { type: actor_type } }) as Row)
}

const eventsOfTickets = prepared((db, p: { ids: readonly number[]; after: number; kinds: readonly string[] }) =>
  db
    .selectFrom('events')
    .leftJoin('event_places', 'event_places.event_id', 'events.id')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('id', '>', p.after)
    .where('kind', '=', sql<string>`any(${p.kinds}::varchar[])`)
    .select(['id as by', 'place', 'ticket_id', 'kind', 'before', 'after', 'created_at as at', 'actor_type'])
    .orderBy('id')
)

const newestRead = prepared(db =>
  db
    .selectFrom('event_places')
    .where('place', '<=', db.selectFrom('event_readers').where('name', '=', sql.lit('sla')).select('place'))
    .select(['event_id', 'place'])
    .orderBy('place', 'desc')
    .limit(sql.lit(1))
)
