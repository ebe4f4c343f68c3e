import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
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
