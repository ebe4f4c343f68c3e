import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { allOf, aRule, bootRulesDesk } from '../../../test/support/rules.ts'

const { admin, desk, grace } = await bootRulesDesk()

test('R11 a rule needs attention whose conditions name somebody who is gone: nothing fits them any more', async () => {
  const alan = await aSupporter(desk, 'tickets.reply')
  const bob = await aClient(desk)
  const rule = await aRule(desk, admin, {
    conditions: allOf(
      { field: 'assigned_staff_id', op: 'in', value: [alan.id, grace.id] },
      { field: 'client_id', op: 'is', value: bob.id }
    )
  })
  const attention = async () =>
    (await desk.post('/api/admin/rules/detail', admin, { id: rule.id })).data.rule.attention.map(
      ({ reason, text }: { reason: string; text: string }) => [reason, text.split(':')[0]]
    )
  await desk.post('/api/admin/staff/update', admin, { id: alan.id, is_active: 0 })
  assert.deepEqual(await attention(), [])

  await desk.post('/api/admin/staff/delete', admin, { id: alan.id })
  await desk.post('/api/admin/clients/delete', admin, { id: bob.id, mode: 'cascade', confirm_email: bob.email })

  assert.deepEqual(await attention(), [
    ['staff_gone', 'conditions.all.0.any.0'],
    ['client_gone', 'conditions.all.1.any.0']
  ])
})
