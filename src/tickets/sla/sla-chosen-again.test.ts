import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSupporter } from '../../../test/support/people.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, client, berlin, at, opened, clockTo, clocksOf } = await bootSlaDesk()

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

/** A policy that is tried before all others. */
async function firstPolicy(now: string, given: { name: string; targets: object[]; conditions: object }) {
  await clockTo(now)
  const { id } = await aPolicy(desk, admin, berlin, given)
  const { policies } = await at(now, '/api/admin/sla-policies/list', {})
  const others = policies.map((policy: { id: number }) => policy.id).filter((other: number) => other !== id)
  await at(now, '/api/admin/sla-policies/reorder', { ids: [id, ...others] })
}

test('S1: what is split off goes along with its assignee, and where a colleague is deleted nobody has their tickets', async () => {
  const [grace] = [await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]
  await firstPolicy('2026-03-13T07:00:00Z', {
    name: 'Taken',
    targets: firstIn(60),
    conditions: { all: [{ any: [{ field: 'assigned_staff_id', op: 'is_set' }] }] }
  })
  const id = await opened('2026-03-13T08:00:00Z')
  await at('2026-03-13T08:00:00Z', '/api/tickets/reply', { id, message: 'Another matter' }, client)
  await at('2026-03-13T08:00:00Z', '/api/admin/tickets/assign', { id, assigned_staff_id: grace.id })
  const { messages } = await at('2026-03-13T08:00:00Z', '/api/admin/tickets/detail', { id })
  const split = { id, message_ids: [messages[1].id], subject: 'The other matter' }
  const { ticket_id: part } = await at('2026-03-13T08:00:00Z', '/api/admin/tickets/split', split)
  const before = [await chosen(id), await chosen(part)]
  await at('2026-03-13T08:30:00Z', '/api/admin/staff/delete', { id: grace.id })
  await clockTo('2026-03-13T08:30:06Z')

  const taken = ['Taken', '2026-03-13T09:00:00.000Z']
  const standard = ['Standard', '2026-03-13T12:00:00.000Z']
  assert.deepEqual(before, [taken, taken])
  assert.deepEqual([await chosen(id), await chosen(part)], [standard, standard])
})

test('S1: where an organisation is merged into another one, its tickets choose their policy again', async () => {
  const create = async (name: string) =>
    (await at('2026-03-16T07:00:00Z', '/api/admin/organisations/create', { name })).organisation.id as number
  const [mill, bakery] = [await create('Mill'), await create('Bakery')]
  await at('2026-03-16T07:00:00Z', '/api/admin/clients/update', { id: client.id, organisation_id: mill })
  await firstPolicy('2026-03-16T07:00:00Z', {
    name: 'Bakery',
    targets: firstIn(60),
    conditions: having('organisation_id', 'is', bakery)
  })
  const ticket = await opened('2026-03-16T08:00:00Z')
  const before = await chosen(ticket)
  await at('2026-03-16T08:30:00Z', '/api/admin/organisations/merge', {
    id: mill,
    into_id: bakery,
    confirm_name: 'Mill'
  })
  await clockTo('2026-03-16T08:30:06Z')

  assert.deepEqual(before, ['Standard', '2026-03-16T12:00:00.000Z'])
  assert.deepEqual(await chosen(ticket), ['Bakery', '2026-03-16T09:00:00.000Z'])
})
