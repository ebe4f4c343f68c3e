import type { SlaPauseReason } from '../../core/tables/sla-clocks.ts'
import { end, settle, type Turning } from './clock.ts'
import type { SlaEvent, SlaWorld, TicketClocks, TimelineEvent } from './clock-types.ts'
import { isClosed, isResponse, runningOf } from './ticket-clocks.ts'
import { turnClocks, withdraw } from './turn-clocks.ts'

/** As many messages are kept to tell which waits, if the first are split off. */
const mostUnanswered = 100

/**
 * The clocks of a ticket after one more event; the first is its opening. What follows from it is told to `happened`. It is the same whether all events
 * are folded at once, or each is folded onto what was stored after the one before it.
 */
export function foldEvent(
  world: SlaWorld,
  former: TicketClocks | undefined,
  event: TimelineEvent,
  happened: (event: SlaEvent) => void = () => {}
): TicketClocks {
  const state = former ? structuredClone(former) : opened(event)
  // The processes of a desk may differ by milliseconds.
  const turning: Turning = { world, by: event.by, at: Math.max(event.at, state.at), happened }
  for (const clock of state.clocks) settle(turning, clock)
  state.at = turning.at
  // A recomputation is no event of the ticket: those before it may still have to be read.
  if (event.what !== 'recomputed') state.by = event.by
  if (state.isErased) return state
  takeIn(state, turning, event)
  noteStanding(state)
  const isChosen = choosePolicy(state, turning, event)
  turnClocks(state, turning, event, isChosen)
  return state
}

/** The same for several events in order. */
export function foldEvents(
  world: SlaWorld,
  former: TicketClocks | undefined,
  events: readonly TimelineEvent[],
  happened?: (event: SlaEvent) => void
): TicketClocks | undefined {
  return events.reduce<TicketClocks | undefined>((state, event) => foldEvent(world, state, event, happened), former)
}

function opened(event: TimelineEvent): TicketClocks {
  if (event.what !== 'opened') throw new Error(`The first event of a ticket is its opening, not "${event.what}"`)
  return {
    by: event.by,
    at: event.at,
    openedAt: event.at,
    solvesFrom: event.at,
    unanswered: event.unanswered,
    splitOff: [],
    absorbed: {},
    hasAnswer: event.hasAnswer,
    isTrashed: false,
    isSnoozed: false,
    isMerged: false,
    isErased: false,
    policyId: null,
    standing: [],
    facts: event.facts,
    clocks: []
  }
}

/** What an event changes of a ticket itself. */
function takeIn(state: TicketClocks, turning: Turning, event: TimelineEvent): void {
  const wasClosed = isClosed(state)
  switch (event.what) {
    case 'opened':
    case 'recomputed':
      return
    case 'message':
      if (event.from === 'person') answered(state, turning)
      state.facts = { ...state.facts, status: event.status }
      break
    case 'changed':
      state.facts = { ...state.facts, ...event.facts }
      break
    case 'merged':
      state.isMerged = true
      state.facts = { ...state.facts, status: 'Closed' }
      return
    case 'unmerged':
      state.isMerged = false
      state.facts = { ...state.facts, status: event.status }
      // What was separated from its target meanwhile waits here no more.
      for (const ticket of Object.keys(state.absorbed)) {
        if (event.parts?.includes(Number(ticket)) === false) delete state.absorbed[Number(ticket)]
      }
      return
    case 'absorbed':
      Object.assign(state.absorbed, event.waiting)
      return
    case 'released':
      for (const ticket of event.tickets) delete state.absorbed[ticket]
      return
    case 'split':
      state.splitOff.push(...state.unanswered.filter(([id]) => event.messages.includes(id)))
      state.unanswered = state.unanswered.filter(([id]) => !event.messages.includes(id))
      return
    case 'unsplit':
      state.unanswered.push(...state.splitOff.filter(([id]) => event.messages.includes(id)))
      state.splitOff = state.splitOff.filter(([id]) => !event.messages.includes(id))
      return
    case 'split_from':
      state.unanswered = event.unanswered
      state.hasAnswer = event.hasAnswer
      return
    case 'trashed':
    case 'restored':
      state.isTrashed = event.what === 'trashed'
      return
    case 'snoozed':
    case 'woken':
      state.isSnoozed = event.what === 'snoozed'
      return
    case 'erased':
      state.isErased = true
      return
  }
  if (isClosed(state) && !wasClosed) closed(state, turning)
  if (wasClosed && !isClosed(state)) reopened(state, turning)
  if (event.what === 'message' && event.from === 'client' && state.unanswered.length < mostUnanswered) {
    state.unanswered.push([event.messageId, Math.min(event.receivedAt, turning.at)])
  }
}

/** S3, S4: a person of staff has answered in public. */
function answered(state: TicketClocks, turning: Turning): void {
  for (const clock of runningOf(state, isResponse)) end(turning, clock, 'met')
  nobodyWaits(state)
  state.hasAnswer = true
}

/** S5, S6: closing drops the clocks of answers, and ends that of the solution. */
function closed(state: TicketClocks, turning: Turning): void {
  for (const clock of runningOf(state)) end(turning, clock, isResponse(clock) ? 'dropped' : 'met')
  nobodyWaits(state)
}

/** S9: the solution goes on with what was left, or begins anew. */
function reopened(state: TicketClocks, { world, at }: Turning): void {
  const policy = state.policyId === null ? undefined : world.policy(state.policyId)
  if (policy?.on_reopen === 'restart') state.solvesFrom = at
}

function nobodyWaits(state: TicketClocks): void {
  state.unanswered = []
  state.splitOff = []
  for (const absorbed of Object.values(state.absorbed)) absorbed.waitsSince = null
}

/** Notes from when on the ticket is in which of the states in which a clock may stand. */
function noteStanding(state: TicketClocks): void {
  const reasons: SlaPauseReason[] = []
  if (state.isTrashed) reasons.push('trash')
  if (state.isMerged) reasons.push('merged')
  else if (isClosed(state)) reasons.push('closed')
  if (state.facts.status === 'Answered') reasons.push('answered')
  if (state.isSnoozed) reasons.push('snoozed')
  const last = state.standing.at(-1)
  if (last?.[1].join() !== reasons.join()) state.standing.push([state.at, reasons])
}

/** S1: chosen at the opening and after any event that touches a field that some policy names. Returns whether it was chosen anew. */
function choosePolicy(state: TicketClocks, turning: Turning, event: TimelineEvent): boolean {
  const { world } = turning
  const isArchived = state.policyId !== null && world.policy(state.policyId) === undefined
  if (isArchived) withdraw(state, turning)
  else if (!mayChoose(world, event)) return false
  state.policyId = world.choose(state)?.id ?? null
  return true
}

function mayChoose({ namedFields }: SlaWorld, event: TimelineEvent): boolean {
  switch (event.what) {
    case 'opened':
      return true
    case 'recomputed':
      return event.chooses
    case 'changed':
      return [...Object.keys(event.facts), ...(event.touches ?? [])].some(field => namedFields.has(field))
    case 'message':
    case 'merged':
    case 'unmerged':
      return namedFields.has('status')
    default:
      return false
  }
}
