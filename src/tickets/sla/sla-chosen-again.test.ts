import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, berlin, at, opened, clockTo, clocksOf } = await bootSlaDesk()

await clockTo('2026-03-09T07:00:00Z')
const newTag = async (name: string) =>
  (await at('2026-03-09T07:00:00Z', '/api/admin/tags/create', { name })).tag.id as number
const [vip, gold, plain] = [await newTag('vip'), await newTag('gold'), await newTag('plain')]
for (const [deptid, name] of [
  [71, 'Overseas'],
  [72, 'Abroad']
] as const) {
  await at('2026-03-09T07:00:00Z', '/api/admin/departments/create', { department_id: deptid, name })
}
const firstIn = (Medium: number) => targets('first_response', { Medium }, berlin)
const having = (field: string, op: string, value: unknown) => ({ all: [{ any: [{ field, op, value }] }] })
await aPolicy(desk, admin, berlin, {
  name: 'VIP',
  targets: firstIn(60),
  conditions: having('tags', 'has_any', ['vip'])
})
await aPolicy(desk, admin, berlin, {
  name: 'Far away',
  targets: firstIn(480),
  conditions: having('department_id', 'in', [71])
})
await aPolicy(desk, admin, berlin, { name: 'Standard', targets: firstIn(240) })

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC. The 9th is a Monday.

async function chosen(ticket: number) {
  const { policy, due_at } = (await clocksOf(ticket)).at(-1)!
  return [policy.name, due_at]
}

const tagged = async (now: string, tags: number[]) => {
  const id = await opened(now)
  await at(now, '/api/admin/tickets/tags', { id, add: tags })
  return id
}

test('S1: where a tag is merged into another, the tickets that have it choose their policy again, and no others', async () => {
  const [merged, both, other] = [
    await tagged('2026-03-09T08:00:00Z', [gold]),
    await tagged('2026-03-09T08:00:00Z', [vip, gold]),
    await tagged('2026-03-09T08:00:00Z', [plain])
  ]
  const before = [await chosen(merged), await chosen(both), await chosen(other)]
  await at('2026-03-09T08:30:00Z', '/api/admin/tags/merge', { id: gold, into_id: vip })
  await clockTo('2026-03-09T08:30:06Z')

  const standard = ['Standard', '2026-03-09T12:00:00.000Z']
  const fast = ['VIP', '2026-03-09T09:00:00.000Z']
  assert.deepEqual(before, [standard, fast, standard])
  assert.deepEqual([await chosen(merged), await chosen(both), await chosen(other)], [fast, fast, standard])
})

test('S1: a policy that names a merged tag takes the tickets that have had the other one', async () => {
  const ticket = await tagged('2026-03-10T08:00:00Z', [plain])
  await at('2026-03-10T08:30:00Z', '/api/admin/tags/merge', { id: vip, into_id: plain })
  await clockTo('2026-03-10T08:30:06Z')

  assert.deepEqual(await chosen(ticket), ['VIP', '2026-03-10T09:00:00.000Z'])
})

test('S1: where a department is deleted, the tickets that move choose their policy again', async () => {
  const ticket = await opened('2026-03-11T08:00:00Z', { department_id: 72 })
  const before = await chosen(ticket)
  await at('2026-03-11T08:30:00Z', '/api/admin/departments/delete', { id: 72, move_to_department_id: 71 })

  assert.deepEqual(before, ['Standard', '2026-03-11T12:00:00.000Z'])
  assert.deepEqual(await chosen(ticket), ['Far away', '2026-03-11T16:00:00.000Z'])
})

test('S1: where a tag is deleted, a ticket that has none any more chooses its policy again', async () => {
  const { tag } = await at('2026-03-12T07:59:00Z', '/api/admin/tags/create', { name: 'rare' })
  const { id } = await aPolicy(desk, admin, berlin, {
    name: 'Tagged',
    targets: firstIn(120),
    conditions: { all: [{ any: [{ field: 'tags', op: 'is_set' }] }] }
  })
  const { policies } = await at('2026-03-12T07:59:00Z', '/api/admin/sla-policies/list', {})
  const others = policies.map((policy: { id: number }) => policy.id).filter((other: number) => other !== id)
  await at('2026-03-12T07:59:00Z', '/api/admin/sla-policies/reorder', { ids: [id, ...others] })
  const ticket = await tagged('2026-03-12T08:00:00Z', [tag.id])
  const before = await chosen(ticket)
  await at('2026-03-12T08:30:00Z', '/api/admin/tags/delete', { id: tag.id })
  await clockTo('2026-03-12T08:30:06Z')

  assert.deepEqual(before, ['Tagged', '2026-03-12T10:00:00.000Z'])
  assert.deepEqual(await chosen(ticket), ['Standard', '2026-03-12T12:00:00.000Z'])
})
