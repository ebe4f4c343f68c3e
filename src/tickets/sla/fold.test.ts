import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answer,
  calendars,
  firstFacts,
  fromClient,
  isoOf,
  openedTicket,
  policyOf,
  statusSet,
  timelineOf,
  worldWith
} from '../../../test/support/sla-timelines.ts'
import { countedUntil } from './clock.ts'

const all = policyOf({ first_response: 240, next_response: 120, resolution: 960 })
const world = worldWith([all])

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC. The 9th is a Monday.

test('S2: due is the earliest instant at which enough was counted: the end of a day, not the beginning of the next', () => {
  const ticket = openedTicket(world, '2026-03-09T12:00:00Z')

  assert.equal(ticket.due('first_response'), '2026-03-09T16:00:00.000Z')
})

test('S2: ended at the instant at which it is due, it is on time; a millisecond later it is late', () => {
  const inTime = openedTicket(world, '2026-03-09T12:00:00Z').on('2026-03-09T16:00:00.000Z', answer())
  const late = openedTicket(world, '2026-03-09T12:00:00Z').on('2026-03-09T16:00:00.001Z', answer())

  assert.equal(inTime.clock('first_response')!.outcome, 'met')
  assert.equal(late.clock('first_response')!.outcome, 'breached')
  assert.equal(isoOf(late.clock('first_response')!.breached_at), '2026-03-09T16:00:00.000Z')
})

test('S2: a first response over a weekend', () => {
  const ticket = openedTicket(world, '2026-03-13T14:30:00Z')

  assert.equal(ticket.due('first_response'), '2026-03-16T10:30:00.000Z')
})

test('S3: a public answer by a person ends the first response; what the system writes does not', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
  const bySystem = { what: 'message', from: 'system', messageId: 9, receivedAt: 0, status: 'Answered' } as const

  ticket.on('2026-03-09T08:10:00Z', bySystem)
  assert.equal(ticket.clock('first_response')!.ended_at, null)

  ticket.on('2026-03-09T09:00:00Z', answer())
  assert.equal(ticket.clock('first_response')!.outcome, 'met')
  assert.equal(ticket.clock('first_response')!.counted_ms, 3_600_000)
})

test('S3: in a ticket that staff have opened, the first message of the client starts a next response', () => {
  const ticket = timelineOf(world).on('2026-03-09T08:00:00Z', {
    ...{ what: 'opened', facts: firstFacts, unanswered: [], hasAnswer: true }
  })
  assert.deepEqual(ticket.happened(), ['started resolution'])

  ticket.on('2026-03-09T09:00:00Z', fromClient('2026-03-09T09:00:00Z'))

  assert.equal(ticket.due('next_response'), '2026-03-09T11:00:00.000Z')
  assert.equal(ticket.clock('first_response'), undefined)
})

test('S4: a next response starts with the oldest unanswered message; later ones do not start it again', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T09:00:00Z', answer())
    .on('2026-03-09T10:00:00Z', fromClient('2026-03-09T10:00:00Z'))
    .on('2026-03-09T11:00:00Z', fromClient('2026-03-09T11:00:00Z'))

  assert.equal(ticket.due('next_response'), '2026-03-09T12:00:00.000Z')
  assert.equal(ticket.happened().filter(what => what === 'started next_response').length, 1)
})

test('S4: it never runs beside a first response', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on(
    '2026-03-09T10:00:00Z',
    fromClient('2026-03-09T10:00:00Z')
  )

  assert.equal(ticket.due('first_response'), '2026-03-09T12:00:00.000Z')
  assert.equal(ticket.clock('next_response'), undefined)
})

test('S4: the time at which a message was received counts, not the time at which it was read', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T09:00:00Z', answer())
    .on('2026-03-09T12:00:00Z', fromClient('2026-03-09T10:00:00Z'))

  assert.equal(ticket.due('next_response'), '2026-03-09T12:00:00.000Z')
})

test('S5: a status is no answer: set to Answered by hand, the response goes on', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', statusSet('Answered'))

  assert.equal(ticket.clock('first_response')!.ended_at, null)
  assert.equal(ticket.due('first_response'), '2026-03-09T12:00:00.000Z')
})

test('S5: closing drops the response, unless it is late already', () => {
  const early = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', statusSet('Closed'))
  const late = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T13:00:00Z', statusSet('Closed'))

  assert.equal(early.clock('first_response')!.outcome, 'dropped')
  assert.equal(late.clock('first_response')!.outcome, 'breached')
})

test('S5: a client who writes after the closing gets a new clock from that message, not from the opening', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T09:00:00Z', statusSet('Closed'))
    .on('2026-03-10T08:00:00Z', fromClient('2026-03-10T08:00:00Z'))

  assert.equal(ticket.due('first_response'), '2026-03-10T12:00:00.000Z')
})

test('S5: a ticket that staff reopen by its status owes no answer', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T09:00:00Z', statusSet('Closed'))
    .on('2026-03-09T10:00:00Z', statusSet('Open'))

  assert.equal(ticket.clock('first_response')!.outcome, 'dropped')
})

test('S6: the solution runs from the opening to the closing', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
  assert.equal(ticket.due('resolution'), '2026-03-10T16:00:00.000Z')

  ticket.on('2026-03-09T12:00:00Z', statusSet('Closed'))

  assert.equal(ticket.clock('resolution')!.outcome, 'met')
  assert.equal(ticket.clock('resolution')!.counted_ms, 4 * 3_600_000)
})

test('S6, S7: while the ticket is answered the solution stands, with nothing due, and counts on afterwards', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z').on('2026-03-09T12:00:00Z', answer())
  assert.equal(ticket.due('resolution'), null)
  assert.equal(ticket.clock('resolution')!.pause_reason, 'answered')

  ticket.on('2026-03-11T08:00:00Z', fromClient('2026-03-11T08:00:00Z'))

  assert.equal(ticket.due('resolution'), '2026-03-12T12:00:00.000Z')
})

test('S6: a policy says in which states the solution stands, and responses never stand with it', () => {
  const snoozing = worldWith([{ ...all, pause_on: ['snoozed'] }])
  const ticket = openedTicket(snoozing, '2026-03-09T08:00:00Z').on('2026-03-09T09:00:00Z', { what: 'snoozed' })
  assert.equal(ticket.clock('resolution')!.pause_reason, 'snoozed')
  assert.equal(ticket.due('first_response'), '2026-03-09T12:00:00.000Z')

  ticket.on('2026-03-09T10:00:00Z', { what: 'woken' }).on('2026-03-09T10:00:00Z', statusSet('Answered'))

  assert.equal(ticket.due('resolution'), '2026-03-11T09:00:00.000Z')
})

test('S7: to stand and go on outside of hours costs nothing', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T17:00:00Z', statusSet('Answered'))
    .on('2026-03-10T07:00:00Z', statusSet('Open'))

  assert.equal(ticket.due('resolution'), '2026-03-10T16:00:00.000Z')
})

test('S9: a solution that is reopened goes on with what was left; closed time does not count', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T12:00:00Z', statusSet('Closed'))
    .on('2026-03-11T08:00:00Z', statusSet('Open'))

  assert.equal(ticket.due('resolution'), '2026-03-12T12:00:00.000Z')
  assert.equal(ticket.state().clocks.filter(({ metric }) => metric === 'resolution').length, 1)
})

test('S9: reopened by an answer it stands at once, with what was left', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-09T12:00:00Z', statusSet('Closed'))
    .on('2026-03-11T08:00:00Z', answer())

  const clock = ticket.clock('resolution')!
  assert.deepEqual([clock.ended_at, clock.pause_reason, clock.counted_ms], [null, 'answered', 4 * 3_600_000])
})

test('S9: with `restart` a new clock begins, and the old one keeps its outcome', () => {
  const restarting = worldWith([{ ...all, on_reopen: 'restart' }])
  const ticket = openedTicket(restarting, '2026-03-09T08:00:00Z')
    .on('2026-03-11T08:00:00Z', statusSet('Closed'))
    .on('2026-03-12T08:00:00Z', statusSet('Open'))

  const clocks = ticket.state().clocks.filter(({ metric }) => metric === 'resolution')
  assert.deepEqual(
    clocks.map(({ outcome, due_at }) => [outcome, isoOf(due_at)]),
    [
      ['breached', '2026-03-10T16:00:00.000Z'],
      [null, '2026-03-13T16:00:00.000Z']
    ]
  )
})

test('S9: neither closing nor reopening undoes a breach', () => {
  const ticket = openedTicket(world, '2026-03-09T08:00:00Z')
    .on('2026-03-11T08:00:00Z', statusSet('Closed'))
    .on('2026-03-12T08:00:00Z', statusSet('Open'))
    .on('2026-03-12T09:00:00Z', statusSet('Closed'))

  assert.equal(ticket.clock('resolution')!.outcome, 'breached')
  assert.equal(isoOf(ticket.clock('resolution')!.breached_at), '2026-03-10T16:00:00.000Z')
  assert.equal(ticket.happened().filter(what => what === 'breached resolution').length, 1)
})

test('S17: staff are warned when so much is left to be counted, and not at all without a warning or with one beyond the target', () => {
  const ticket = openedTicket(world, '2026-03-13T14:30:00Z')
  assert.equal(isoOf(ticket.clock('first_response')!.warn_at), '2026-03-16T10:00:00.000Z')

  const never = openedTicket(worldWith([{ ...all, warn_minutes: null }]), '2026-03-13T14:30:00Z')
  const beyond = openedTicket(worldWith([{ ...all, warn_minutes: 240 }]), '2026-03-13T14:30:00Z')
  assert.deepEqual([never.clock('first_response')!.warn_at, beyond.clock('first_response')!.warn_at], [null, null])
})

test('S17: a warning falls into open time', () => {
  const ticket = openedTicket(worldWith([{ ...all, warn_minutes: 90 }]), '2026-03-13T13:30:00Z')

  assert.equal(isoOf(ticket.clock('first_response')!.warn_at), '2026-03-13T16:00:00.000Z')
})

test('S18: a calendar that never opens again leaves a clock without an instant, and harms no event', () => {
  const never = worldWith([policyOf({ first_response: 60 }, { calendar: calendars.never })])
  const ticket = openedTicket(never, '2026-03-09T08:00:00Z')
  const clock = ticket.clock('first_response')!
  assert.deepEqual([clock.due_at, clock.warn_at, clock.pause_reason], [null, null, null])
  assert.equal(countedUntil(never, clock, Date.parse('2026-03-20T08:00:00Z')), 0)

  ticket.on('2026-03-20T08:00:00Z', answer())
  assert.equal(ticket.clock('first_response')!.outcome, 'met')
})
