import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conditions } from '../conditions/schemas.ts'
import { fieldsNamed, policyFor } from './choose-policy.ts'

const now = new Date('2026-03-10T09:00:00Z')
const policy = (name: string, ...all: Conditions['all']) => ({ name, conditions: { all } })
const vip = policy('VIP', { any: [{ field: 'tags', op: 'has_any', value: [7] }] })
const billing = policy(
  'Urgent billing',
  { any: [{ field: 'department_id', op: 'in', value: [4, 5] }] },
  {
    any: [
      { field: 'priority', op: 'is', value: 'High' },
      { field: 'priority', op: 'is', value: 'Critical' }
    ]
  }
)
const rest = policy('Rest')
const facts = { department_id: 4, priority: 'Critical', tags: [3], assigned_staff_id: null }

test('S1: the first policy that fits takes the ticket, and says which of its conditions fitted', () => {
  const choice = policyFor(facts, [vip, billing, rest], now)

  assert.equal(choice.policy, billing)
  assert.deepEqual(choice.fitted, [
    { field: 'department_id', op: 'in', value: [4, 5], actual: 4, fits: true },
    { field: 'priority', op: 'is', value: 'Critical', actual: 'Critical', fits: true }
  ])
  assert.deepEqual(choice.passed_over, [
    { policy: vip, failed: { field: 'tags', op: 'has_any', value: [7], actual: [3], fits: false } }
  ])
})

test('S1: each policy that is passed over names its first condition that failed, with what the ticket had', () => {
  const choice = policyFor({ ...facts, department_id: 1, priority: 'Low' }, [billing, rest], now)

  assert.equal(choice.policy, rest)
  assert.deepEqual(choice.fitted, [])
  assert.deepEqual(choice.passed_over, [
    { policy: billing, failed: { field: 'department_id', op: 'in', value: [4, 5], actual: 1, fits: false } }
  ])
})

test('S1: none fits where no policy takes all', () => {
  assert.equal(policyFor({ ...facts, department_id: 1 }, [vip, billing], now).policy, undefined)
  assert.equal(policyFor(facts, [], now).policy, undefined)
})

test('S1: a policy is chosen again for the fields that policies name, and for no others', () => {
  assert.deepEqual([...fieldsNamed([vip, billing, rest])].toSorted(), ['department_id', 'priority', 'tags'])
})
