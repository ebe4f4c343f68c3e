import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minuteOracle } from '../../../test/support/minute-oracle.ts'
import { calendarNear } from '../../../test/support/random-calendars.ts'
import { firstFacts, worldWith } from '../../../test/support/sla-timelines.ts'
import type { CalendarHours } from '../../core/calendars/hours.ts'
import { openTimeOf } from '../../core/calendars/open-time.ts'
import { countedUntil } from './clock.ts'
import type { PolicyTerms, SlaEvent, SlaWorld, TicketClocks, TimelineChange, TimelineEvent } from './clock-types.ts'
import { foldEvent, foldEvents } from './fold.ts'

const minute = 60_000

/** What happens at a minute of a ticket that waits for its first answer. */
type Happening = 'High' | 'Medium' | 'trashed' | 'restored' | 'Answered' | 'Open' | 'nothing'

interface Story {
  start: number
  calendars: [CalendarHours, CalendarHours]
  /** Minutes for the priorities Medium, by the first calendar, and High, by the second. */
  targets: [number, number]
  happenings: [minutes: number, what: Happening][]
}

const happening = fc.constantFrom<Happening>('High', 'Medium', 'trashed', 'restored', 'Answered', 'Open', 'nothing')

const story: fc.Arbitrary<Story> = fc.tuple(calendarNear, calendarNear).chain(([{ hours, near }, other]) =>
  fc.record({
    start: fc.constant(near),
    calendars: fc.constant<Story['calendars']>([hours, other.hours]),
    targets: fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 })),
    happenings: fc
      .array(fc.tuple(fc.integer({ min: 0, max: 1500 }), happening), { maxLength: 8 })
      .map(all => all.toSorted(([one], [later]) => one - later))
  })
)

test('clocks are counted as a person would: minute by minute, by what the clock on the wall shows', () => {
  fc.assert(
    fc.property(story, story => {
      const state = foldEvents(worldOf(story), undefined, eventsOf(story))!
      const end = endOf(story)

      for (const metric of ['first_response', 'resolution'] as const) {
        const clock = state.clocks.find(clock => clock.metric === metric)!
        const counted = countedBy(story, metric)
        assert.equal(countedUntil(worldOf(story), clock, end) / minute, counted.minutes, `${metric} counted`)
        if (counted.due !== 'later') assert.equal(clock.due_at, counted.due, `${metric} due`)
        else assert.ok(clock.due_at === null || clock.due_at > end, `${metric} due later`)
        assert.equal(clock.breached_at, counted.breached, `${metric} breached`)
      }
    }),
    { numRuns: 1000 }
  )
})

test('clocks are the same whether events are folded at once or onto what was stored after any of them', () => {
  fc.assert(
    fc.property(story, story => {
      const [world, events] = [worldOf(story), eventsOf(story)]
      const [atOnce, told]: [SlaEvent[], SlaEvent[]] = [[], []]
      const whole = foldEvents(world, undefined, events, event => atOnce.push(event))

      let stored: TicketClocks | undefined
      for (const event of events) stored = asStored(foldEvent(world, stored, event, each => told.push(each)))

      assert.deepEqual(stored, asStored(whole!))
      assert.deepEqual(told, atOnce)
    }),
    { numRuns: 1000 }
  )
})

test('to cut a stretch of the ledger in two changes nothing, and no time is due in closed hours but at a closing', () => {
  fc.assert(
    fc.property(story, fc.integer({ min: 0, max: 1440 }), (story, cut) => {
      const world = worldOf(story)
      const nothing: TimelineEvent = { what: 'recomputed', cause: 'calendar', chooses: false, by: 99, at: endOf(story) }
      const whole = foldEvents(world, undefined, eventsOf(story))!
      const halved = structuredClone(whole)
      for (const clock of halved.clocks) {
        clock.ledger = clock.ledger.flatMap(([from, to, calendar, counted]) => {
          const middle = Math.min(to, from + cut * minute)
          const before = world.openTime(calendar)!.between(new Date(from), new Date(middle))
          return [
            [from, middle, calendar, before],
            [middle, to, calendar, counted - before]
          ]
        })
      }

      const [one, other] = [foldEvent(world, whole, nothing), foldEvent(world, halved, nothing)]

      assert.deepEqual(
        other.clocks.map(({ due_at, counted_ms, breached_at }) => [due_at, counted_ms, breached_at]),
        one.clocks.map(({ due_at, counted_ms, breached_at }) => [due_at, counted_ms, breached_at])
      )
      for (const { due_at, ledger, calendar_id } of one.clocks) {
        if (due_at === null) continue
        const counting = ledger.find(([, to]) => due_at <= to)?.[2] ?? calendar_id
        assert.equal(world.openTime(counting)!.between(new Date(due_at - 1), new Date(due_at)), 1)
      }
    }),
    { numRuns: 300 }
  )
})

/** What a clock counts, when it is due at the end (null while it stands) and since when it is late, counted by minutes. */
function countedBy({ start, calendars, targets, happenings }: Story, metric: 'first_response' | 'resolution') {
  const oracles = calendars.map(minuteOracle)
  const [isHigh, isTrashed, isAnswered] = ['High', 'trashed', 'Answered'].map(() => false) as [
    boolean,
    boolean,
    boolean
  ]
  const ticket = { isHigh, isTrashed, isAnswered }
  const stands = () => ticket.isTrashed || (metric === 'resolution' && ticket.isAnswered)
  const target = () => targets[ticket.isHigh ? 1 : 0]
  /** When the first, the second, the third … minute had been counted. */
  const marks: number[] = []
  const dueAt = () => marks[target() - 1]
  let breached: number | null = null
  const end = endOf({ happenings, start })

  for (let at = start; at <= end; at += minute) {
    for (const [, what] of happenings.filter(([minutes]) => start + minutes * minute === at)) {
      const due = dueAt()
      if (!stands() && breached === null && due !== undefined && due < at) breached = due
      const before = { ...ticket }
      if (what === 'High' || what === 'Medium') ticket.isHigh = what === 'High'
      if (what === 'trashed' || what === 'restored') ticket.isTrashed = what === 'trashed'
      if (what === 'Answered' || what === 'Open') ticket.isAnswered = what === 'Answered'
      const isLate = stands() ? marks.length > target() : (dueAt() ?? at) < at
      if (before.isHigh !== ticket.isHigh && breached !== null && !isLate) breached = null
      if (!stands() && breached === null && isLate) breached = at
    }
    if (at < end && !stands() && oracles[ticket.isHigh ? 1 : 0]!.isOpen(at)) marks.push(at + minute)
  }
  const due = stands() ? null : (dueAt() ?? ('later' as const))
  return { minutes: marks.length, due, breached }
}

/** The last event is at the end, and does nothing: it has what was late by then said. */
function endOf({ happenings, start }: Pick<Story, 'happenings' | 'start'>): number {
  return start + (happenings.at(-1)?.[0] ?? 0) * minute
}

function worldOf({ calendars, targets: [medium, high] }: Story): SlaWorld {
  const openTimes = calendars.map(openTimeOf)
  const targets = (['first_response', 'resolution'] as const).flatMap(metric => [
    { metric, priority: 'Medium' as const, minutes: medium, calendar_id: 0 },
    { metric, priority: 'High' as const, minutes: high, calendar_id: 1 }
  ])
  const policy: PolicyTerms = {
    id: 1,
    version: 1,
    targets,
    pause_on: ['answered'],
    on_reopen: 'resume',
    warn_minutes: 30
  }
  return worldWith([policy], { openTime: id => openTimes[id]! })
}

function eventsOf({ start, happenings }: Story): TimelineEvent[] {
  const opened: TimelineEvent = {
    ...{ what: 'opened', by: 1, at: start, facts: firstFacts, unanswered: [[1, start]], hasAnswer: false }
  }
  return [
    opened,
    ...happenings.map(([minutes, what], index) => ({ by: index + 2, at: start + minutes * minute, ...changeOf(what) }))
  ]
}

function changeOf(what: Happening): TimelineChange {
  switch (what) {
    case 'High':
    case 'Medium':
      return { what: 'changed', facts: { priority: what } }
    case 'Answered':
    case 'Open':
      return { what: 'changed', facts: { status: what } }
    case 'nothing':
      return { what: 'changed', facts: { department_id: 2 } }
    default:
      return { what }
  }
}

/** As the database gives it back: what has ended is not read again, but for the last clock of the solution. */
function asStored(state: TicketClocks): TicketClocks {
  const { clocks, ...others } = JSON.parse(JSON.stringify(state)) as TicketClocks
  const solution = clocks.findLast(({ metric }) => metric === 'resolution')
  return { ...others, clocks: clocks.filter(clock => clock.ended_at === null || clock === solution) }
}
