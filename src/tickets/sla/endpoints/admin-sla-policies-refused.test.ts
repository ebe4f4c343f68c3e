import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'
import { aCalendar, aPolicy } from '../../../../test/support/sla.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
const office = await aCalendar(desk)
const call = (name: string, body: object = {}) => desk.post(`/api/admin/sla-policies/${name}`, admin, body)
const target = (given: object = {}) => ({
  metric: 'first_response',
  priority: 'Medium',
  minutes: 240,
  calendar_id: office.id,
  ...given
})
const ofDepartments = (...deptids: number[]) => ({
  all: [{ any: [{ field: 'department_id', op: 'in', value: deptids }] }]
})

test('what no policy can say is refused by its field, and nothing is written', async () => {
  const { id } = await aPolicy(desk, admin, office, { targets: [target({ minutes: 60 })] })
  const archived = await aCalendar(desk, { is_archived: true })
  const before = await desk.rowCounts()

  for (const [fields, fault] of [
    [{ targets: [target({ minutes: 0 })] }, 'targets.0.minutes'],
    [{ targets: [target({ minutes: 525_601 })] }, 'targets.0.minutes'],
    [{ targets: [target({ minutes: 1.5 })] }, 'targets.0.minutes'],
    [{ targets: [target({ metric: 'last_response' })] }, 'targets.0.metric'],
    [{ targets: [target({ priority: 'Urgent' })] }, 'targets.0.priority'],
    [{ targets: [target({ seconds: 3 })] }, 'targets.0 has no field seconds'],
    [{ targets: [target(), target({ minutes: 5 })] }, 'targets.1'],
    [{ targets: [target({ calendar_id: 4_711 })] }, 'targets.0.calendar_id'],
    [{ targets: [target({ calendar_id: archived.id })] }, 'targets.0.calendar_id'],
    [
      { targets: [target({ minutes: 60 }), target({ priority: 'High', minutes: 30 })], warn_minutes: 60 },
      ['warn_minutes']
    ],
    [{ targets: [target()], warn_minutes: 0 }, ['warn_minutes']],
    [{ targets: [target()], warn_minutes: -5 }, ['warn_minutes']],
    [{ targets: [target()], pause_on: ['closed'] }, ['pause_on']],
    [{ targets: [target()], on_reopen: 'never' }, ['on_reopen']],
    [{ targets: [target()], name: 'x'.repeat(101) }, ['name']],
    [{ targets: [target()], conditions: { all: [{ any: [{ field: 'mood', op: 'is', value: 1 }] }] } }, undefined]
  ] as const) {
    const created = await call('create', { name: 'Refused', ...fields })
    const updated = await call('update', { id, ...fields })

    for (const { status, body } of [created, updated]) {
      assert.equal(status, 400, JSON.stringify(fields))
      if (typeof fault === 'string') {
        assert.deepEqual(body.errors, ['targets'])
        assert.ok(body.message.startsWith(fault), body.message)
      } else if (fault) assert.deepEqual(body.errors, fault, body.message)
      else assert.ok(body.errors[0].startsWith('conditions'), body.message)
    }
  }
  // Every warning would come before the only target.
  const late = await call('update', { id, warn_minutes: 60 })
  assert.deepEqual([late.status, late.body.errors], [400, ['warn_minutes']])
  for (const ids of [[id, id], [4_711], []]) {
    const { status, body } = await call('reorder', { ids })
    assert.deepEqual([status, body.errors], [400, ['ids']])
  }
  for (const name of ['detail', 'update', 'archive', 'unarchive', 'delete']) {
    assert.equal((await call(name, { id: 4_711 })).status, 404, name)
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a policy keeps a calendar that was archived since', async () => {
  const calendar = await aCalendar(desk)
  const { id } = await aPolicy(desk, admin, calendar, { targets: [target({ calendar_id: calendar.id })] })
  await desk.db.updateTable('calendars').set({ is_archived: true }).where('id', '=', calendar.id).execute()

  const renamed = await call('update', {
    id,
    name: 'Renamed',
    targets: [target({ calendar_id: calendar.id, minutes: 5 })]
  })

  assert.equal(renamed.status, 200, renamed.body.message)
})

test('a policy that never takes a ticket is saved with a warning that names the one that takes them all', async () => {
  const own = await bootDesk()
  const boss = await anAdmin(own)
  const calendar = await aCalendar(own)
  const billing = await aPolicy(own, boss, calendar, { name: 'Billing', conditions: ofDepartments(4, 5) })
  const create = async (conditions: object) =>
    (await own.post('/api/admin/sla-policies/create', boss, { name: 'Late', conditions, targets: [] })).data

  const narrower = await create(ofDepartments(4))
  const other = await create(ofDepartments(4, 6))
  const both = await create({
    all: [...ofDepartments(5).all, { any: [{ field: 'priority', op: 'is', value: 'High' }] }]
  })
  const everybody = await create({ all: [] })
  const after = await create({ all: [] })
  await own.post('/api/admin/sla-policies/update', boss, { id: billing.id, is_active: 0 })
  const listed = await own.post('/api/admin/sla-policies/list', boss)

  const by = { id: billing.id, name: 'Billing' }
  assert.deepEqual(narrower.warnings, [
    {
      kind: 'never_reached',
      policy_id: narrower.policy.id,
      by,
      text: '“Late” never takes a ticket: “Billing” above it takes all of them'
    }
  ])
  assert.deepEqual([other.warnings, everybody.warnings], [[], []])
  assert.deepEqual(both.warnings[0].by, by)
  assert.deepEqual(after.warnings[0].by.id, everybody.policy.id)
  assert.deepEqual(
    listed.data.warnings.map((warning: { policy_id: number }) => warning.policy_id),
    [after.policy.id]
  )
})

test('a tag that a policy names is kept, and one that is merged into another is replaced', async () => {
  const tag = async (name: string) => (await desk.post('/api/admin/tags/create', admin, { name })).data.tag
  const [vip, gold] = [await tag('VIP'), await tag('Gold')]
  const ofTags = (value: string[]) => ({ all: [{ any: [{ field: 'tags', op: 'has_any', value }] }] })
  const { id, name, conditions } = await aPolicy(desk, admin, office, { conditions: ofTags(['vip']) })
  const unknown = await call('create', { name: 'Unknown', targets: [], conditions: ofTags(['never made']) })

  const refused = await desk.post('/api/admin/tags/delete', admin, { id: vip.id })
  await desk.post('/api/admin/tags/merge', admin, { id: vip.id, into_id: gold.id })
  const merged = await call('detail', { id })
  await call('archive', { id })
  const deleted = await desk.post('/api/admin/tags/delete', admin, { id: gold.id })

  assert.deepEqual(conditions, ofTags(['VIP']))
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['conditions.all.0.any.0.value']])
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.body.data.uses, [{ kind: 'sla_policy', id, name, where: 'conditions.all.0.any.0' }])
  assert.deepEqual(merged.data.policy.conditions, ofTags(['Gold']))
  assert.equal(deleted.status, 200)
})
