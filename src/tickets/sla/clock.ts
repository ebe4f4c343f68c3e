import type { OpenTime } from '../../core/calendars/open-time.ts'
import type { SlaCause, SlaPauseReason, SlaTurn } from '../../core/tables/sla-clocks.ts'
import type { SlaClock, SlaEvent, SlaWorld } from './clock-types.ts'

// One clock: its sum, when it is due, and what changes it. All instants are in milliseconds; the functions change the clock that they are given.

const minuteMilliseconds = 60_000
/** A clock is due soon once so much of its target was counted. */
const soonShare = 0.75

/** What moves a clock: the counting of the desk, the moment, the row of the event, and where to tell what follows. */
export interface Turning {
  world: SlaWorld
  at: number
  by: number
  happened(event: SlaEvent): void
}

/** A part of time in which a clock stood for a reason, or ran (null); the last part has no end. */
export interface Part {
  from: number
  to: number | null
  reason: SlaPauseReason | null
}

/** A new clock that has run and stood as these parts say (S12: what begins later is counted from where it would have begun). */
export function begin(
  turning: Turning,
  promise: Pick<
    SlaClock,
    'metric' | 'policy_id' | 'policy_version' | 'priority' | 'calendar_id' | 'target_minutes' | 'started_at'
  >,
  parts: readonly Part[],
  warnMinutes: number | null
): SlaClock {
  const clock: SlaClock = {
    id: null,
    ...promise,
    started_by: turning.by,
    ...neverRun,
    ledger: [],
    turns: []
  }
  replay(turning.world, clock, parts)
  retime(turning, clock, warnMinutes, 'started')
  turning.happened({ kind: 'sla.started', after: { ...dueOf(clock), started_at: instantText(clock.started_at) } })
  breachIfLate(turning, clock)
  return clock
}

const neverRun = {
  counted_ms: 0,
  runs_since: null,
  pause_reason: null,
  due_at: null,
  soon_at: null,
  warn_at: null,
  warned_at: null,
  breached_at: null,
  ended_at: null,
  ended_by: null,
  outcome: null
}

/** Begins a clock anew from another message, as these parts say. */
export function rebase(
  turning: Turning,
  clock: SlaClock,
  { startedAt, parts, warnMinutes }: { startedAt: number; parts: readonly Part[]; warnMinutes: number | null },
  cause: SlaCause
): void {
  clock.started_at = startedAt
  clock.ledger = []
  clock.counted_ms = 0
  replay(turning.world, clock, parts)
  changeDue(turning, clock, warnMinutes, cause)
}

function replay(world: SlaWorld, clock: SlaClock, parts: readonly Part[]): void {
  clock.runs_since = null
  clock.pause_reason = null
  for (const { from, to, reason } of parts) {
    clock.pause_reason = reason
    clock.runs_since = reason === null ? from : null
    if (to !== null) closeStretch(world, clock, to)
  }
}

/** Writes the stretch that runs into the ledger (S8). */
function closeStretch(world: SlaWorld, clock: SlaClock, at: number): void {
  const { runs_since: from, calendar_id } = clock
  if (from === null) return
  clock.runs_since = null
  if (at <= from) return
  const counted = openBetween(world.openTime(calendar_id), from, at)
  clock.ledger.push([from, at, calendar_id, counted])
  clock.counted_ms += counted
}

/** S7: while it stands, nothing is due, and what is left is kept. */
export function pause(turning: Turning, clock: SlaClock, reason: SlaPauseReason): void {
  takeBackLaterBreach(turning, clock)
  const wasRunning = clock.runs_since !== null
  closeStretch(turning.world, clock, turning.at)
  clock.pause_reason = reason
  clock.due_at = null
  clock.soon_at = null
  clock.warn_at = null
  addTurn(turning, clock, 'paused', reason)
  if (!wasRunning) return
  const left_seconds = Math.floor((targetOf(clock) - clock.counted_ms) / 1000)
  turning.happened({ kind: 'sla.paused', after: { metric: clock.metric, reason, left_seconds } })
}

/** Counts on. What had been due is due as much later as the calendar was open meanwhile. */
export function resume(turning: Turning, clock: SlaClock, warnMinutes: number | null): void {
  clock.runs_since = turning.at
  clock.pause_reason = null
  retime(turning, clock, warnMinutes, 'resumed')
  turning.happened({ kind: 'sla.resumed', after: dueOf(clock) })
  breachIfLate(turning, clock)
}

/** S8: what was counted is kept, and the rest is counted by another promise. */
export function move(
  turning: Turning,
  clock: SlaClock,
  promise: Pick<SlaClock, 'policy_id' | 'policy_version' | 'priority' | 'calendar_id' | 'target_minutes'>,
  warnMinutes: number | null,
  cause: SlaCause
): void {
  takeBackLaterBreach(turning, clock)
  if (promise.calendar_id !== clock.calendar_id && clock.runs_since !== null) {
    closeStretch(turning.world, clock, turning.at)
    clock.runs_since = turning.at
  }
  Object.assign(clock, promise)
  changeDue(turning, clock, warnMinutes, cause)
}

/** Counts each stretch again, after calendars were changed. */
export function recount(turning: Turning, clock: SlaClock, warnMinutes: number | null): void {
  clock.ledger = clock.ledger.map(([from, to, calendarId, counted]) => {
    const openTime = turning.world.openTime(calendarId)
    return [from, to, calendarId, openTime ? openBetween(openTime, from, to) : counted]
  })
  clock.counted_ms = clock.ledger.reduce((sum, [, , , milliseconds]) => sum + milliseconds, 0)
  changeDue(turning, clock, warnMinutes, 'calendar')
}

/** Due at another time: S10 says since when it is late then, S11 lifts a breach. */
function changeDue(turning: Turning, clock: SlaClock, warnMinutes: number | null, cause: SlaCause): void {
  const from = clock.due_at
  const isChanged = retime(turning, clock, warnMinutes, cause)
  const { metric, due_at: to, breached_at } = clock
  if (isChanged) {
    turning.happened({
      kind: 'sla.due_changed',
      after: { metric, from: instantText(from), to: instantText(to), cause }
    })
  }
  if (breached_at !== null && !isLate(turning, clock)) lift(turning, clock, cause)
  else breachIfLate(turning, clock)
}

/** Whether its target was reached before now. */
function isLate({ at }: Turning, clock: SlaClock): boolean {
  if (clock.runs_since === null) return clock.counted_ms > targetOf(clock)
  return clock.due_at !== null && clock.due_at < at
}

function lift(turning: Turning, clock: SlaClock, cause: SlaCause): void {
  const breached_at = instantText(clock.breached_at!)
  clock.breached_at = null
  turning.happened({ kind: 'sla.breach_lifted', after: { ...dueOf(clock), breached_at, cause } })
}

/** A change that makes it late says so now: nobody is said to have been late before (S10). */
function breachIfLate(turning: Turning, clock: SlaClock): void {
  if (clock.runs_since !== null && clock.breached_at === null && isLate(turning, clock))
    breach(turning, clock, turning.at)
}

function breach({ happened }: Turning, clock: SlaClock, at: number): void {
  clock.breached_at = at
  happened({ kind: 'sla.breached', after: { ...dueOf(clock), breached_at: instantText(at) } })
}

/** What fell due before this moment was late from that instant on (S16). */
export function settle(turning: Turning, clock: SlaClock): void {
  const { ended_at, breached_at, due_at } = clock
  if (ended_at === null && breached_at === null && due_at !== null && due_at < turning.at)
    breach(turning, clock, due_at)
}

/** The breach was found before the log told what happened earlier: that it ended or stood in time. */
function takeBackLaterBreach(turning: Turning, clock: SlaClock): void {
  const { breached_at, due_at } = clock
  if (breached_at !== null && due_at !== null && due_at >= turning.at) lift(turning, clock, 'in_time')
}

/** Ends a clock. Who is late already stays late, unless the promise itself is withdrawn (S5, S12, S13). */
export function end(turning: Turning, clock: SlaClock, wanted: 'met' | 'dropped' | 'withdrawn'): void {
  takeBackLaterBreach(turning, clock)
  closeStretch(turning.world, clock, turning.at)
  // Nothing was promised any more.
  const outcome = wanted === 'met' && clock.pause_reason === 'no_target' ? 'dropped' : wanted
  clock.pause_reason = null
  clock.soon_at = null
  clock.warn_at = null
  clock.ended_at = turning.at
  clock.ended_by = turning.by
  clock.outcome = outcome !== 'withdrawn' && clock.breached_at !== null ? 'breached' : outcome
  if (clock.outcome === 'met') turning.happened({ kind: 'sla.met', after: dueOf(clock) })
  if (clock.outcome === 'dropped') turning.happened({ kind: 'sla.dropped', after: { metric: clock.metric } })
}

/** S9: a solution that was reopened goes on with what was left. */
export function reopen(
  turning: Turning,
  clock: SlaClock,
  { reason, warnMinutes }: { reason: SlaPauseReason | null; warnMinutes: number | null }
): void {
  clock.ended_at = null
  clock.ended_by = null
  clock.outcome = null
  if (reason === null) {
    resume(turning, clock, warnMinutes)
  } else {
    clock.runs_since = turning.at
    pause(turning, clock, reason)
  }
}

/** Computes when it is due and when staff are warned. Returns whether it is due at another time. */
function retime(turning: Turning, clock: SlaClock, warnMinutes: number | null, what: SlaTurn['what']): boolean {
  const { world, at } = turning
  const former = clock.due_at
  clock.due_at = instantOf(world, clock, targetOf(clock))
  clock.soon_at = instantOf(world, clock, targetOf(clock) * soonShare)
  const warned = warnMinutes === null ? 0 : targetOf(clock) - warnMinutes * minuteMilliseconds
  clock.warn_at = warned > 0 ? instantOf(world, clock, warned) : null
  if (clock.warn_at !== null && clock.warned_at !== null && clock.warn_at > at) clock.warned_at = null
  const isChanged = former !== clock.due_at
  if (isChanged || what === 'started' || what === 'resumed') addTurn(turning, clock, what)
  return isChanged
}

/** When so many open milliseconds were or will be counted; null while it stands, and if that never comes (S18). */
function instantOf(world: SlaWorld, clock: SlaClock, milliseconds: number): number | null {
  if (clock.runs_since === null) return null
  let left = milliseconds
  for (const [from, , calendarId, counted] of clock.ledger) {
    if (counted >= left) return add(world.openTime(calendarId), from, left)
    left -= counted
  }
  return add(world.openTime(clock.calendar_id), clock.runs_since, left)
}

function add(openTime: OpenTime | undefined, from: number, milliseconds: number): number | null {
  return openTime?.add(new Date(from), milliseconds)?.getTime() ?? null
}

function openBetween(openTime: OpenTime | undefined, from: number, to: number): number {
  return openTime?.between(new Date(from), new Date(to)) ?? 0
}

function addTurn({ world, at, by }: Turning, clock: SlaClock, what: SlaTurn['what'], reason?: SlaPauseReason): void {
  const { due_at: due, calendar_id, target_minutes } = clock
  const counted_ms = countedUntil(world, clock, at)
  clock.turns.push({ at, by, what, due, ...(reason ? { reason } : {}), calendar_id, target_minutes, counted_ms })
}

/** What events tell of a clock. */
function dueOf({ metric, due_at }: SlaClock) {
  return { metric, due_at: instantText(due_at) }
}

export function instantText<T extends number | null>(at: T): T extends number ? string : string | null
export function instantText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

export function targetOf({ target_minutes }: Pick<SlaClock, 'target_minutes'>): number {
  return target_minutes * minuteMilliseconds
}

/** What was counted until this moment. */
export function countedUntil(
  world: Pick<SlaWorld, 'openTime'>,
  clock: Pick<SlaClock, 'runs_since' | 'calendar_id' | 'counted_ms'>,
  at: number
): number {
  const { runs_since: from, calendar_id, counted_ms } = clock
  return from === null ? counted_ms : counted_ms + openBetween(world.openTime(calendar_id), from, at)
}
