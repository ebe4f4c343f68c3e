import type { CalendarHours, WeekHours } from '../../src/core/calendars/hours.ts'
import { type OpenTime, openTimeOf } from '../../src/core/calendars/open-time.ts'
import type { SlaMetric } from '../../src/core/tables/sla-policies.ts'
import type { TicketPriority } from '../../src/core/tables/tickets.ts'
import { instantText } from '../../src/tickets/sla/clock.ts'
import type {
  PolicyTerms,
  SlaClock,
  SlaEvent,
  SlaFacts,
  SlaWorld,
  TicketClocks,
  TimelineChange
} from '../../src/tickets/sla/clock-types.ts'
import { foldEvent } from '../../src/tickets/sla/fold.ts'

const nineToFive = [['09:00', '17:00']] as const
export const officeWeek: WeekHours = {
  ...{ mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }
}

/** Monday to Friday from nine to five. */
export function office(time_zone: string, given: Partial<CalendarHours> = {}): OpenTime {
  return openTimeOf({
    time_zone,
    is_always: false,
    weeks: [{ valid_from: null, hours: officeWeek }],
    days: [],
    ...given
  })
}

/** The calendars of these tests: an office in Berlin, one in New York, and one that never opens. */
export const calendars = {
  berlin: 2,
  newYork: 3,
  never: 4
}
const openTimes = new Map([
  [calendars.berlin, office('Europe/Berlin')],
  [calendars.newYork, office('America/New_York')],
  [calendars.never, office('Europe/Berlin', { weeks: [] })]
])

type Targets = { [M in SlaMetric]?: number }

/** A policy with the same targets for each priority, in minutes of the Berlin office. */
export function policyOf(targets: Targets, given: Partial<PolicyTerms> & { calendar?: number } = {}): PolicyTerms {
  const { calendar = calendars.berlin, ...others } = given
  const priorities: TicketPriority[] = ['Low', 'Medium', 'High', 'Critical']
  return {
    id: 1,
    version: 1,
    pause_on: ['answered'],
    on_reopen: 'resume',
    warn_minutes: 30,
    targets: Object.entries(targets).flatMap(([metric, minutes]) =>
      priorities.map(priority => ({ metric: metric as SlaMetric, priority, minutes, calendar_id: calendar }))
    ),
    ...others
  }
}

/** A world with these policies; `choose` takes the first, unless a test says otherwise. */
export function worldWith(
  policies: readonly PolicyTerms[],
  given: {
    choose?(facts: SlaFacts): PolicyTerms | undefined
    namedFields?: string[]
    openTime?: SlaWorld['openTime']
  } = {}
): SlaWorld {
  return {
    choose: ({ facts }) => (given.choose ? given.choose(facts) : policies[0]),
    namedFields: new Set(given.namedFields),
    policy: id => policies.find(policy => policy.id === id),
    openTime: given.openTime ?? (id => openTimes.get(id)!)
  }
}

export const firstFacts: SlaFacts = { status: 'Open', priority: 'Medium', department_id: 1, assigned_staff_id: null }

/** A ticket whose clocks are folded event by event. Instants are given as text. */
export interface Timeline {
  /** What the ticket is like now. */
  state(): TicketClocks
  on(at: string, change: TimelineChange): Timeline
  /** The policies and calendars from here on. */
  now(world: SlaWorld): Timeline
  /** The newest clock of this kind. */
  clock(metric: SlaMetric): SlaClock | undefined
  /** When that one is due, as ISO 8601. */
  due(metric: SlaMetric): string | null
  /** The kinds of what has happened, with their metrics. */
  happened(): string[]
  events: SlaEvent[]
}

/** A ticket that a client has opened. */
export function openedTicket(world: SlaWorld, at: string, facts: Partial<SlaFacts> = {}): Timeline {
  return timelineOf(world).on(at, {
    what: 'opened',
    facts: { ...firstFacts, ...facts },
    unanswered: [[1, Date.parse(at)]],
    hasAnswer: false
  })
}

export function timelineOf(first: SlaWorld): Timeline {
  let [world, by] = [first, 0]
  let state: TicketClocks | undefined
  const events: SlaEvent[] = []
  const timeline: Timeline = {
    events,
    state: () => state!,
    on(at, change) {
      by += 1
      state = foldEvent(world, state, { by, at: Date.parse(at), ...change }, event => events.push(event))
      return timeline
    },
    now(next) {
      world = next
      return timeline
    },
    clock: metric => state!.clocks.findLast(clock => clock.metric === metric),
    due: metric => isoOf(timeline.clock(metric)?.due_at ?? null),
    happened: () =>
      events.map(({ kind, after }) => `${kind.slice(4)} ${'metrics' in after ? after.metrics.join(' ') : after.metric}`)
  }
  return timeline
}

export const isoOf: (at: number | null) => string | null = instantText

let messageIds = 1
/** A message of the client. */
export function fromClient(receivedAt: string): TimelineChange {
  messageIds += 1
  const message = { messageId: messageIds, receivedAt: Date.parse(receivedAt) }
  return { what: 'message', from: 'client', status: 'Customer-Reply', ...message }
}

/** A person's answer. */
export function answer(status: SlaFacts['status'] = 'Answered'): TimelineChange {
  return { what: 'message', from: 'person', messageId: 0, receivedAt: 0, status }
}

export function statusSet(status: SlaFacts['status']): TimelineChange {
  return { what: 'changed', facts: { status } }
}
