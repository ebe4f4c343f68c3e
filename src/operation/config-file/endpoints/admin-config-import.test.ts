import assert from 'node:assert/strict'
import { test } from 'node:test'
import { any, aSide, berlin, exportOf, importTo, type Side, target } from '../../../../test/support/config-files.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { tableContents } from '../../../../test/support/table-contents.ts'
import { endpoints } from '../../../endpoints.ts'

/** One definition of each kind, which name one another and people. */
async function filled(side: Side): Promise<{ grace: Person; ada: Person }> {
  const { desk, admin } = side
  const grace = await aSupporter(desk, 'tickets.reply')
  const ada = await aClient(desk)
  const made = async (path: string, body: object) => {
    const reply = await desk.post(`/api/admin/${path}/create`, admin, body)
    assert.equal(reply.status, 201, reply.body.message)
    return reply.data
  }
  const { department } = await made('departments', { name: 'Repairs', description: 'What is broken' })
  await made('tags', { name: 'vip', color: '#112233' })
  const { calendar } = await made('calendars', { ...berlin, is_default: 1 })
  const conditions = {
    all: [
      any('department_id', 'in', [department.deptid]),
      any('tags', 'has_any', ['vip']),
      any('client_id', 'is', ada.id)
    ]
  }
  await made('sla-policies', { name: 'Vip', conditions, targets: [target(calendar.id)], warn_minutes: 30 })
  await made('sla-policies', { name: 'Everybody', targets: [] })
  const query = {
    department_id: department.deptid,
    tag: 'vip',
    conditions: { all: [any('assigned_staff_id', 'is', grace.id)] }
  }
  await made('views', { name: 'Broken', query, is_shared: 1 })
  await made('views', { name: 'Mine', query: {} })
  const actions = [
    { move_to: department.deptid },
    { assign: grace.id },
    { add_tags: ['vip'] },
    { assign: { round_robin: department.deptid } },
    { assign: null },
    { notify_staff: { who: 'assignee', text: 'Look at this' } },
    { notify_staff: { who: grace.id, text: 'Look at this' } },
    { snooze: { minutes: 60, calendar_id: calendar.id } },
    { watch: grace.id }
  ]
  await made('macros', { name: 'Send to repairs', actions, deptids: [department.deptid], is_shared: 1 })
  await made('macros', { name: 'Mine', reply_text: 'Hello' })
  const options = [{ label: 'Gold' }, { label: 'Silver' }]
  const { field: contract } = await made('fields', { key: 'contract', label: 'Contract', kind: 'select', options })
  const { field: number } = await made('fields', { key: 'contract_number', label: 'Number', kind: 'text' })
  const show_if = { field_id: contract.id, in: [2] }
  const items = [
    { field_id: contract.id, required: 1 },
    { field_id: number.id, show_if }
  ]
  await made('ticket-forms', { name: 'Repairs', deptids: [department.deptid], items })
  const trigger = { events: ['ticket.created'] }
  await made('rules', { name: 'Repair', trigger, conditions, actions: [{ assign: grace.id }], is_active: 1 })
  await made('canned-replies', { title: 'Patience', text: 'We look into it.', is_shared: 1 })
  return { grace, ada }
}

/** People are not imported: those that the file names are there already. */
async function withTheSamePeople({ desk }: Side, { grace, ada }: { grace: Person; ada: Person }): Promise<void> {
  await aSupporter(desk, 'tickets.reply')
  await desk.db.updateTable('staff').set({ email: grace.email.toUpperCase() }).where('role', '=', 'supporter').execute()
  await aClient(desk, { email: ada.email })
}

test('what one desk exports another one imports, and exports the same: names stand for ids', async () => {
  const [staging, production] = [await aSide(), await aSide()]
  // Ids differ.
  await production.desk.post('/api/admin/departments/create', production.admin, { name: 'Other' })
  await production.desk.post('/api/admin/calendars/create', production.admin, { ...berlin, name: 'Other' })
  await production.desk.post('/api/admin/fields/create', production.admin, {
    key: 'other',
    label: 'Other',
    kind: 'text'
  })
  await withTheSamePeople(production, await filled(staging))
  const config = await exportOf(staging)

  const first = await importTo(production, config)
  const second = await importTo(production, config)
  const again = await exportOf(production)

  assert.deepEqual(first.refused, [])
  assert.deepEqual(
    first.changes.map(({ kind, name, outcome }: Record<string, string>) => `${outcome} ${kind} ${name}`),
    [
      'created department Repairs',
      'created tag vip',
      'created calendar Berlin office',
      'updated calendar Mon–Fri 9–17',
      'created field contract',
      'created field contract_number',
      'created ticket_form Repairs',
      'created sla_policy Vip',
      'created sla_policy Everybody',
      'created view Broken',
      'created macro Patience',
      'created macro Send to repairs',
      'created rule Repair'
    ]
  )
  const { created, updated, unchanged, changes, refused } = second
  const all = Object.values(config).flat().length
  assert.deepEqual(
    { created, updated, unchanged, changes, refused },
    { created: 0, updated: 0, unchanged: all, changes: [], refused: [] }
  )
  const [policy] = config.sla_policies
  assert.deepEqual(policy.targets, [target('Berlin office')])
  assert.deepEqual(policy.conditions.all[0], any('department_id', 'in', ['Repairs']))
  assert.deepEqual(config.ticket_forms, [
    {
      name: 'Repairs',
      deptids: ['Repairs'],
      items: [
        { field_id: 'contract', required: 1, show_if: null },
        { field_id: 'contract_number', required: 0, show_if: { field_id: 'contract', in: ['Silver'] } }
      ],
      is_default: 0
    }
  ])
  assert.match(policy.conditions.all[2].any[0].value, /^ada\.\d+@example\.com$/)
  assert.equal(config.views.length, 1)
  assert.deepEqual([config.views[0].query.department_id, config.views[0].query.tag], ['Repairs', 'vip'])
  const [patience, repairs, ...otherMacros] = config.macros
  const said = { name: 'Patience', actions: [], reply_text: 'We look into it.', deptids: [] }
  assert.deepEqual([patience, otherMacros], [said, []])
  assert.deepEqual(repairs.deptids, ['Repairs'])
  const [moved, assigned, tagged, inTurn] = repairs.actions
  assert.deepEqual(
    [moved, tagged, inTurn],
    [{ move_to: 'Repairs' }, { add_tags: ['vip'] }, { assign: { round_robin: 'Repairs' } }]
  )
  assert.match(assigned.assign, /^grace\.\d+@example\.com$/)
  assert.doesNotMatch(JSON.stringify(config), /"(id|version|position|deptid)":/)
  for (const list of Object.keys(config)) {
    const imported = again[list].filter(({ name, label }: Record<string, string>) => (name ?? label) !== 'Other')
    assert.deepEqual(imported.map(caseless), config[list].map(caseless))
  }
})

function caseless(definition: object): unknown {
  return JSON.parse(JSON.stringify(definition).toLowerCase())
}

test('a dry run answers what the import would, and writes nothing, with an idempotency key neither', async () => {
  const [staging, production] = [await aSide(), await aSide()]
  await withTheSamePeople(production, await filled(staging))
  const config = { ...(await exportOf(staging)), tags: [{ name: 'vip' }, { name: 'VIP' }] }
  const before = await tableContents(production.desk)
  const key = newIdempotencyKey()
  const body = { config, dry_run: 1 }

  const plain = await importTo(production, config, { dry_run: 1 })
  const withKey = await postWithKey(production.desk, key, '/api/admin/config/import', production.admin, body)
  const replayed = await postWithKey(production.desk, key, '/api/admin/config/import', production.admin, body)
  const after = await tableContents(production.desk)
  const real = await importTo(production, config)

  assert.deepEqual(after, before)
  assert.equal(plain.created, 12)
  assert.deepEqual(plain.refused, [{ kind: 'tag', name: 'VIP', reason: 'There is a tag of this name already' }])
  assert.deepEqual([withKey.status, isReplayed(replayed)], [200, true])
  assert.deepEqual([withKey.data, replayed.data, real], [plain, plain, plain])
})

test('what the file does not name stays: other definitions, and other fields', async () => {
  const side = await aSide()
  await filled(side)
  const before = await exportOf(side)

  const done = await importTo(side, { departments: [{ name: 'Repairs', is_active: 0 }] })
  const after = await exportOf(side)

  assert.deepEqual(done.changes, [{ kind: 'department', name: 'Repairs', outcome: 'updated' }])
  const [repairs] = after.departments.filter(({ name }: { name: string }) => name === 'Repairs')
  assert.deepEqual(repairs, { name: 'Repairs', description: 'What is broken', is_active: 0 })
  const restOf = ({ departments: _, ...rest }: Record<string, unknown>) => rest
  assert.deepEqual(restOf(after), restOf(before))
})

test('policies come in the order of the file, and those that it does not name keep their places', async () => {
  const side = await aSide()
  const policies = (names: string) => names.split(' ').map(name => ({ name, targets: [] }))
  await importTo(side, { sla_policies: policies('A B C D') })

  const done = await importTo(side, { sla_policies: policies('D A C') })
  const { sla_policies: after } = await exportOf(side)

  assert.deepEqual(
    after.map(({ name }: { name: string }) => name),
    ['D', 'B', 'A', 'C']
  )
  assert.deepEqual([done.unchanged, done.updated], [0, 3])
})

test('the default calendar and the only active department change hands, whatever the order of the file', async () => {
  const side = await aSide()
  const { departments, calendars } = await exportOf(side)
  const inactive = departments.map((department: object) => ({ ...department, is_active: 0 }))
  const others = calendars.map((calendar: object) => ({ ...calendar, is_default: 0 }))

  const done = await importTo(side, {
    departments: [...inactive, { name: 'New' }],
    calendars: [...others, { ...berlin, is_default: 1 }]
  })

  assert.deepEqual(done.refused, [])
  assert.deepEqual([done.created, done.updated], [2, departments.length + 1])
})

test('an imported definition is audited as one made by hand', async () => {
  const side = await aSide()
  await importTo(side, { tags: [{ name: 'vip', color: '#112233' }] })

  const { data } = await side.desk.post('/api/admin/audit/list', side.admin, { action: 'tag.created' })

  const [{ actor_id, after }] = data.entries
  assert.deepEqual([actor_id, after], [side.admin.id, { name: 'vip', color: '#112233' }])
})

test('every definition that can be created and updated is in the file, or is known not to be', async () => {
  const { desk, admin } = await aSide()
  const notInTheFile = [
    'canned-replies',
    'clients',
    'organisations',
    'service-accounts',
    'sso',
    'staff',
    'tickets',
    'webhooks'
  ]
  const made = endpoints.flatMap(({ path }) => /^\/api\/admin\/([\w-]+)\/create$/.exec(path)?.[1] ?? [])

  const config = await exportOf({ desk, admin })

  const inTheFile = Object.keys(config).map(list => list.replaceAll('_', '-'))
  assert.deepEqual([...inTheFile, ...notInTheFile].toSorted(), made.toSorted())
})

test('of several imports at once each finds what those before it have made: no definition is there twice', async () => {
  const desk = await bootDesk({ connections: 8 })
  const side = { desk, admin: await anAdmin(desk) }
  const config = {
    departments: [{ name: 'Repairs' }],
    calendars: [berlin],
    views: [{ name: 'All', query: {} }],
    macros: [{ name: 'Patience', reply_text: 'We look into it.' }],
    rules: [{ name: 'Repair', trigger: { events: ['ticket.created'] }, actions: [{ set_priority: 'High' }] }]
  }

  const done = await Promise.all([1, 2, 3].map(() => importTo(side, config)))

  assert.deepEqual(done.map(({ created, unchanged }) => [created, unchanged]).toSorted(), [
    [0, 5],
    [0, 5],
    [5, 0]
  ])
  assert.deepEqual((await importTo(side, config)).refused, [])
})

test('the options of a field are known by their labels, and those that the file leaves out are archived', async () => {
  const side = await aSide()
  const field = (...labels: string[]) => ({
    fields: [{ key: 'contract', label: 'Contract', kind: 'select', options: labels.map(label => ({ label })) }]
  })
  await importTo(side, field('Gold', 'Silver', 'Lead'))

  const done = await importTo(side, field('Tin', 'Silver', 'Gold'))
  const config = await exportOf(side)
  const again = await importTo(side, config)

  const [{ options }] = (await side.desk.post('/api/admin/fields/list', side.admin, {})).data.fields
  assert.deepEqual([done.updated, again.updated, again.refused], [1, 0, []])
  assert.deepEqual(options, [
    { id: 4, label: 'Tin', is_archived: 0 },
    { id: 2, label: 'Silver', is_archived: 0 },
    { id: 1, label: 'Gold', is_archived: 0 },
    { id: 3, label: 'Lead', is_archived: 1 }
  ])
  assert.deepEqual(config.fields[0].options[3], { label: 'Lead', is_archived: 1 })
})
