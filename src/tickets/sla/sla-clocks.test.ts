import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, client, berlin, newYork, at, opened, clockTo, clocksOf, toldOf } = await bootSlaDesk()

const standard = {
  targets: [
    ...targets('first_response', { Low: 480, Medium: 240, High: 60 }, berlin),
    ...targets('next_response', { Medium: 120 }, berlin),
    ...targets('resolution', { Medium: 960, High: 480 }, berlin)
  ],
  warn_minutes: 30,
  pause_on: ['answered', 'snoozed']
}
const overseas = {
  conditions: { all: [{ any: [{ field: 'department_id', op: 'in', value: [2] }] }] },
  targets: targets('first_response', { Medium: 240 }, newYork)
}
await clockTo('2026-03-09T07:00:00Z')
await desk.db
  .insertInto('departments')
  .values({ deptid: 2, name: 'Overseas' })
  .onConflict(each => each.doNothing())
  .execute()
await aPolicy(desk, admin, newYork, overseas)
await aPolicy(desk, admin, berlin, standard)

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC, that in New York from 13:00 to 21:00. The 9th is a Monday.

/** The clock of this kind that began last. */
async function clock(ticket: number, metric: string) {
  const found = (await clocksOf(ticket)).findLast(each => each.metric === metric)
  assert.ok(found, `a clock of ${metric}`)
  return found
}

test('S2, S3, S16: a first response over a weekend is warned of, met in time, and tells its steps', async () => {
  const ticket = await opened('2026-03-13T14:30:00Z')
  await clockTo('2026-03-16T10:10:00Z')
  const running = await clock(ticket, 'first_response')
  await at('2026-03-16T10:30:00Z', '/api/admin/tickets/reply', { id: ticket, message: 'We are on it' })

  assert.deepEqual([running.state, running.due_at, running.left_seconds], ['running', '2026-03-16T10:30:00.000Z', 1200])
  assert.deepEqual(
    running.steps.map(({ kind, minutes, why }) => [kind, minutes, why]),
    [
      ['counted', 90, null],
      ['closed', 420, 'outside hours'],
      ['closed', 2880, 'weekend'],
      ['closed', 540, 'outside hours'],
      ['counted', 130, null],
      ['expected', 20, null]
    ]
  )
  const met = await clock(ticket, 'first_response')
  assert.deepEqual([met.state, met.is_ended, met.counted_seconds], ['met', true, 14_400])
  assert.deepEqual(
    (await toldOf(ticket)).map(([kind, { metric }]) => `${kind} ${metric}`),
    [
      ...['sla.started first_response', 'sla.started resolution', 'sla.warned first_response'],
      ...['sla.met first_response', 'sla.paused resolution']
    ]
  )
})

test('S4, S5, S9: next response, closing drops it, and the reopened solution goes on', async () => {
  const ticket = await opened('2026-03-17T08:00:00Z')
  await at('2026-03-17T09:00:00Z', '/api/admin/tickets/reply', { id: ticket, message: 'What is the number?' })
  await at('2026-03-17T10:00:00Z', '/api/tickets/reply', { id: ticket, message: 'It is 7' }, client)
  const next = await clock(ticket, 'next_response')
  await at('2026-03-17T11:00:00Z', '/api/tickets/status', { id: ticket, status: 'Closed' })
  const dropped = await clock(ticket, 'next_response')
  const solved = await clock(ticket, 'resolution')
  await at('2026-03-18T08:00:00Z', '/api/tickets/reply', { id: ticket, message: 'Still broken' }, client)

  assert.deepEqual([next.state, next.due_at], ['running', '2026-03-17T12:00:00.000Z'])
  assert.equal(dropped.state, 'dropped')
  assert.deepEqual([solved.state, solved.counted_seconds], ['met', 2 * 3600])
  const reopened = await clock(ticket, 'resolution')
  assert.deepEqual([reopened.state, reopened.due_at], ['running', '2026-03-19T14:00:00.000Z'])
  assert.deepEqual(
    reopened.steps.filter(({ kind }) => kind === 'paused').map(({ minutes, why }) => [minutes, why]),
    [
      [60, 'Answered by Grace Hopper'],
      [21 * 60, 'Closed']
    ]
  )
  assert.equal((await clock(ticket, 'next_response')).due_at, '2026-03-18T10:00:00.000Z')
})

test('S8, S10, S11: another priority keeps what was counted; late since it was set, and lifted when it is taken back', async () => {
  const ticket = await opened('2026-03-23T08:00:00Z')
  await at('2026-03-23T10:00:00Z', '/api/admin/tickets/update', { id: ticket, priority: 'High' })
  const late = await clock(ticket, 'first_response')
  await at('2026-03-23T11:00:00Z', '/api/admin/tickets/update', { id: ticket, priority: 'Low' })

  assert.deepEqual(
    [late.state, late.due_at, late.breached_at],
    ['breached', '2026-03-23T09:00:00.000Z', '2026-03-23T10:00:00.000Z']
  )
  const lifted = await clock(ticket, 'first_response')
  assert.deepEqual([lifted.state, lifted.due_at, lifted.breached_at], ['running', '2026-03-23T16:00:00.000Z', null])
  assert.deepEqual(
    lifted.earlier.map(({ due_at, cause, event, by }) => [due_at, cause, event, by]),
    [
      ['2026-03-23T12:00:00.000Z', 'priority', 'ticket.updated', 'Grace Hopper'],
      ['2026-03-23T09:00:00.000Z', 'priority', 'ticket.updated', 'Grace Hopper']
    ]
  )
  const kept = lifted.steps.flatMap(({ kind, why }) => (kind === 'moved' ? [why] : []))
  assert.deepEqual(kept, [
    `from here on ${berlin.name}, 2 hours of 1 hour kept`,
    `from here on ${berlin.name}, 3 hours of 8 hours kept`
  ])
  // The policy promises no solution for this priority.
  assert.equal((await clock(ticket, 'resolution')).pause_reason, 'no_target')
  assert.ok((await toldOf(ticket)).some(([kind, { cause }]) => kind === 'sla.breach_lifted' && cause === 'priority'))
})

test('S1, S8: in another department it follows another policy and another calendar, with what was counted', async () => {
  const ticket = await opened('2026-03-24T14:00:00Z')
  await at('2026-03-24T15:00:00Z', '/api/admin/tickets/update', { id: ticket, department_id: 2 })

  const moved = await clock(ticket, 'first_response')
  assert.deepEqual(
    [moved.due_at, moved.target.calendar.id, moved.counted_seconds],
    ['2026-03-24T18:00:00.000Z', newYork.id, 3600]
  )
  assert.deepEqual(moved.policy.fitted, [{ field: 'department_id', op: 'in', value: [2], actual: 2 }])
  assert.deepEqual(moved.policy.names, [{ field: 'department_id', id: 2, name: 'Overseas' }])
  assert.ok(
    moved.steps.some(
      ({ kind, why }) => kind === 'moved' && why === `from here on ${newYork.name}, 1 hour of 4 hours kept`
    )
  )
})

test('S6, Z5: while it is snoozed the solution stands, and the first response does not', async () => {
  const ticket = await opened('2026-03-25T08:00:00Z')
  await at('2026-03-25T09:00:00Z', '/api/admin/tickets/snooze', { id: ticket, until: '2026-03-25T12:00:00Z' })
  const standing = await clock(ticket, 'resolution')
  await clockTo('2026-03-25T12:30:00Z')

  assert.deepEqual([standing.state, standing.pause_reason, standing.due_at], ['paused', 'snoozed', null])
  assert.equal((await clock(ticket, 'resolution')).due_at, '2026-03-27T11:00:00.000Z')
  assert.equal((await clock(ticket, 'first_response')).due_at, '2026-03-25T12:00:00.000Z')
})

test('S15: in the trash all clocks stand; for an anonymized client they end', async () => {
  const ticket = await opened('2026-03-26T08:00:00Z')
  await at('2026-03-26T09:00:00Z', '/api/admin/tickets/delete', { id: ticket })
  const standing = await clocksOf(ticket)
  await at('2026-03-26T12:00:00Z', '/api/admin/tickets/restore', { id: ticket })
  const restored = await clock(ticket, 'first_response')

  assert.deepEqual(
    standing.map(({ pause_reason, due_at }) => [pause_reason, due_at]),
    [
      ['trash', null],
      ['trash', null]
    ]
  )
  assert.equal(restored.due_at, '2026-03-26T15:00:00.000Z')
})
