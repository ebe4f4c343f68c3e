import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aCalendar, aPolicy } from '../../../../test/support/sla.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import { catchUpWithLog } from '../../../core/events/follow-log.ts'
import { sequence } from '../../../core/events/read-events.ts'
import { slaReader } from '../clock-reader.ts'

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

test('a policy is created as it was sent, at the end of the order', async () => {
  const fields = {
    name: 'Standard',
    conditions: ofDepartments(4),
    targets: [
      target({ metric: 'resolution', minutes: 960 }),
      target({ metric: 'next_response', minutes: 120 }),
      target(),
      target({ priority: 'Critical', minutes: 60 })
    ],
    pause_on: ['snoozed', 'answered'],
    on_reopen: 'restart',
    warn_minutes: 30,
    is_active: 1
  }

  const { status, data } = await call('create', fields)

  const {
    id,
    position,
    version,
    created_at: _,
    created_at_iso: __,
    updated_at: ___,
    updated_at_iso: ____,
    ...said
  } = data.policy
  assert.equal(status, 201)
  assert.deepEqual(said, {
    ...fields,
    targets: [fields.targets[3], fields.targets[2], fields.targets[1], fields.targets[0]],
    pause_on: ['answered', 'snoozed'],
    is_archived: 0
  })
  assert.deepEqual([version, data.warnings], [1, []])
  const listed = (await call('list')).data.policies
  assert.deepEqual(
    listed.find((policy: { id: number }) => policy.id === id),
    data.policy
  )
  assert.equal(position, listed.length)
  assert.deepEqual((await call('detail', { id })).data.policy, data.policy)
})

test('the list counts the open tickets of each policy if it is asked to, one of two clocks once, and no closed ones', async () => {
  const client = await aClient(desk)
  const { deptid } = (await desk.post('/api/admin/departments/create', admin, { name: 'Counted' })).data.department
  const both = [target(), target({ metric: 'resolution', minutes: 960 })]
  const policy = await aPolicy(desk, admin, office, { conditions: ofDepartments(deptid), targets: both })
  const idle = await aPolicy(desk, admin, office, { conditions: ofDepartments(deptid) })
  const tickets = [1, 2, 3].map(() => aTicket(desk, client, { department_id: deptid }))
  const [, , closed] = await Promise.all(tickets)
  await desk.post('/api/admin/tickets/status', admin, { id: closed!.ticket_id, status: 'Closed' })
  await sequence(desk.services)
  await catchUpWithLog(desk.db, slaReader(desk.services))

  const { open_tickets } = (await call('list', { open_tickets: 1 })).data

  const counted = open_tickets.filter((each: { policy_id: number }) => [policy.id, idle.id].includes(each.policy_id))
  assert.deepEqual(counted, [{ policy_id: policy.id, count: 2 }])
  assert.equal((await call('list')).data.open_tickets, undefined)
  for (const { id } of [policy, idle]) await call('archive', { id })
})

test('what is left out of a new policy has its default: every ticket, resumed, no warning', async () => {
  const { data } = await call('create', { name: 'Plain', targets: [] })

  const { conditions, pause_on, on_reopen, warn_minutes, is_active } = data.policy
  assert.deepEqual(
    { conditions, pause_on, on_reopen, warn_minutes, is_active },
    { conditions: { all: [] }, pause_on: ['answered'], on_reopen: 'resume', warn_minutes: null, is_active: 1 }
  )
  await call('delete', { id: data.policy.id })
})

test('an update changes what is sent and replaces the targets as a whole, and the same once more is no change', async () => {
  const { id } = await aPolicy(desk, admin, office, { name: 'Old', conditions: ofDepartments(4), warn_minutes: 10 })
  const targets = [target({ minutes: 60 }), target({ priority: 'High', minutes: 30 })]

  const changed = await call('update', { id, targets, warn_minutes: null })
  const same = await call('update', { id, targets: targets.toReversed(), expected_version: 2 })

  assert.deepEqual(changed.data.policy.targets, targets.toReversed())
  assert.deepEqual(
    [changed.data.policy.name, changed.data.policy.warn_minutes, changed.data.policy.version],
    ['Old', null, 2]
  )
  assert.deepEqual(same.data.policy, changed.data.policy)
  assert.deepEqual((await logOf(id)).slice(1), [
    [
      'sla_policy.updated',
      { name: 'Old', targets: (await logOf(id))[0]![2]!.targets, warn_minutes: 10 },
      { name: 'Old', targets: targets.toReversed(), warn_minutes: null }
    ]
  ])
})

test('who saves over the change of somebody else is told', async () => {
  const { id, version: expected_version } = await aPolicy(desk, admin, office)

  const replies = await Promise.all(['One', 'Other'].map(name => call('update', { id, name, expected_version })))
  const stale = await call('archive', { id, expected_version })

  const [changed, refused] = replies.toSorted((one, other) => one.status - other.status)
  assert.deepEqual([changed!.status, refused!.status, stale.status], [200, 409, 409])
  assert.equal(refused!.body.data.current_version, 2)
  assert.deepEqual([refused!.body.reason, refused!.body.errors], ['version_conflict', ['expected_version']])
})

test('the history tells every change of a policy with before and after', async () => {
  const { id, name } = await aPolicy(desk, admin, office, { conditions: ofDepartments(5), targets: [target()] })

  await call('update', { id, is_active: 0 })
  await call('update', { id, apply_to_open: 1 })
  await call('archive', { id })
  await call('archive', { id })
  await call('unarchive', { id, apply_to_open: 1 })
  await call('delete', { id })

  assert.deepEqual(await logOf(id), [
    [
      'sla_policy.created',
      null,
      {
        name,
        conditions: ofDepartments(5),
        targets: [target()],
        pause_on: ['answered'],
        on_reopen: 'resume',
        warn_minutes: null,
        is_active: true
      }
    ],
    ['sla_policy.updated', { name, is_active: true }, { name, is_active: false }],
    ['sla_policy.updated', { name }, { name, apply_to_open: true }],
    ['sla_policy.archived', null, { name }],
    ['sla_policy.unarchived', null, { name, apply_to_open: true }],
    [
      'sla_policy.deleted',
      {
        name,
        conditions: ofDepartments(5),
        targets: [target()],
        pause_on: ['answered'],
        on_reopen: 'resume',
        warn_minutes: null,
        is_active: false
      },
      null
    ]
  ])
})

test('the order is set by those that are named, and the others follow as they were', async () => {
  const [one, two, three] = [
    await aPolicy(desk, admin, office),
    await aPolicy(desk, admin, office),
    await aPolicy(desk, admin, office)
  ]
  const former: number[] = await order()

  const reply = await call('reorder', { ids: [three.id, one.id] })
  const again = await call('reorder', { ids: [three.id, one.id] })

  const wanted = [three.id, one.id, ...former.filter(id => ![three.id, one.id].includes(id))]
  assert.deepEqual(await order(), wanted)
  assert.deepEqual(
    reply.data.policies.slice(0, 2).map(({ id, position, version }: Record<string, number>) => [id, position, version]),
    [
      [three.id, 1, 1],
      [one.id, 2, 1]
    ]
  )
  assert.deepEqual(again.data, reply.data)
  assert.ok(wanted.includes(two.id))
  const log = (await logOf(null)).filter(([kind]) => kind === 'sla_policy.reordered')
  assert.deepEqual(log, [['sla_policy.reordered', { ids: former }, { ids: wanted }]])
})

test('an archived policy leaves the order and comes back at its end', async () => {
  const { id } = await aPolicy(desk, admin, office)
  await call('reorder', { ids: [id] })

  const archived = await call('archive', { id })
  const without = await order()
  const refused = await call('reorder', { ids: [id] })
  await call('unarchive', { id })

  assert.equal(archived.data.policy.is_archived, 1)
  assert.ok(!without.includes(id))
  assert.deepEqual([refused.status, refused.body.errors], [400, ['ids']])
  assert.deepEqual(await order(), [...without, id])
})

test('only admins see and change policies', async () => {
  const { id } = await aPolicy(desk, admin, office)
  const before = await order()
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status', 'departments.manage', 'staff.manage')

  for (const name of ['list', 'detail', 'create', 'update', 'archive', 'unarchive', 'delete', 'reorder']) {
    const { status } = await desk.post(`/api/admin/sla-policies/${name}`, grace, {
      id,
      name: 'x',
      targets: [],
      ids: [id]
    })
    assert.equal(status, 403, name)
  }
  assert.deepEqual(await order(), before)
})

async function order(): Promise<number[]> {
  const { data } = await call('list')
  return data.policies
    .filter((policy: { is_archived: number }) => !policy.is_archived)
    .map(({ id }: { id: number }) => id)
}

// biome-ignore lint/suspicious/noExplicitAny: facts of several kinds.
async function logOf(id: number | null): Promise<[string, any, any][]> {
  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'sla_policy')
    .where('target_id', 'is not distinct from', id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  return rows.map(({ action, before, after }) => [action, before, after])
}
