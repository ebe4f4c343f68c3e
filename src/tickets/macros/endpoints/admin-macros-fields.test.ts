import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aField } from '../../../../test/support/fields.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aRule, runRules } from '../../../../test/support/rules.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const lead = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')

const fields = [
  { key: 'device', label: 'Device', kind: 'text', client_access: 'read' },
  {
    key: 'plan',
    label: 'Plan',
    kind: 'select',
    client_access: 'read',
    options: [{ label: 'Gold' }, { label: 'Silver' }]
  },
  { key: 'margin', label: 'Margin', kind: 'number', client_access: 'none' }
]
for (const field of fields) {
  const made = await desk.post('/api/admin/fields/create', admin, field)
  assert.equal(made.status, 201, made.body.message)
}

const opened = async () => (await aTicket(desk, ada)).ticket_id as number
const create = (given: object) => desk.post('/api/admin/macros/create', lead, { name: 'VIP', is_shared: 1, ...given })
const apply = (id: number, macro_id: number) => desk.post('/api/admin/macros/apply', lead, { id, macro_id, send: 1 })
const detail = async (id: number) => (await desk.post('/api/admin/tickets/detail', admin, { id })).data

test('M4 texts name custom fields, with a fallback where they are not set', async () => {
  const id = await opened()
  const reply_text = 'Your {{field.device|device}} has the plan {{field.plan|Basic}}.'
  const { id: macro_id } = (await create({ reply_text })).data.macro

  await apply(id, macro_id)
  await desk.post('/api/admin/tickets/update', lead, { id, fields: { device: 'inverter', plan: 1 } })
  await apply(id, macro_id)
  const { messages } = await detail(id)

  assert.deepEqual(
    messages.slice(-2).map(({ message }: { message: string }) => message),
    ['Your device has the plan Basic.', 'Your inverter has the plan Gold.']
  )
})

test('texts to clients name no field that clients do not see, and none that there is not', async () => {
  const refused = [
    await create({ reply_text: '{{field.margin}}' }),
    await create({ reply_text: '{{field.none_such}}' }),
    await create({ actions: [{ email_client: { subject: 'x', text: '{{field.margin|0}}' } }] }),
    await create({ actions: [{ note: '{{field.none_such}}' }] }),
    await desk.post('/api/admin/canned-replies/create', lead, { title: 'x', text: '{{field.margin}}', is_shared: 1 })
  ]
  const note = await create({ actions: [{ note: 'Margin {{field.margin|unknown}}' }] })

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    [
      [400, ['reply_text']],
      [400, ['reply_text']],
      [400, ['actions.0.email_client']],
      [400, ['actions.0.note']],
      [400, ['text']]
    ]
  )
  assert.equal(note.status, 201, note.body.message)
})

test('M5 what a macro set in fields is undone with the rest, and so is an update of several', async () => {
  const id = await opened()
  const update = (changes: object) => desk.post('/api/admin/tickets/update', lead, { id, ...changes })
  const undo = () => desk.post('/api/admin/tickets/undo', lead, { id })
  const shown = async () => {
    const { ticket } = await detail(id)
    return [ticket.priority, ticket.fields]
  }
  await update({ fields: { device: 'inverter' } })
  const before = await shown()
  const actions = [
    { set_field: { key: 'device', value: 'battery' } },
    { set_priority: 'High' },
    { set_field: { key: 'plan', value: 2 } }
  ]
  const { id: macro_id } = (await create({ actions })).data.macro

  await apply(id, macro_id)
  const applied = await shown()
  const undone = await undo()
  const after = await shown()
  await update({ priority: 'Low', fields: { device: 'pump', margin: 3 } })
  const again = await undo()

  assert.equal(applied[0], 'High')
  assert.notDeepEqual(applied[1], before[1])
  assert.deepEqual([undone.status, after], [200, before], undone.body.message)
  assert.deepEqual([again.status, await shown()], [200, before], again.body.message)
  assert.equal((await undo()).status, 409)
})

test('F5 a field that texts name is in use; M bad input: a macro needs attention whose option was archived or whose field clients see no more', async () => {
  const [serial, tier] = [
    await aField(desk, admin, { key: 'serial', client_access: 'read' }),
    await aField(desk, admin, {
      key: 'tier',
      label: 'Tier',
      kind: 'select',
      options: [{ label: 'Gold' }, { label: 'Tin' }]
    })
  ]
  const rule = await desk.post('/api/admin/rules/create', admin, {
    name: 'Serial',
    trigger: { events: ['ticket.created'] },
    actions: [{ note: 'Of {{field.serial|none}}' }]
  })
  const { macro } = (
    await create({ reply_text: 'About {{field.serial|it}}', actions: [{ set_field: { key: 'tier', value: 2 } }] })
  ).data
  const { uses } = (await desk.post('/api/admin/fields/uses', admin, { id: serial.id })).data
  await desk.post('/api/admin/fields/archive', admin, { id: serial.id })
  const kept = await desk.post('/api/admin/fields/delete', admin, { id: serial.id })
  await desk.post('/api/admin/fields/update', admin, { id: serial.id, client_access: 'none' })
  await desk.post('/api/admin/fields/update', admin, { id: tier.id, options: [tier.options[0]] })

  const listed = (await desk.post('/api/admin/macros/list', lead, {})).data.macros
  const renamed = await desk.post('/api/admin/macros/update', lead, {
    id: macro.id,
    name: 'Kept',
    actions: [{ set_field: { key: 'tier', value: 2 } }]
  })
  const refused = await create({ actions: [{ set_field: { key: 'tier', value: 2 } }] })

  assert.deepEqual(
    uses.map(({ kind, where }: Record<string, string>) => [kind, where]),
    [
      ['macro', 'reply_text'],
      ['rule', 'actions.0.note']
    ]
  )
  assert.deepEqual([kept.status, kept.body.reason, kept.data?.uses], [409, 'in_use', uses])
  const { attention } = listed.find(({ id }: { id: number }) => id === macro.id)
  assert.deepEqual(
    attention.map(({ reason }: { reason: string }) => reason),
    ['option_out_of_use', 'placeholder_gone']
  )
  assert.deepEqual([renamed.status, refused.status, refused.body.errors], [200, 400, ['actions.0.set_field']])
  await desk.post('/api/admin/rules/delete', admin, { id: rule.data.rule.id })
})

test('R11 a rule that sets an archived option skips that, says so, and needs attention', async () => {
  const grade = await aField(desk, admin, { key: 'grade', kind: 'select', options: [{ label: 'A' }, { label: 'B' }] })
  const rule = await aRule(desk, admin, {
    actions: [{ set_field: { key: 'grade', value: 1 } }, { set_priority: 'High' }]
  })
  await desk.post('/api/admin/fields/update', admin, { id: grade.id, options: [grade.options[1]] })
  const id = await opened()

  await runRules(desk)

  const { runs } = (await desk.post('/api/admin/rules/runs', admin, { ticket_id: id })).data
  const shown = (await desk.post('/api/admin/rules/detail', admin, { id: rule.id })).data.rule
  assert.deepEqual(runs[0].detail.actions, [
    { set_field: 'skipped', why: 'The option is archived' },
    { set_priority: 'done', from: 'Medium', to: 'High' }
  ])
  assert.deepEqual(
    shown.attention.map(({ reason }: { reason: string }) => reason),
    ['option_out_of_use']
  )
})
