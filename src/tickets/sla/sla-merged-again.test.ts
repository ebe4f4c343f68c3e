import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, berlin, at, opened, clockTo, clocksOf } = await bootSlaDesk()

await clockTo('2026-03-09T07:00:01Z')
await aPolicy(desk, admin, berlin, {
  targets: [
    ...targets('first_response', { Medium: 240 }, berlin),
    ...targets('next_response', { Medium: 120 }, berlin),
    ...targets('resolution', { Medium: 960 }, berlin)
  ]
})

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC.

/** What is done to tickets on one day, and when it makes a clock due. */
function on(day: string) {
  const then = (time: string) => `${day}T${time}:00Z`
  return {
    opens: async (time: string) => await opened(then(time)),
    replies: async (time: string, id: number) =>
      await at(then(time), '/api/admin/tickets/reply', { id, message: 'Which printer?' }),
    merge: async (time: string, id: number, into_id: number) =>
      await at(then(time), '/api/admin/tickets/merge', { id, into_id }),
    unmerge: async (time: string, id: number) => await at(then(time), '/api/admin/tickets/unmerge', { id }),
    async due(ticket: number, metric: string) {
      const { state, due_at } = (await clocksOf(ticket)).findLast(each => each.metric === metric)!
      return state === 'running' ? due_at!.slice(11, 16) : state
    }
  }
}

test('S13: what was separated and then merged into the target itself stays there when the ticket with which it came is separated', async () => {
  const { opens, replies, merge, unmerge, due } = on('2026-03-23')
  const [a, b, c] = [await opens('08:00'), await opens('08:10'), await opens('08:20')]
  await replies('08:30', c)
  await merge('08:40', a, b)
  await merge('08:50', b, c)
  await unmerge('09:00', a)
  await merge('09:10', a, c)
  await unmerge('09:20', b)
  // Of the message of the first, which waits since eight.
  assert.deepEqual([await due(b, 'first_response'), await due(c, 'next_response')], ['12:10', '10:00'])
  await unmerge('09:30', a)
  assert.deepEqual([await due(a, 'first_response'), await due(c, 'next_response')], ['12:00', 'dropped'])
  assert.equal(await due(b, 'first_response'), '12:10')
})

test('S13: the same where the ticket with which it came was itself brought along', async () => {
  const { opens, replies, merge, unmerge, due } = on('2026-03-24')
  const [a, b, c, d] = [await opens('08:00'), await opens('08:10'), await opens('08:20'), await opens('08:30')]
  await replies('08:35', d)
  await merge('08:40', a, b)
  await merge('08:41', b, c)
  await merge('08:42', c, d)
  await unmerge('08:50', a)
  await unmerge('09:00', c)
  await merge('09:10', a, c)
  await unmerge('09:20', b)
  assert.deepEqual([await due(b, 'first_response'), await due(d, 'next_response')], ['12:10', 'dropped'])
  assert.equal(await due(c, 'first_response'), '12:00')
  await unmerge('09:30', a)
  assert.deepEqual([await due(a, 'first_response'), await due(c, 'first_response')], ['12:00', '12:20'])
})
