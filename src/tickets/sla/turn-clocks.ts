import type { SlaCause, SlaPauseReason } from '../../core/tables/sla-clocks.ts'
import type { SlaMetric } from '../../core/tables/sla-policies.ts'
import { begin, end, move, type Part, pause, rebase, recount, reopen, resume, type Turning } from './clock.ts'
import type { PolicyTerms, SlaClock, TicketClocks, TimelineEvent } from './clock-types.ts'
import { targetOf } from './policy-types.ts'
import { isClosed, isResponse, isSolution, ownWait, runningOf, waitsSince } from './ticket-clocks.ts'

/** Brings the clocks to what the ticket is now. */
export function turnClocks(state: TicketClocks, turning: Turning, event: TimelineEvent, isChosen: boolean): void {
  const policy = state.policyId === null ? undefined : turning.world.policy(state.policyId)
  if (state.isErased || !policy) {
    withdraw(state, turning)
    return
  }
  if (state.isMerged) {
    for (const clock of runningOf(state)) end(turning, clock, 'dropped')
    return
  }
  turnPromises(state, turning, policy, event, isChosen)
  if (event.what === 'recomputed' && event.cause === 'calendar') {
    for (const clock of runningOf(state)) recount(turning, clock, policy.warn_minutes)
  }
  turnResponse(state, turning, policy, event)
  if (!isClosed(state)) turnSolution(state, turning, policy)
}

/** S12: no policy fits any more, or the client was erased (S15). One event says so of all. */
export function withdraw(state: TicketClocks, turning: Turning): void {
  const running = runningOf(state)
  if (running.length === 0) return
  for (const clock of running) end(turning, clock, 'withdrawn')
  turning.happened({ kind: 'sla.withdrawn', after: { metrics: running.map(({ metric }) => metric) } })
}

/** Whether each clock runs or stands, and by which promise it counts (S6, S8). */
function turnPromises(
  state: TicketClocks,
  turning: Turning,
  policy: PolicyTerms,
  event: TimelineEvent,
  isChosen: boolean
): void {
  const { priority } = state.facts
  for (const clock of runningOf(state)) {
    const promise = promiseOf(policy, clock.metric, priority)
    const isStale = clock.policy_id !== policy.id || clock.priority !== priority || isChosen
    const reason = promise ? reasonToStand(state, policy, clock.metric) : 'no_target'
    if (reason === null && clock.runs_since === null) {
      if (promise && isStale && isOther(clock, promise)) Object.assign(clock, promise)
      resume(turning, clock, policy.warn_minutes)
      continue
    }
    if (promise && isStale && isOther(clock, promise)) {
      move(turning, clock, promise, policy.warn_minutes, causeOf(event, clock.policy_id !== policy.id))
    }
    if (reason !== null && clock.pause_reason !== reason) pause(turning, clock, reason)
  }
}

function promiseOf({ id, version, ...policy }: PolicyTerms, metric: SlaMetric, priority: SlaClock['priority']) {
  const target = targetOf(policy, metric, priority)
  if (!target) return undefined
  const { minutes: target_minutes, calendar_id } = target
  return { policy_id: id, policy_version: version, priority, target_minutes, calendar_id }
}

type Promised = NonNullable<ReturnType<typeof promiseOf>>

function isOther(clock: SlaClock, promise: Promised): boolean {
  return Object.entries(promise).some(([name, value]) => clock[name as keyof Promised] !== value)
}

function causeOf(event: TimelineEvent, isOtherPolicy: boolean): SlaCause {
  if (isOtherPolicy || event.what !== 'changed') return 'policy'
  return event.facts.priority === undefined ? 'policy' : 'priority'
}

/** S3, S4, S13: a clock of the answer runs from the oldest message that waits for one, the first until somebody of staff has answered. */
function turnResponse(state: TicketClocks, turning: Turning, policy: PolicyTerms, event: TimelineEvent): void {
  const since = waitsSince(state)
  const [clock] = runningOf(state, isResponse)
  if (since === null) {
    if (clock) end(turning, clock, 'dropped')
    return
  }
  if (!clock) {
    start(state, turning, policy, state.hasAnswer ? 'next_response' : 'first_response', since)
    return
  }
  if (clock.started_at === since) return
  const parts = partsOf(state, policy, clock.metric, since)
  rebase(turning, clock, { startedAt: since, parts, warnMinutes: policy.warn_minutes }, causeOfRebase(event))
}

function causeOfRebase({ what }: TimelineEvent): SlaCause {
  if (what === 'absorbed') return 'merge'
  return what === 'released' ? 'unmerge' : 'split'
}

/** S6, S9: the clock of the solution runs from the opening to the closing, and on from where it was when the ticket is reopened. */
function turnSolution(state: TicketClocks, turning: Turning, policy: PolicyTerms): void {
  if (runningOf(state, isSolution).length > 0) return
  const last = state.clocks.findLast(isSolution)
  const isOfClosing = last?.outcome === 'met' || last?.outcome === 'breached'
  if (!isOfClosing || last.started_at !== state.solvesFrom) {
    start(state, turning, policy, 'resolution', state.solvesFrom)
    return
  }
  const promise = promiseOf(policy, 'resolution', state.facts.priority)
  if (!promise) return
  Object.assign(last, promise)
  const reason = reasonToStand(state, policy, 'resolution')
  reopen(turning, last, { reason, warnMinutes: policy.warn_minutes })
}

function start(state: TicketClocks, turning: Turning, policy: PolicyTerms, metric: SlaMetric, from: number): void {
  const promise = promiseOf(policy, metric, state.facts.priority)
  if (!promise) return
  const parts = partsOf(state, policy, metric, from)
  state.clocks.push(begin(turning, { metric, ...promise, started_at: from }, parts, policy.warn_minutes))
}

/** How a clock of this kind would have run and stood since then. Until it was merged, a message waited in a ticket of its own (S13). */
function partsOf(state: TicketClocks, policy: PolicyTerms, metric: SlaMetric, since: number): Part[] {
  const elsewhere = Object.values(state.absorbed).find(({ waitsSince }) => waitsSince === since)
  if (metric === 'resolution' || !elsewhere || ownWait(state) === since) return partsSince(state, policy, metric, since)
  const { mergedAt } = elsewhere
  return [{ from: since, to: mergedAt, reason: null }, ...partsSince(state, policy, metric, mergedAt)]
}

function partsSince({ standing }: TicketClocks, policy: PolicyTerms, metric: SlaMetric, since: number): Part[] {
  const parts: Part[] = []
  for (const [index, [at, reasons]] of standing.entries()) {
    const to = standing[index + 1]?.[0] ?? null
    if (to !== null && to <= since) continue
    const reason = reasonAmong(reasons, policy, metric)
    const last = parts.at(-1)
    if (last && last.reason === reason) last.to = to
    else parts.push({ from: index === 0 ? since : Math.max(at, since), to, reason })
  }
  return parts
}

function reasonToStand({ standing }: TicketClocks, policy: PolicyTerms, metric: SlaMetric): SlaPauseReason | null {
  return reasonAmong(standing.at(-1)![1], policy, metric)
}

/** S6: somebody waits for an answer whatever the status says, so only the solution stands while the ticket is answered or snoozed. */
function reasonAmong(
  reasons: readonly SlaPauseReason[],
  { pause_on }: PolicyTerms,
  metric: SlaMetric
): SlaPauseReason | null {
  const standing = reasons.find(reason => {
    if (reason === 'trash' || reason === 'closed') return true
    if (metric !== 'resolution') return false
    return reason === 'merged' || (reason !== 'no_target' && pause_on.includes(reason))
  })
  return standing ?? null
}
