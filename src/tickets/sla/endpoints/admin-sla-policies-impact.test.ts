import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../../test/support/sla-desk.ts'

const { desk, admin, berlin, opened, clockTo } = await bootSlaDesk()
const impact = async (body: object) => {
  const reply = await desk.post('/api/admin/sla-policies/impact', admin, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}
const figures = ({ running_clocks, earlier, later, newly_breached, lifted }: Record<string, number>) => ({
  ...{ running_clocks, earlier, later, newly_breached, lifted }
})

await clockTo('2026-03-10T08:00:00Z')
const before = await opened('2026-03-10T08:00:00Z')

test('the impact of a first policy is on tickets that were opened before it, and nothing is written', async () => {
  await clockTo('2026-03-10T10:00:00Z')
  const rows = await desk.rowCounts()

  const fields = { targets: targets('first_response', { Medium: 240 }, berlin) }
  const calm = await impact(fields)
  const late = await impact({ targets: targets('first_response', { Medium: 60 }, berlin) })
  const none = await impact({
    ...fields,
    conditions: { all: [{ any: [{ field: 'priority', op: 'is', value: 'Low' }] }] }
  })

  assert.deepEqual(figures(calm), { running_clocks: 1, earlier: 0, later: 0, newly_breached: 0, lifted: 0 })
  assert.equal(calm.sample[0].ticket.id, before)
  assert.deepEqual([calm.sample[0].was, calm.sample[0].will_be], [null, '2026-03-10T12:00:00.000Z'])
  assert.equal(late.newly_breached, 1)
  assert.deepEqual([none.running_clocks, none.sample], [0, []])
  assert.deepEqual(await desk.rowCounts(), rows)
})

test('the impact of an update says what is due earlier or later, late at once and not late any more', async () => {
  const policy = await aPolicy(desk, admin, berlin, {
    targets: targets('first_response', { Medium: 240, High: 60 }, berlin),
    apply_to_open: 1
  })
  const high = await opened('2026-03-10T10:00:00Z', { priority: 'High' })
  await clockTo('2026-03-10T11:30:00Z')

  const same = await impact({ id: policy.id })
  const longer = await impact({ id: policy.id, targets: targets('first_response', { Medium: 300, High: 120 }, berlin) })
  const shorter = await impact({ id: policy.id, targets: targets('first_response', { Medium: 120, High: 60 }, berlin) })
  const off = await impact({ id: policy.id, is_active: 0 })

  assert.deepEqual(figures(same), { running_clocks: 2, earlier: 0, later: 0, newly_breached: 0, lifted: 0 })
  assert.deepEqual(figures(longer), { running_clocks: 2, earlier: 0, later: 2, newly_breached: 0, lifted: 1 })
  assert.deepEqual(figures(shorter), { running_clocks: 2, earlier: 1, later: 0, newly_breached: 1, lifted: 0 })
  assert.equal(off.running_clocks, 0)
  assert.deepEqual(
    longer.sample.map(({ ticket, was, will_be }: { ticket: { id: number }; was: string; will_be: string }) => [
      ticket.id,
      was,
      will_be
    ]),
    [
      [high, '2026-03-10T11:00:00.000Z', '2026-03-10T12:00:00.000Z'],
      [before, '2026-03-10T12:00:00.000Z', '2026-03-10T13:00:00.000Z']
    ]
  )
  // As it is applied.
  await desk.post('/api/admin/sla-policies/update', admin, {
    id: policy.id,
    targets: targets('first_response', { Medium: 300, High: 120 }, berlin),
    apply_to_open: 1
  })
  await clockTo('2026-03-10T11:31:00Z')
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id: high })
  assert.deepEqual([data.ticket.sla.state, data.ticket.sla.due_at], ['running', '2026-03-10T12:00:00.000Z'])
})

test('what cannot be saved has no impact', async () => {
  const refused = await desk.post('/api/admin/sla-policies/impact', admin, { warn_minutes: 0 })
  const unknown = await desk.post('/api/admin/sla-policies/impact', admin, { id: 4_711 })

  assert.deepEqual([refused.status, refused.body.errors, unknown.status], [400, ['warn_minutes'], 404])
})

test('a policy by which clocks were counted is archived, and cannot be deleted', async () => {
  const { policies } = (await desk.post('/api/admin/sla-policies/list', admin)).data
  const { id } = policies[0]

  const deleted = await desk.post('/api/admin/sla-policies/delete', admin, { id })
  const archived = await desk.post('/api/admin/sla-policies/archive', admin, { id })
  const again = await desk.post('/api/admin/sla-policies/delete', admin, { id })

  assert.deepEqual([deleted.status, deleted.body.reason], [409, 'sla_policy_has_clocks'])
  assert.deepEqual([archived.status, again.status], [200, 409])
})
