import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answer,
  calendars,
  fromClient,
  isoOf,
  office,
  officeWeek,
  openedTicket,
  policyOf,
  statusSet,
  timelineOf,
  worldWith
} from '../../../test/support/sla-timelines.ts'
import type { PolicyTerms, TimelineChange } from './clock-types.ts'

const all = policyOf({ first_response: 240, next_response: 120, resolution: 960 })
const world = worldWith([all])
const hour = 3_600_000

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC, that in New York (from the 8th on) from 13:00 to 21:00. The 9th is a Monday.

/** Other minutes for the high priority. */
function withHigh(minutes: number): PolicyTerms {
  const targets = all.targets.map(target => (target.priority === 'High' ? { ...target, minutes } : target))
  return { ...all, targets }
}

function prioritySet(priority: 'High' | 'Medium'): TimelineChange {
  return { what: 'changed', facts: { priority } }
}

test('S8: another priority keeps what was counted, and counts on to its own target', () => {
  const ticket = openedTicket(worldWith([withHigh(120)]), '2026-03-09T08:00:00Z')

  ticket.on('2026-03-09T09:00:00Z', prioritySet('High'))

  assert.equal(ticket.due('first_response'), '2026-03-09T10:00:00.000Z')
  const changed = ticket.events.find(({ kind }) => kind === 'sla.due_changed')
  assert.deepEqual(changed?.after, {
    metric: 'first_response',
    from: '2026-03-09T12:00:00.000Z',
    to: '2026-03-09T10:00:00.000Z',
    cause: 'priority'
  })
})

test('S8: moved to a policy with another calendar, the rest is counted there', () => {
  const there = { ...policyOf({ first_response: 240 }, { calendar: calendars.newYork }), id: 2 }
  const choose = ({ department_id }: { department_id: number }) => (department_id === 1 ? all : there)
  const ticket = openedTicket(
    worldWith([all, there], { choose, namedFields: ['department_id'] }),
    '2026-03-09T14:00:00Z'
  )

  ticket.on('2026-03-09T15:00:00Z', { what: 'changed', facts: { department_id: 2 } })

  const clock = ticket.clock('first_response')!
  assert.deepEqual([clock.counted_ms, clock.calendar_id, clock.policy_id], [hour, calendars.newYork, 2])
  assert.equal(isoOf(clock.due_at), '2026-03-09T18:00:00.000Z')
})

test('S8: a policy without a target stops the clock, and a later one takes it up', () => {
  const bare = { ...policyOf({ next_response: 60 }), id: 2 }
  const choose = ({ department_id }: { department_id: number }) => (department_id === 1 ? all : bare)
  const ticket = openedTicket(
    worldWith([all, bare], { choose, namedFields: ['department_id'] }),
    '2026-03-09T08:00:00Z'
  )

  ticket.on('2026-03-09T09:00:00Z', { what: 'changed', facts: { department_id: 2 } })
  assert.deepEqual([ticket.due('first_response'), ticket.clock('first_response')!.pause_reason], [null, 'no_target'])

  ticket.on('2026-03-09T10:00:00Z', { what: 'changed', facts: { department_id: 1 } })
  assert.equal(ticket.due('first_response'), '2026-03-09T13:00:00.000Z')
})

test('S1: only an event that touches a field that some policy names chooses anew; none fits: the clocks are withdrawn', () => {
  let chosen = 0
  const choose = ({ priority }: { priority: string }) => {
    chosen += 1
    return priority === 'High' ? undefined : all
  }
  const ticket = openedTicket(worldWith([all], { choose, namedFields: ['priority'] }), '2026-03-09T08:00:00Z')

  ticket.on('2026-03-09T09:00:00Z', { what: 'changed', facts: { department_id: 2 } })
  assert.equal(chosen, 1)

  ticket.on('2026-03-09T10:00:00Z', prioritySet('High'))
  assert.deepEqual(
    ticket.state().clocks.map(({ outcome }) => outcome),
    ['withdrawn', 'withdrawn']
  )
  assert.equal(ticket.happened().at(-1), 'withdrawn first_response resolution')
})

test('S10: a target below what was counted is late since it was set, not before', () => {
  const ticket = openedTicket(worldWith([withHigh(60)]), '2026-03-09T08:00:00Z')

  ticket.on('2026-03-09T10:00:00Z', prioritySet('High'))

  const clock = ticket.clock('first_response')!
  assert.deepEqual(
    [isoOf(clock.due_at), isoOf(clock.breached_at)],
    ['2026-03-09T09:00:00.000Z', '2026-03-09T10:00:00.000Z']
  )
})

test('S11: a change that moves due past now lifts the breach, as an event', () => {
  const ticket = openedTicket(worldWith([withHigh(60)]), '2026-03-09T08:00:00Z', { priority: 'High' })

  ticket.on('2026-03-09T10:00:00Z', prioritySet('Medium'))

  const clock = ticket.clock('first_response')!
  assert.deepEqual([isoOf(clock.due_at), clock.breached_at], ['2026-03-09T12:00:00.000Z', null])
  assert.deepEqual(ticket.events.find(({ kind }) => kind === 'sla.breach_lifted')?.after, {
    metric: 'first_response',
    breached_at: '2026-03-09T09:00:00.000Z',
    due_at: '2026-03-09T12:00:00.000Z',
    cause: 'priority'
  })
})

test('S11: a holiday that is added moves running clocks, never to an earlier time', () => {
  const holiday = office('Europe/Berlin', { days: [{ date: '2026-03-10', name: 'Inventory', hours: [] }] })
  const ticket = openedTicket(world, '2026-03-09T14:00:00Z').now(worldWith([all], { openTime: () => holiday }))

  ticket.on('2026-03-09T15:00:00Z', { what: 'recomputed', cause: 'calendar', chooses: false })

  assert.equal(ticket.due('first_response'), '2026-03-11T10:00:00.000Z')
  assert.equal(ticket.due('resolution'), '2026-03-12T14:00:00.000Z')
})

test('S12: the clocks of an archived policy are withdrawn at once, and those of the next are counted from where they would have begun', () => {
  const next = { ...policyOf({ first_response: 300, resolution: 600 }), id: 2 }
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').now(worldWith([next]))

  ticket.on('2026-03-09T10:00:00Z', { what: 'recomputed', cause: 'policy', chooses: true })

  assert.deepEqual(
    ticket.state().clocks.map(({ policy_id, outcome, due_at }) => [policy_id, outcome, isoOf(due_at)]),
    [
      [1, 'withdrawn', '2026-03-09T12:00:00.000Z'],
      [1, 'withdrawn', '2026-03-10T16:00:00.000Z'],
      [2, null, '2026-03-09T13:00:00.000Z'],
      [2, null, '2026-03-10T10:00:00.000Z']
    ]
  )
  assert.equal(ticket.happened().filter(what => what.startsWith('withdrawn')).length, 1)
})

test('S12: what begins later leaves out the time in which it would have stood', () => {
  const none = worldWith([all], { choose: () => undefined, namedFields: [] })
  const ticket = openedTicket(none, '2026-03-09T08:00:00Z')
    .on('2026-03-09T10:00:00Z', answer())
    .on('2026-03-09T12:00:00Z', fromClient('2026-03-09T12:00:00Z'))
    .now(world)

  ticket.on('2026-03-09T13:00:00Z', { what: 'recomputed', cause: 'policy', chooses: true })

  assert.equal(ticket.due('resolution'), '2026-03-11T10:00:00.000Z')
  assert.equal(ticket.due('next_response'), '2026-03-09T14:00:00.000Z')
})

test('S13: the oldest message that nobody has answered starts the clock of the merged ticket', () => {
  const ticket = openedTicket(world, '2026-03-09T09:00:00Z').on('2026-03-09T10:00:00Z', answer())
  const waiting = {
    7: { waitsSince: Date.parse('2026-03-09T08:30:00Z'), mergedAt: Date.parse('2026-03-09T11:00:00Z') }
  }

  ticket.on('2026-03-09T11:00:00Z', { what: 'absorbed', waiting })
  assert.equal(ticket.due('next_response'), '2026-03-09T10:30:00.000Z')

  ticket.on('2026-03-09T11:30:00Z', { what: 'released', tickets: [7] })
  assert.equal(ticket.clock('next_response')!.outcome, 'breached')
})

test('S13: the clocks of what is merged are dropped, and are folded anew when it is separated', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', { what: 'merged' })
  assert.deepEqual(
    ticket.state().clocks.map(({ outcome }) => outcome),
    ['dropped', 'dropped']
  )

  ticket.on('2026-03-09T11:00:00Z', { what: 'unmerged', status: 'Open' })

  assert.equal(ticket.due('first_response'), '2026-03-09T12:00:00.000Z')
  assert.equal(ticket.due('resolution'), '2026-03-11T10:00:00.000Z')
})

test('S13: merged into a closed ticket, the clock stands until that is reopened', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', statusSet('Closed'))
  const waiting = {
    7: { waitsSince: Date.parse('2026-03-09T09:30:00Z'), mergedAt: Date.parse('2026-03-09T10:00:00Z') }
  }

  ticket.on('2026-03-09T10:00:00Z', { what: 'absorbed', waiting })
  assert.deepEqual([ticket.due('first_response'), ticket.clock('first_response')!.pause_reason], [null, 'closed'])

  ticket.on('2026-03-10T08:00:00Z', statusSet('Open'))
  assert.equal(ticket.due('first_response'), '2026-03-10T11:30:00.000Z')
})

test('S14: without the messages that were split off, what waits is folded anew; undone, they wait again', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', {
    ...{ what: 'message', from: 'client', messageId: 2, receivedAt: Date.parse('2026-03-09T09:00:00Z') },
    status: 'Customer-Reply'
  })

  ticket.on('2026-03-09T10:00:00Z', { what: 'split', messages: [1] })
  assert.equal(ticket.due('first_response'), '2026-03-09T13:00:00.000Z')

  ticket.on('2026-03-09T10:05:00Z', { what: 'unsplit', messages: [1] })
  assert.equal(ticket.due('first_response'), '2026-03-09T12:00:00.000Z')
})

test('S15: in the trash all clocks stand, and go on when it is restored', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', { what: 'trashed' })
  assert.deepEqual(
    ticket.state().clocks.map(({ pause_reason, due_at }) => [pause_reason, due_at]),
    [
      ['trash', null],
      ['trash', null]
    ]
  )

  ticket.on('2026-03-10T08:00:00Z', { what: 'restored' })

  assert.equal(ticket.due('first_response'), '2026-03-10T11:00:00.000Z')
})

test('S15: for an erased client clocks end, and none begin again', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', { what: 'erased' })
  ticket.on('2026-03-09T10:00:00Z', fromClient('2026-03-09T10:00:00Z')).on('2026-03-09T11:00:00Z', statusSet('Open'))

  assert.deepEqual(
    ticket.state().clocks.map(({ outcome }) => outcome),
    ['withdrawn', 'withdrawn']
  )
})

test('S16: what had ended in time is not late, even if the log told so after the breach was found', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
  ticket.clock('first_response')!.breached_at = ticket.clock('first_response')!.due_at

  ticket.on('2026-03-09T11:59:00Z', answer())

  assert.equal(ticket.clock('first_response')!.outcome, 'met')
  assert.ok(ticket.happened().includes('breach_lifted first_response'))
})

test('S18: a calendar that closes for good under a running clock takes its due time away, and gives it back', () => {
  const closed = worldWith([all], { openTime: () => office('Europe/Berlin', { weeks: [] }) })
  const reopened = worldWith([all], {
    openTime: () => office('Europe/Berlin', { weeks: [{ valid_from: null, hours: officeWeek }] })
  })
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').now(closed)

  ticket.on('2026-03-09T09:00:00Z', { what: 'recomputed', cause: 'calendar', chooses: false })
  assert.equal(ticket.due('first_response'), null)

  ticket.now(reopened).on('2026-03-09T10:00:00Z', { what: 'recomputed', cause: 'calendar', chooses: false })
  assert.equal(ticket.due('first_response'), '2026-03-09T12:00:00.000Z')
})

test('the first event of a ticket is its opening', () => {
  assert.throws(() => timelineOf(world).on('2026-03-09T08:00:00Z', { what: 'trashed' }))
})
