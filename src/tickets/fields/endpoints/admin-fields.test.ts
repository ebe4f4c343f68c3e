import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aField, fieldsOf } from '../../../../test/support/fields.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import { removeFieldValues } from '../remove-field-values.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const call = (name: string, body: object = {}) => desk.post(`/api/admin/fields/${name}`, admin, body)
const update = async (id: number, fields: object) => await desk.post('/api/admin/tickets/update', admin, { id, fields })

test('a field is created after all others, changed and listed', async () => {
  const made = await call('create', {
    key: 'contract',
    label: 'Contract',
    kind: 'select',
    options: [{ label: 'Gold' }, { label: 'Silver' }],
    is_filterable: 1
  })
  const { id } = made.data.field
  const later = await aField(desk, admin)
  const changed = await call('update', {
    id,
    expected_version: 1,
    label: 'Agreement',
    options: [{ id: 2, label: 'Silver!' }, { label: 'Bronze' }]
  })
  const conflict = await call('update', { id, expected_version: 1, label: 'x' })
  const { fields } = (await call('list')).data

  assert.deepEqual(made.data.field.options, [
    { id: 1, label: 'Gold', is_archived: 0 },
    { id: 2, label: 'Silver', is_archived: 0 }
  ])
  assert.deepEqual(changed.data.field.options, [
    { id: 2, label: 'Silver!', is_archived: 0 },
    { id: 3, label: 'Bronze', is_archived: 0 },
    { id: 1, label: 'Gold', is_archived: 1 }
  ])
  assert.deepEqual([changed.data.field.label, changed.data.field.version, conflict.status], ['Agreement', 2, 409])
  assert.deepEqual(
    fields.map((field: { id: number }) => field.id),
    [id, later.id]
  )
})

test('F6 the kind and the key of a field never change', async () => {
  const { id, key } = await aField(desk, admin)

  const [kind, other, same] = [
    await call('update', { id, kind: 'number' }),
    await call('update', { id, key: 'another' }),
    await call('update', { id, kind: 'text', key })
  ]

  assert.deepEqual([kind.status, kind.body.errors], [400, ['kind']])
  assert.deepEqual([other.status, other.body.errors], [400, ['key']])
  assert.deepEqual([same.status, same.data.field.version], [200, 1])
})

test('F7 an archived option stays where it is set, and is set nowhere else', async () => {
  const field = await aField(desk, admin, { kind: 'multi_select', options: [{ label: 'One' }, { label: 'Two' }] })
  const [has, lacks] = [(await aTicket(desk, ada)).ticket_id, (await aTicket(desk, ada)).ticket_id]
  await update(has, { [field.key]: [1] })
  await call('update', { id: field.id, options: [{ id: 2, label: 'Two' }] })

  const kept = await update(has, { [field.key]: [1, 2] })
  const refused = await update(lacks, { [field.key]: [1] })

  assert.equal(kept.status, 200)
  assert.deepEqual((await fieldsOf(desk, admin, has))[field.key], [1, 2])
  assert.deepEqual([refused.status, refused.body.errors], [400, [`fields.${field.key}`]])
})

test('F5 an archived field is shown where it has a value, and is set nowhere', async () => {
  const field = await aField(desk, admin)
  const { ticket_id: id } = await aTicket(desk, ada)
  await update(id, { [field.key]: 'kept' })

  const archived = await call('archive', { id: field.id })
  const refused = await update(id, { [field.key]: 'other' })
  const shown = await fieldsOf(desk, admin, id)
  await call('unarchive', { id: field.id })

  assert.equal(archived.data.field.is_archived, 1)
  assert.deepEqual([refused.status, refused.body.errors], [400, [`fields.${field.key}`]])
  assert.equal(shown[field.key], 'kept')
  assert.equal((await update(id, { [field.key]: 'other' })).status, 200)
})

test('F5 only an archived field that nothing uses is deleted; its values go, and its key rests for 90 days', async () => {
  const field = await aField(desk, admin, { key: 'doomed' })
  const { ticket_id: id } = await aTicket(desk, ada)
  await update(id, { doomed: 'gone' })

  const early = await call('delete', { id: field.id })
  await call('archive', { id: field.id })
  const uses = { used_kind: 'field', used_id: field.id, by_kind: 'view', where: 'conditions.all.0.any.0' } as const
  const view = await desk.post('/api/admin/views/create', admin, { name: 'Doomed', is_shared: 1, query: {} })
  assert.equal(view.status, 201, view.body.message)
  await desk.db
    .insertInto('definition_uses')
    .values({ ...uses, by_id: view.data.view.id })
    .execute()
  const used = await call('delete', { id: field.id })
  const told = await call('uses', { id: field.id })
  await desk.db.deleteFrom('definition_uses').where('used_id', '=', field.id).execute()
  const deleted = await call('delete', { id: field.id })
  await removeFieldValues(desk.services, field.id)
  const again = await call('create', { key: 'doomed', label: 'Doomed', kind: 'date' })

  assert.deepEqual([early.status, early.body.reason], [409, 'field_not_archived'])
  assert.deepEqual([used.status, used.data.uses[0].name], [409, 'Doomed'])
  assert.deepEqual(told.data.uses, used.data.uses)
  assert.equal(deleted.status, 200)
  const [values] = await desk.db.selectFrom('ticket_fields').where('ticket_id', '=', id).selectAll().execute()
  assert.deepEqual(values?.values, {})
  const [left] = await desk.db.selectFrom('deleted_fields').selectAll().execute()
  assert.deepEqual([left?.key, left?.is_cleared], ['doomed', true])
  assert.deepEqual([again.status, again.body.reason], [409, 'field_key_rests'])
  await desk.db
    .updateTable('deleted_fields')
    .set({ deleted_at: new Date('2020-01-01') })
    .execute()
  assert.equal((await call('create', { key: 'doomed', label: 'Doomed', kind: 'date' })).status, 201)
})

test('there are at most 100 fields, 20 to filter by, and 200 options', async () => {
  const own = await bootDesk()
  const owner = await anAdmin(own)
  for (let more = 20; more > 0; more--) await aField(own, owner, { is_filterable: 1 })
  const filterable = { key: 'one_more', label: 'x', kind: 'text', is_filterable: 1 }
  const tooFilterable = await own.post('/api/admin/fields/create', owner, filterable)
  for (let more = 80; more > 0; more--) await aField(own, owner)
  const tooMany = await own.post('/api/admin/fields/create', owner, { key: 'one_more', label: 'x', kind: 'text' })
  const options = Array.from({ length: 201 }, (_, at) => ({ label: `Option ${at}` }))
  const tooLong = await call('create', { key: 'long', label: 'x', kind: 'select', options })
  const notFilterable = await call('create', { key: 'long', label: 'x', kind: 'long_text', is_filterable: 1 })

  assert.deepEqual([tooFilterable.status, tooFilterable.body.reason], [409, 'too_many_filterable_fields'])
  assert.deepEqual([tooMany.status, tooMany.body.reason], [409, 'too_many_fields'])
  assert.deepEqual([tooLong.status, tooLong.body.errors], [400, ['options']])
  assert.deepEqual([notFilterable.status, notFilterable.body.errors], [400, ['is_filterable']])
})

test('what cannot be a field is refused by name', async () => {
  const taken = await aField(desk, admin)
  for (const [given, errors] of [
    [{ key: 'Big' }, ['key']],
    [{ key: '__proto__' }, ['key']],
    [{ kind: 'formula' }, ['kind']],
    [{ options: [{ label: 'x' }] }, ['options']],
    [{ kind: 'select', options: [{ label: 'x' }, { label: 'X' }] }, ['options']],
    [{ kind: 'select', options: [{ id: 7, label: 'x' }] }, ['options']],
    [{ client_access: 'all' }, ['client_access']]
  ] as const) {
    const reply = await call('create', { key: 'fine', label: 'Fine', kind: 'text', ...given })
    assert.deepEqual([reply.status, reply.body.errors], [400, errors], JSON.stringify(given))
  }
  const twice = await call('create', { key: taken.key, label: 'x', kind: 'text' })
  assert.deepEqual([twice.status, twice.body.reason], [409, 'field_key_taken'])
})

test('every change of a field is in the audit log, with before and after', async () => {
  const { id, key } = await aField(desk, admin, { label: 'Old' })
  await call('update', { id, label: 'New' })
  await call('archive', { id })
  await call('unarchive', { id })
  await call('archive', { id })
  await call('delete', { id })

  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'field')
    .where('target_id', '=', id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['created', 'updated', 'archived', 'unarchived', 'archived', 'deleted'].map(name => `field.${name}`)
  )
  assert.deepEqual(
    [rows[1]!.before, rows[1]!.after],
    ['Old', 'New'].map(label => ({ key, client_access: 'none', label }))
  )
})

test('all staff know the fields, and only admins change them', async () => {
  const { id } = await aField(desk, admin)
  const grace = await aSupporter(desk, 'tickets.reply')

  assert.equal((await desk.post('/api/admin/fields/list', grace)).status, 200)
  for (const name of ['create', 'update', 'archive', 'unarchive', 'delete', 'uses']) {
    const reply = await desk.post(`/api/admin/fields/${name}`, grace, { id, key: 'x', label: 'x', kind: 'text' })
    assert.equal(reply.status, 403, name)
  }
})
