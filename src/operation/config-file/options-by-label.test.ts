import assert from 'node:assert/strict'
import { test } from 'node:test'
import { any, aSide, exportOf, importTo, type Side } from '../../../test/support/config-files.ts'

const made = async ({ desk, admin }: Side, path: string, body: object) => {
  const reply = await desk.post(`/api/admin/${path}/create`, admin, body)
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data
}

const contract = (...labels: string[]) => ({
  ...{ key: 'contract', label: 'Contract', kind: 'select', is_filterable: 1 },
  options: labels.map(label => ({ label }))
})

test('conditions and actions name options by their labels, which have other ids on another desk', async () => {
  const [staging, production] = [await aSide(), await aSide()]
  const { field } = await made(staging, 'fields', contract('Gold', 'Silver'))
  await made(production, 'fields', contract('Iron', 'Silver', 'Gold'))
  const slot = `f${field.id}`
  const rule = (name: string, condition: object, value: number) => ({
    ...{ name, trigger: { events: ['ticket.created'] } },
    ...{ conditions: { all: [condition] }, actions: [{ set_field: { key: 'contract', value } }] }
  })
  await made(staging, 'rules', rule('Gold', any(slot, 'in', [1, 2]), 1))
  await made(staging, 'rules', rule('Silver', any(slot, 'is', 2), 2))

  const config = await exportOf(staging)
  const done = await importTo(production, { rules: config.rules })
  const { rules } = (await production.desk.post('/api/admin/rules/list', production.admin)).data

  assert.deepEqual(config.rules[0].conditions, { all: [any('fields.contract', 'in', ['Gold', 'Silver'])] })
  assert.deepEqual(config.rules[0].actions, [{ set_field: { key: 'contract', value: 'Gold' } }])
  assert.deepEqual([done.created, done.refused], [2, []])
  assert.deepEqual(
    rules.map(
      ({ conditions, actions }: { conditions: { all: { any: { value: unknown }[] }[] }; actions: unknown[] }) => [
        conditions.all[0]!.any[0]!.value,
        actions
      ]
    ),
    [
      [[3, 2], [{ set_field: { key: 'contract', value: 3 } }]],
      [2, [{ set_field: { key: 'contract', value: 2 } }]]
    ]
  )
  assert.equal((await importTo(production, { rules: (await exportOf(production)).rules })).unchanged, 2)
})

test('an option that the other desk does not have is refused by its label', async () => {
  const [staging, production] = [await aSide(), await aSide()]
  await made(staging, 'fields', contract('Gold'))
  await made(production, 'fields', contract('Iron'))
  await made(staging, 'macros', {
    ...{ name: 'Golden', is_shared: 1 },
    actions: [{ set_field: { key: 'contract', value: 1 } }]
  })

  const { macros } = await exportOf(staging)
  const done = await importTo(production, { macros })

  assert.deepEqual(done.refused, [
    { kind: 'macro', name: 'Golden', reason: 'The custom field “contract” has no option "Gold" here' }
  ])
})
