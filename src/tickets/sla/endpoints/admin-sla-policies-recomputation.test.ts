import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../../test/support/sla-desk.ts'
import { catchUpWithLog } from '../../../core/events/follow-log.ts'
import { sequence } from '../../../core/events/read-events.ts'
import { slaReader } from '../clock-reader.ts'

const { desk, admin, berlin, at, opened, clockTo } = await bootSlaDesk()
const monday = (time: string) => `2026-03-09T${time}:00Z`
const firstIn = (Medium: number) => targets('first_response', { Medium }, berlin)

await clockTo(monday('07:00'))
const { id: policy } = await aPolicy(desk, admin, berlin, { name: 'Standard', targets: firstIn(240) })
const { id: tag } = (await at(monday('07:00'), '/api/admin/tags/create', { name: 'vip' })).tag
const { id: other } = (await at(monday('07:00'), '/api/admin/tags/create', { name: 'gold' })).tag
await aPolicy(desk, admin, berlin, {
  name: 'VIP',
  targets: firstIn(60),
  conditions: { all: [{ any: [{ field: 'tags', op: 'has_any', value: ['vip'] }] }] }
})
const tickets = [await opened(monday('08:00')), await opened(monday('08:00'))]
const closed = await opened(monday('08:00'))
await at(monday('08:10'), '/api/admin/tickets/tags', { id: tickets[0], add: [tag] })
await at(monday('08:20'), '/api/tickets/status', { id: closed, status: 'Closed' })

async function progress() {
  await sequence(desk.services)
  await catchUpWithLog(desk.db, slaReader(desk.services))
  const { status, data } = await desk.post('/api/admin/sla-policies/recomputation', admin, {})
  assert.equal(status, 200)
  return data.recomputation
}

const changes: [what: string, path: string, body: () => object, total: number][] = [
  ['hours', '/api/admin/calendars/update', () => ({ id: berlin.id, days: [day('2026-03-11')] }), 2],
  ['a policy', '/api/admin/sla-policies/update', () => ({ id: policy, warn_minutes: 20, apply_to_open: 1 }), 2],
  ['tags', '/api/admin/tags/merge', () => ({ id: other, into_id: tag }), 1]
]
const day = (date: string) => ({ date, name: 'Closed', hours: [] })

for (const [what, path, body, total] of changes) {
  test(`after a change of ${what} admins see of how many tickets the due times are counted anew, and how many are done`, async () => {
    const before = await progress()
    const reply = await desk.post(path, admin, body())
    const begun = await progress()
    await desk.db
      .updateTable('sla_recomputations')
      .where('finished_at', 'is', null)
      .set({ after_id: tickets[0]!, done: 1 })
      .execute()
    const halfway = await progress()
    await clockTo(new Date(desk.services.clock.now().getTime() + 60_000).toISOString())

    assert.ok(reply.status < 300, reply.body.message)
    assert.equal(before, null)
    assert.deepEqual(begun, { done: 0, total })
    assert.deepEqual(halfway, { done: 1, total })
    assert.equal(await progress(), null)
  })
}
