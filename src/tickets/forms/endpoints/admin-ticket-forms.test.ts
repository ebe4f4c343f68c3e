import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aField } from '../../../../test/support/fields.ts'
import { aForm } from '../../../../test/support/forms.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const call = (name: string, body: object) => desk.post(`/api/admin/ticket-forms/${name}`, admin, body)
const options = [{ label: 'Inverter' }, { label: 'Storage' }]
const product = await aField(desk, admin, { kind: 'select', options, client_access: 'write', required_on: 'open' })
const code = await aField(desk, admin, { client_access: 'write' })
const internal = await aField(desk, admin, { required_on: 'close' })
const urgent = await aField(desk, admin, { kind: 'checkbox', client_access: 'write' })
const ifInverter = { field_id: product.id, in: [1] }

async function aDepartment(): Promise<number> {
  const reply = await desk.post('/api/admin/departments/create', admin, { name: 'Department' })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.department.deptid
}

test('a form asks fields in an order; new items begin with what their field says', async () => {
  const deptid = await aDepartment()
  const made = await aForm(desk, admin, {
    name: 'Hardware',
    deptids: [deptid],
    items: [{ field_id: product.id }, { field_id: code.id, show_if: ifInverter }, { field_id: internal.id }]
  })
  const changed = await call('update', {
    id: made.id,
    items: [
      { field_id: product.id, required: 0 },
      { field_id: code.id, required: 1, show_if: ifInverter }
    ]
  })
  const again = await call('update', { id: made.id, items: [{ field_id: product.id }, { field_id: code.id }] })
  const listed = (await call('list', {})).data.forms.find(({ id }: { id: number }) => id === made.id)
  const shown = await desk.post(`/api/admin/ticket-forms/${made.id}`, admin)
  const unknown = await call('detail', { id: 999 })

  assert.deepEqual(made.items, [
    { field_id: product.id, required: 1, show_if: null },
    { field_id: code.id, required: 0, show_if: ifInverter },
    { field_id: internal.id, required: 0, show_if: null }
  ])
  assert.deepEqual([made.deptids, made.is_default, made.version], [[deptid], 0, 1])
  const required = (form: { items: { required: number }[] }) => form.items.map(each => each.required)
  assert.deepEqual(
    [required(changed.data.form), required(again.data.form)],
    [
      [0, 1],
      [0, 1]
    ]
  )
  assert.deepEqual([listed.name, listed.version], ['Hardware', 3])
  assert.deepEqual([shown.data.form, unknown.status], [listed, 404])
})

test('F3 a condition looks at earlier fields only, with values that they can have', async () => {
  const rows = await desk.rowCounts()
  const [first, second] = [{ field_id: product.id }, { field_id: code.id }]
  for (const [items, error] of [
    [[{ ...second, show_if: ifInverter }, first], 'items.0.show_if.field_id'],
    [[{ ...first, show_if: ifInverter }], 'items.0.show_if.field_id'],
    [[second, { ...first, show_if: { field_id: code.id, in: [1] } }], 'items.1.show_if.field_id'],
    [[first, { ...second, show_if: { field_id: product.id, in: [3] } }], 'items.1.show_if.in'],
    [[{ field_id: urgent.id }, { ...second, show_if: { field_id: urgent.id, in: [2] } }], 'items.1.show_if.in'],
    [[first, first], 'items.1.field_id'],
    [[{ field_id: 999_999 }], 'items.0.field_id']
  ] as const) {
    const reply = await call('create', { name: 'Refused', items })
    assert.deepEqual([reply.status, reply.body.errors], [400, [error]], reply.body.message)
  }
  for (const given of [
    { deptids: [999_999] },
    { items: [{ ...first, show_if: { field_id: product.id, in: [] } }] },
    { items: 'x' },
    { name: '' }
  ]) {
    assert.equal((await call('create', { name: 'Refused', items: [], ...given })).status, 400, JSON.stringify(given))
  }
  assert.deepEqual(await desk.rowCounts(), rows)
})

test('a department has one form at most, and one form at most is the default', async () => {
  const deptid = await aDepartment()
  const own = await aForm(desk, admin, { deptids: [deptid] })
  const [first, second] = [await aForm(desk, admin, { is_default: 1 }), await aForm(desk, admin, { is_default: 1 })]

  const taken = await call('create', { name: 'Other', deptids: [deptid], items: [] })
  await call('archive', { id: own.id })
  const other = await aForm(desk, admin, { deptids: [deptid] })
  const back = await call('unarchive', { id: own.id })
  const defaults = (await call('list', {})).data.forms.filter(({ is_default }: { is_default: number }) => is_default)

  assert.deepEqual([taken.status, taken.body.reason], [409, 'department_has_form'])
  assert.deepEqual([back.status, back.body.reason], [409, 'department_has_form'])
  assert.deepEqual(other.deptids, [deptid])
  assert.deepEqual(
    defaults.map(({ id }: { id: number }) => id),
    [second.id]
  )
  await call('archive', { id: second.id })
  const refused = await call('update', { id: second.id, is_default: 1 })
  assert.deepEqual([refused.status, refused.body.reason], [409, 'ticket_form_archived'])
  assert.notEqual(first.id, second.id)
})

test('F5 what a form uses is not deleted: the refusal names the form; an archived form holds nothing back', async () => {
  const deptid = await aDepartment()
  const control = await aField(desk, admin, { kind: 'checkbox' })
  const shown = await aField(desk, admin)
  const show_if = { field_id: control.id, in: [1] }
  const form = await aForm(desk, admin, {
    deptids: [deptid],
    items: [{ field_id: control.id }, { field_id: shown.id, show_if }]
  })
  for (const { id } of [control, shown]) await desk.post('/api/admin/fields/archive', admin, { id })

  const uses = await desk.post('/api/admin/fields/uses', admin, { id: control.id })
  const field = await desk.post('/api/admin/fields/delete', admin, { id: shown.id })
  const department = await desk.post('/api/admin/departments/delete', admin, { id: deptid })
  await call('archive', { id: form.id })
  const free = await desk.post('/api/admin/fields/delete', admin, { id: shown.id })
  const back = await call('unarchive', { id: form.id })
  const mended = await call('update', { id: form.id, items: [{ field_id: control.id }] })
  const again = await call('unarchive', { id: form.id })

  const use = { kind: 'ticket_form', id: form.id, name: form.name }
  assert.deepEqual(uses.data.uses, [
    { ...use, where: 'items.0' },
    { ...use, where: 'items.1.show_if' }
  ])
  assert.deepEqual([field.status, field.body.reason, field.data.uses], [409, 'in_use', [{ ...use, where: 'items.1' }]])
  assert.deepEqual([department.status, department.data.uses], [409, [{ ...use, where: 'deptids.0' }]])
  assert.equal(free.status, 200)
  assert.deepEqual([back.status, back.body.errors], [400, ['items.1.field_id']])
  assert.deepEqual([mended.status, again.status], [200, 200])
})

test('F5 an archived field stays in a form, and is put into none anew', async () => {
  const field = await aField(desk, admin)
  const form = await aForm(desk, admin, { items: [{ field_id: field.id }] })
  await desk.post('/api/admin/fields/archive', admin, { id: field.id })

  const kept = await call('update', { id: form.id, items: [{ field_id: field.id }, { field_id: code.id }] })
  const anew = await call('create', { name: 'Other', items: [{ field_id: field.id }] })

  assert.equal(kept.status, 200, kept.body.message)
  assert.deepEqual([anew.status, anew.body.errors], [400, ['items.0.field_id']])
})

test('every change of a form is in the audit log, with before and after', async () => {
  const items = [{ field_id: code.id }]
  const form = await aForm(desk, admin, { items, is_default: 1 })
  const next = await aForm(desk, admin, { is_default: 1 })
  await call('update', { id: form.id, name: 'Renamed' })
  await call('archive', { id: form.id })
  await call('unarchive', { id: form.id })
  await call('delete', { id: form.id })
  await call('delete', { id: next.id })

  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'ticket_form')
    .where('target_id', '=', form.id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  const { name } = form
  const facts = { deptids: [], items: form.items, is_default: false }
  assert.deepEqual(
    rows.map(({ action, before, after }) => [action.replace('ticket_form.', ''), before, after]),
    [
      ['created', null, { ...facts, name, is_default: true }],
      ['updated', { name, is_default: true }, { name, is_default: false }],
      ['updated', { name }, { name: 'Renamed' }],
      ['archived', { ...facts, name: 'Renamed' }, null],
      ['unarchived', null, { ...facts, name: 'Renamed' }],
      ['deleted', { ...facts, name: 'Renamed' }, null]
    ]
  )
})

test('F4 clients get what they may write, and nothing that depends on another field; staff get all of the form', async () => {
  const deptid = await aDepartment()
  const readOnly = await aField(desk, admin, { kind: 'checkbox', client_access: 'read' })
  const hidden = await aField(desk, admin, { client_access: 'write' })
  const items = [
    { field_id: product.id },
    { field_id: code.id, show_if: ifInverter },
    { field_id: internal.id },
    { field_id: readOnly.id },
    { field_id: hidden.id, show_if: { field_id: readOnly.id, in: [1] } }
  ]
  const made = await aForm(desk, admin, { name: 'kanari-form', deptids: [deptid], items })
  const grace = await aSupporter(desk, 'tickets.reply')
  const shown = async (by?: typeof ada) => await desk.post('/api/ticket-forms', by, { deptid })

  const [client, staff, closed] = [await shown(ada), await shown(grace), await shown()]
  await desk.post('/api/admin/settings/update', admin, { tickets_without_account: 1 })
  const stranger = await shown()
  await call('archive', { id: made.id })
  const none = await shown(ada)

  assert.deepEqual(client.data.form, {
    items: [
      {
        field: {
          id: product.id,
          key: product.key,
          label: client.data.form.items[0].field.label,
          kind: 'select',
          options: [
            { id: 1, label: 'Inverter' },
            { id: 2, label: 'Storage' }
          ],
          hint: ''
        },
        required: 1,
        show_if: null
      },
      { field: { ...client.data.form.items[1].field, id: code.id }, required: 0, show_if: ifInverter }
    ]
  })
  assert.deepEqual(stranger.data, client.data)
  assert.deepEqual([closed.status, closed.data.form], [200, null])
  assert.equal(none.data.form, null)
  const { id, name, items: asked } = staff.data.form
  assert.deepEqual([id, name], [made.id, 'kanari-form'])
  assert.deepEqual(
    asked.map((item: { field: { id: number }; required_to_close: number }) => [item.field.id, item.required_to_close]),
    [product, code, internal, readOnly, hidden].map(field => [field.id, field === internal ? 1 : 0])
  )
})
