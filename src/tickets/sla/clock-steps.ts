import type { ClosedReason } from '../../core/calendars/segments.ts'
import type { SlaPauseReason, SlaTurn } from '../../core/tables/sla-clocks.ts'
import { countedUntil, targetOf } from './clock.ts'
import type { SlaClock, SlaWorld, TicketClocks } from './clock-types.ts'

// How a clock came to what it shows: every stretch of time from where it began, with the reason. Instants are in milliseconds.

/** A stretch; `expected`: it will count if nothing changes. A move takes no time. */
export interface ClockStep {
  from: number
  to: number
  kind: 'counted' | 'closed' | 'paused' | 'moved' | 'expected'
  milliseconds: number
  why: StepReason | null
}

export type StepReason =
  | { is: 'closed'; reason: ClosedReason; name: string | null }
  /** `by`: the row of the event with which it began to stand, if that is known. */
  | { is: 'paused'; reason: SlaPauseReason; by: number | null }
  /** What was kept when it moved, of the target that held from then on. */
  | { is: 'moved'; calendarId: number; kept: number; target: number }

/** The course of a clock until now, and until it will be due. Throws if what counted in it is not what the clock has counted. */
export function stepsOf(
  world: SlaWorld,
  clock: SlaClock,
  standing: TicketClocks['standing'],
  now: number
): ClockStep[] {
  const until = Math.max(clock.ended_at ?? now, clock.runs_since ?? 0)
  const steps: ClockStep[] = []
  let at = clock.started_at
  const stand = (to: number) => {
    if (to > at) steps.push(...pausesOf(clock, standing, at, to))
    at = to
  }
  for (const [from, to, calendarId, counted] of clock.ledger) {
    stand(from)
    steps.push(...countedSteps(world, calendarId, from, to, counted))
    at = to
  }
  if (clock.runs_since === null) stand(until)
  else {
    stand(clock.runs_since)
    const { calendar_id, runs_since } = clock
    const counted = countedUntil(world, clock, until) - clock.counted_ms
    steps.push(...countedSteps(world, calendar_id, runs_since, until, counted))
    if (clock.due_at !== null && clock.due_at > until) steps.push(...expectedSteps(world, clock, until, clock.due_at))
  }
  requireSum(world, clock, steps, until)
  return withMoves(clock, steps)
}

function requireSum(world: SlaWorld, clock: SlaClock, steps: readonly ClockStep[], until: number): void {
  const sum = steps.reduce((sum, { kind, milliseconds }) => (kind === 'counted' ? sum + milliseconds : sum), 0)
  const counted = countedUntil(world, clock, until)
  if (sum !== counted)
    throw new Error(`The steps of the clock ${clock.id} count ${sum} ms, and the clock ${counted} ms`)
}

function countedSteps(world: SlaWorld, calendarId: number, from: number, to: number, counted: number): ClockStep[] {
  const openTime = world.openTime(calendarId)
  if (!openTime) return to > from ? [{ from, to, kind: 'counted', milliseconds: counted, why: null }] : []
  return openTime.steps(new Date(from), new Date(to)).map(({ from, to, kind, milliseconds, reason, name }) => ({
    from: from.getTime(),
    to: to.getTime(),
    kind,
    milliseconds,
    why: reason === null ? null : { is: 'closed', reason, name }
  }))
}

function expectedSteps(world: SlaWorld, clock: SlaClock, from: number, to: number): ClockStep[] {
  return countedSteps(world, clock.calendar_id, from, to, 0).map(step =>
    step.kind === 'counted' ? { ...step, kind: 'expected' } : step
  )
}

/** Why it stood: as its turns say or, where it was counted afterwards, the states in which the ticket was. */
function pausesOf(clock: SlaClock, standing: TicketClocks['standing'], from: number, to: number): ClockStep[] {
  const changes = clock.turns.filter(({ what, at }) => what === 'paused' && at >= from && at < to)
  if (changes[0]?.at !== from) {
    const end = changes[0]?.at ?? to
    const state = standing.findLast(([at]) => at <= from)
    const reason = state?.[1][0] ?? 'answered'
    return [pause(from, end, reason, null), ...changes.map((turn, at) => pauseOf(turn, changes[at + 1]?.at ?? to))]
  }
  return changes.map((turn, at) => pauseOf(turn, changes[at + 1]?.at ?? to)).filter(({ from, to }) => to > from)
}

function pauseOf({ at, by, reason }: SlaTurn, to: number): ClockStep {
  return pause(at, to, reason ?? 'answered', by)
}

function pause(from: number, to: number, reason: SlaPauseReason, by: number | null): ClockStep {
  return { from, to, kind: 'paused', milliseconds: to - from, why: { is: 'paused', reason, by } }
}

/** Puts in where another calendar or target took over. */
function withMoves(clock: SlaClock, steps: readonly ClockStep[]): ClockStep[] {
  const moves = clock.turns.flatMap((turn, index): ClockStep[] => {
    const former = clock.turns[index - 1]
    if (!former || turn.at < clock.started_at) return []
    if (former.calendar_id === turn.calendar_id && former.target_minutes === turn.target_minutes) return []
    const { at, calendar_id: calendarId, counted_ms: kept } = turn
    const target = targetOf(turn)
    return [{ from: at, to: at, kind: 'moved', milliseconds: 0, why: { is: 'moved', calendarId, kept, target } }]
  })
  if (moves.length === 0) return [...steps]
  const all = steps.flatMap(step =>
    cutAt(
      step,
      moves.map(({ from }) => from)
    )
  )
  return [...all, ...moves].toSorted((one, other) => one.from - other.from || one.to - other.to)
}

/** A stretch in parts, where it is cut by a move that keeps its calendar. */
function cutAt(step: ClockStep, instants: readonly number[]): ClockStep[] {
  const at = instants.find(instant => instant > step.from && instant < step.to)
  if (at === undefined) return [step]
  const isOfTime = step.milliseconds > 0
  const first = { ...step, to: at, milliseconds: isOfTime ? at - step.from : 0 }
  return [first, ...cutAt({ ...step, from: at, milliseconds: isOfTime ? step.to - at : 0 }, instants)]
}

/** When it had been due before, and the turn with which that changed. */
export function earlierDues(clock: SlaClock): { due: number; turn: SlaTurn }[] {
  const earlier: { due: number; turn: SlaTurn }[] = []
  let due: number | null = null
  for (const turn of clock.turns) {
    if (due !== null && turn.due !== due && turn.due !== null) earlier.push({ due, turn })
    due = turn.due ?? due
  }
  const last = clock.turns.at(-1)
  if (due !== null && last?.due === null) earlier.push({ due, turn: last })
  return earlier
}
