import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aField } from '../../../test/support/fields.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, berlin, at, opened, clockTo, clocksOf } = await bootSlaDesk()

test('S1: a ticket whose custom field changes chooses its policy again', async () => {
  await clockTo('2026-03-09T07:00:00Z')
  const field = await aField(desk, admin, { kind: 'select', options: [{ label: 'Gold' }] })
  const conditions = { all: [{ any: [{ field: `f${field.id}`, op: 'in', value: [1] }] }] }
  const gold = targets('first_response', { Medium: 60 }, berlin)
  await aPolicy(desk, admin, berlin, { name: 'Gold', targets: gold, conditions })
  await aPolicy(desk, admin, berlin, { name: 'Standard', targets: targets('first_response', { Medium: 240 }, berlin) })
  const id = await opened('2026-03-09T09:00:00Z')
  const policyOf = async () => (await clocksOf(id)).at(-1)!.policy.name

  const before = await policyOf()
  await at('2026-03-09T09:10:00Z', '/api/admin/tickets/update', { id, fields: { [field.key]: 1 } })

  assert.deepEqual([before, await policyOf()], ['Standard', 'Gold'])
})
