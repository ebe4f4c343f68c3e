import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { allCalendars, countingCalendars } from '../../core/calendars/calendars.ts'
import type { OpenTime } from '../../core/calendars/open-time.ts'
import type { Db } from '../../core/db.ts'
import type { SlaClockRow } from '../../core/tables/sla-clocks.ts'
import { type SlaMetric, slaMetrics } from '../../core/tables/sla-policies.ts'
import { IsoTime, Nullable, OneOf } from '../../kit/schemas.ts'
import { instantText } from './clock.ts'
import { type CountedClock, clockNow } from './clock-now.ts'
import { recomputingTickets } from './recomputations.ts'
import { runningOf } from './ticket-clocks.ts'
import { ticketNow } from './ticket-timeline.ts'
import { deskPolicies } from './world.ts'

export const clockStates = ['running', 'paused', 'met', 'breached', 'dropped', 'withdrawn'] as const
export type ClockState = (typeof clockStates)[number]

/** The clock of a ticket that lists show: the one that is due first, and one that stands only if none runs. */
export type DueClock = Static<typeof DueClock>
export const DueClock = Type.Object({
  metric: OneOf(slaMetrics),
  state: Type.Unsafe<'running' | 'paused' | 'breached'>({
    ...OneOf(['running', 'paused', 'breached']),
    description: '`breached`: it is late, and runs on until it ends.'
  }),
  due_at: Nullable(
    Type.String({ ...IsoTime(), description: 'Null while it stands, and if its calendar never opens again.' })
  ),
  left_seconds: Type.Integer({
    examples: [9_240],
    description: 'Of open time until it is due; negative once it is late.'
  }),
  target_seconds: Type.Integer({ minimum: 60, examples: [14_400] }),
  is_recomputing: Type.Boolean({
    examples: [false],
    description: 'A policy or business hours were changed, and its ticket is still to be counted anew.'
  })
})

/** What a query on `tickets` reads for `dueClocks`. */
export interface DueClockColumns {
  due_clock: StoredDueClock | null
  /** Stands for the hours of all calendars: another one once any has changed. */
  calendars_revision: string | null
  /** Some tickets are still to be counted anew, perhaps this one. */
  recomputes: boolean
}

/** A clock as JSON of the database has it, where instants are text. */
interface StoredDueClock
  extends Pick<SlaClockRow, 'metric' | 'pause_reason' | 'target_minutes' | 'counted_ms' | 'calendar_id'> {
  runs_since: string | null
  due_at: string | null
  breached_at: string | null
}

/** The clock that lists show of a ticket; null if it has none. No join: with one more, the planner would not begin with the page. */
export const dueClockOfTicket = sql<StoredDueClock | null>`(
  select row_to_json(clock) from (
    select metric, pause_reason, due_at, breached_at, target_minutes, counted_ms, runs_since, calendar_id
    from sla_clocks where ticket_id = tickets.id and ended_at is null
    order by state = 'paused', due_at, sla_clocks.id limit 1) as clock)`

export const calendarsRevision = sql<string | null>`(
  select md5(string_agg(revision::text, ' ' order by id)) from calendars)`
export const recomputes = sql<boolean>`exists (select from sla_recomputations where finished_at is null)`

/** What the clocks of these rows say at this moment, by ticket. */
export async function dueClocks(
  db: Db,
  rows: readonly (DueClockColumns & { id: number })[],
  now: Date
): Promise<Map<number, DueClock>> {
  const timed = rows.flatMap(({ id, due_clock: clock }) => (clock ? [{ id, clock: countedClockOf(clock) }] : []))
  if (timed.length === 0) return new Map()
  const { calendars_revision, recomputes } = rows[0]!
  const calendars = await calendarsAt(db, calendars_revision)
  const ids = timed.map(({ id }) => id)
  const recomputing = recomputes ? await recomputingTickets(db, ids) : new Set<number>()
  return new Map(timed.map(({ id, clock }) => [id, dueClockOf(clock, calendars, recomputing.has(id), now)]))
}

function countedClockOf(stored: StoredDueClock): CountedClock & { metric: SlaMetric } {
  return {
    ...stored,
    due_at: millisecondsOf(stored.due_at),
    breached_at: millisecondsOf(stored.breached_at),
    runs_since: millisecondsOf(stored.runs_since),
    ended_at: null,
    outcome: null
  }
}

/** All calendars as a query last read them, so that as a rule nothing has to be read. */
let known: { revision: string | null; calendars: Calendars } | undefined

async function calendarsAt(db: Db, revision: string | null): Promise<Calendars> {
  if (known?.revision === revision) return known.calendars
  const calendars = await countingCalendars(
    db,
    (await allCalendars(db)).map(({ id }) => id)
  )
  known = { revision, calendars }
  return calendars
}

/** The clock of a ticket that lists show, also with what the reader of the log has not seen yet; null if it has none. */
export async function dueClockNow(db: Db, ticketId: number, now: Date): Promise<DueClock | null> {
  const desk = await deskPolicies(db)
  const state = desk && (await ticketNow(db, desk, ticketId))
  if (!desk || !state) return null
  const [first] = runningOf(state).toSorted((one, other) => placeOf(one) - placeOf(other))
  if (!first) return null
  return dueClockOf(first, desk.calendars, (await recomputingTickets(db, [ticketId])).has(ticketId), now)
}

/** What runs comes by when it is due, what is never due after that, and what stands last. */
function placeOf({ due_at, pause_reason }: CountedClock): number {
  if (pause_reason !== null) return Number.POSITIVE_INFINITY
  return due_at ?? Number.MAX_SAFE_INTEGER
}

/** What lists show of a clock that has not ended. */
function dueClockOf(
  clock: CountedClock & { metric: SlaMetric },
  calendars: Calendars,
  isRecomputing: boolean,
  now: Date
): DueClock {
  const world = { openTime: (id: number) => calendars.get(id)?.open }
  const { state, left_seconds, target_seconds } = clockNow(world, clock, now.getTime())
  return {
    metric: clock.metric,
    // It has not ended.
    state: state as DueClock['state'],
    due_at: instantText(clock.due_at),
    left_seconds,
    target_seconds,
    is_recomputing: isRecomputing
  }
}

type Calendars = ReadonlyMap<number, { open: OpenTime }>

function millisecondsOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at)
}
