import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { inputPlan, readInput } from '../../kit/input.ts'
import { Actions } from './schemas.ts'

const plan = inputPlan({ body: Type.Object({ actions: Actions }), synonyms: {} })

/** The places at which these actions are refused. */
function faultsIn(actions: unknown): readonly string[] {
  try {
    readInput(plan, new Map([['actions', [{ value: actions, isText: false }]]]), undefined)
    return []
  } catch (error) {
    return (error as { errors: string[] }).errors
  }
}

test('every action is taken as the API is told to send it', () => {
  const all = [
    { set_status: 'Closed' },
    { set_priority: 'High' },
    { move_to: 4 },
    { assign: null },
    { assign: { round_robin: 4 } },
    { add_tags: ['vip'] },
    { remove_tags: ['vip', 'fire'] },
    { note: 'Called {{client.first_name|them}}' },
    { email_client: { subject: 'Soon', text: 'Dear {{client.first_name}}' } },
    { notify_staff: { who: 'assignee', text: 'Look' } }
  ]

  assert.deepEqual(faultsIn(all), [])
  assert.deepEqual(
    faultsIn([
      { assign: 2 },
      { notify_staff: { who: 2, text: 'x' } },
      { snooze: { minutes: 5, calendar_id: null } },
      { watch: 3 },
      { webhook: 1 }
    ]),
    []
  )
})

test('what is wrong with actions is told by its place', () => {
  const wrong: [unknown, string][] = [
    ['x', 'actions'],
    [Array.from({ length: 11 }, () => ({ note: 'x' })), 'actions'],
    [[{}], 'actions'],
    [[{ note: 'x', watch: 1 }], 'actions.0'],
    [[null], 'actions'],
    [[{ delete: 1 }], 'actions.0.delete'],
    [[{ constructor: 1 }], 'actions.0.constructor'],
    [[{ set_status: 'Gone' }], 'actions.0.set_status'],
    [[{ note: 'x' }, { set_priority: 1 }], 'actions.1.set_priority'],
    [[{ move_to: 0 }], 'actions.0.move_to'],
    [[{ assign: 'Grace' }], 'actions.0.assign'],
    [[{ assign: {} }], 'actions.0.assign.round_robin'],
    [[{ assign: { round_robin: 1, x: 1 } }], 'actions.0.assign.x'],
    [[{ add_tags: [] }], 'actions.0.add_tags'],
    [[{ add_tags: ['\0'] }], 'actions.0.add_tags'],
    [[{ note: ' ' }], 'actions.0.note'],
    [[{ note: '{{client.password}}' }], 'actions.0.note'],
    [[{ note: 'a\0' }], 'actions.0.note'],
    [[{ email_client: { subject: 'x' } }], 'actions.0.email_client.text'],
    [[{ email_client: { subject: 'x', text: 'y', to: 'eve@example.com' } }], 'actions.0.email_client.to'],
    [[{ email_client: { subject: '{{x}}', text: 'y' } }], 'actions.0.email_client.subject'],
    [[{ notify_staff: { who: 'everybody', text: 'x' } }], 'actions.0.notify_staff.who'],
    [[{ snooze: { minutes: 0 } }], 'actions.0.snooze.minutes'],
    [[{ snooze: { minutes: 1, kind: 'x' } }], 'actions.0.snooze.kind']
  ]

  for (const [actions, at] of wrong) assert.deepEqual(faultsIn(actions), [at], JSON.stringify(actions))
})
