import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from 'kysely'
import { allOf, aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'

const { admin, desk, opened, outcomes, update } = await bootRulesDesk()

afterEach(async () => {
  await sql`delete from rules`.execute(desk.db)
})

test('R1 conditions on the event see what a custom field was and became, of every kind that events tell', async () => {
  const options = [{ label: 'Gold' }, { label: 'Silver' }]
  const made = async (key: string, kind: string, more: object = {}) => {
    const { data } = await desk.post('/api/admin/fields/create', admin, { key, label: key, kind, ...more })
    return data.field.id as number
  }
  const contract = await made('contract', 'select', { options })
  const modules = await made('modules', 'multi_select', { options })
  const urgent = await made('urgent', 'checkbox')
  const story = await made('story', 'long_text')
  const follows = async (...conditions: object[]) =>
    await aRule(desk, admin, {
      trigger: { events: ['ticket.field_changed'] },
      conditions: allOf(...conditions),
      actions: [{ note: 'Seen' }]
    })
  const [upgraded, fromNothing, named, other] = [
    await follows(
      { field: `event.before.f${contract}`, op: 'is', value: 2 },
      { field: `event.after.f${contract}`, op: 'in', value: [1] }
    ),
    await follows(
      { field: `event.before.f${urgent}`, op: 'is', value: false },
      { field: `event.after.f${urgent}`, op: 'is', value: 1 }
    ),
    await follows({ field: `event.after.f${modules}`, op: 'has_any', value: [2] }),
    await follows({ field: `event.after.f${contract}`, op: 'is', value: 2 })
  ]
  const ticket = await opened()
  await update(ticket, { fields: { contract: 2, urgent: false } })
  await runRules(desk)
  assert.deepEqual(await outcomes(ticket), [[other.id, 'ran', 0]])
  await update(ticket, { fields: { contract: 1, urgent: true, modules: [1, 2] } })
  await update(ticket, { fields: { contract: 2, urgent: false, modules: [] } })

  await runRules(desk)

  const ran = (await outcomes(ticket)).map(([id, outcome]) => `${id} ${outcome}`)
  const expected = [other, upgraded, fromNothing, named, other].map(({ id }) => `${id} ran`)
  assert.deepEqual(ran.toSorted(), expected.toSorted())
  const refused = await desk.post('/api/admin/rules/create', admin, {
    name: 'No',
    trigger: { events: ['ticket.field_changed'] },
    conditions: allOf({ field: `event.after.f${story}`, op: 'contains', value: 'fire' }),
    actions: [{ set_priority: 'High' }]
  })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['conditions.all.0.any.0.field']])
})

test('R5 two rules that set a custom field back and forth are warned of, and two that cannot meet are not', async () => {
  const options = [{ label: 'Gold' }, { label: 'Silver' }]
  const made = await desk.post('/api/admin/fields/create', admin, {
    key: 'tier',
    label: 'Tier',
    kind: 'select',
    options
  })
  const named = `f${made.data.field.id}`
  const sets = (value: number, when: number) => ({
    trigger: { events: ['ticket.field_changed'] },
    conditions: allOf({ field: named, op: 'is', value: when }),
    actions: [{ set_field: { key: 'tier', value } }]
  })
  const first = await aRule(desk, admin, sets(1, 2))
  const warningsOf = async (rule: object) => {
    const { data } = await desk.post('/api/admin/rules/create', admin, { name: 'Other', ...rule })
    return data.warnings.map(({ rule_id }: { rule_id: number }) => rule_id)
  }

  assert.deepEqual(await warningsOf(sets(2, 1)), [first.id])
  assert.deepEqual(await warningsOf(sets(1, 2)), [])
})
