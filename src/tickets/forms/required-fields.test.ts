import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aField, fieldsOf } from '../../../test/support/fields.ts'
import { aForm } from '../../../test/support/forms.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'
import { aFile, form, storedFiles, ticketRow } from '../../../test/support/tickets.ts'

const { desk, ada, admin, runsOf } = await bootRulesDesk({
  config: { MAIL_FROM: 'Example Support <support@desk.example>' }
})
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })
const options = [{ label: 'Inverter' }, { label: 'Storage' }, { label: 'Other' }]
const product = await aField(desk, admin, { key: 'product', kind: 'select', options, client_access: 'write' })
const code = await aField(desk, admin, { key: 'code', label: 'Error code', client_access: 'write' })
const cause = await aField(desk, admin, { key: 'cause', label: 'Cause', required_on: 'close' })
const part = await aField(desk, admin, { key: 'part', label: 'Part', required_on: 'close' })
const { deptid } = (await desk.post('/api/admin/departments/create', admin, { name: 'Hardware' })).data.department
const elsewhere = (await desk.post('/api/admin/departments/create', admin, { name: 'Elsewhere' })).data.department
  .deptid
// The code is required where the product is the inverter; closing needs the cause, and the part of an inverter.
const ifInverter = { field_id: product.id, in: [1] }
const hardware = await aForm(desk, admin, {
  deptids: [deptid],
  items: [
    { field_id: product.id, required: 1 },
    { field_id: code.id, required: 1, show_if: ifInverter },
    { field_id: cause.id },
    { field_id: part.id, show_if: ifInverter }
  ]
})

const opening = { department_id: deptid, subject: 'S', message: 'M' }
const client = (path: string, body: object) => desk.post(`/api/tickets/${path}`, ada, body)
const staff = (path: string, body: object) => desk.post(`/api/admin/tickets/${path}`, admin, body)
const refusal = ({ status, body }: { status: number; body: { reason?: string; errors?: string[] } }) => [
  status,
  body.reason,
  body.errors
]
const statusOf = async (id: number) => (await ticketRow(desk, id)).status

/** A ticket of the client with an inverter, in the department with the form. */
async function opened(fields: object = { product: 1, code: 'E-042' }): Promise<number> {
  const reply = await client('create', { ...opening, fields })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.ticket_id
}

test('F2 what a form requires on opening binds clients in JSON, multipart and urlencoded, and a refusal leaves nothing', async () => {
  const [rows, files] = [await desk.rowCounts(), await storedFiles(desk)]
  const multipart = form(opening, aFile('log.txt', 'kept by nobody'))
  multipart.append('fields[product]', '1')
  const urlencoded = new URLSearchParams({ ...opening, department_id: String(deptid), 'fields[product]': '1' })
  const headers = { authorization: `Bearer ${ada.token}` }
  const sent = await fetch(`${desk.url}/api/tickets/create`, { method: 'POST', headers, body: urlencoded })

  const inForm = { status: sent.status, body: (await sent.json()) as { reason: string; errors: string[] } }
  const none = await client('create', opening)
  const blank = await client('create', { ...opening, fields: { product: 1, code: '  ' } })
  const parts = await client('create', multipart)
  const wrong = await client('create', { ...opening, fields: { product: 7 } })

  assert.deepEqual(refusal(none), [400, 'fields_required', ['fields.product']])
  for (const reply of [blank, parts, inForm]) {
    assert.deepEqual(refusal(reply), [400, 'fields_required', ['fields.code']])
  }
  assert.match(blank.body.message, /Error code/)
  assert.deepEqual(refusal(wrong), [400, 'invalid_fields', ['fields.product']])
  assert.deepEqual(await desk.rowCounts(), rows)
  assert.deepEqual(await storedFiles(desk), files)
})

test('F3 of what a client changes later, what the form hides with it is not stored either; what was there stays', async () => {
  const id = await opened({ product: 2 })
  const change = (fields: object) => client('fields', { id, fields })

  const hidden = await change({ code: 'E-042' })
  const together = await change({ product: 1, code: 'E-042' })
  const turned = await change({ product: 3, code: 'E-043' })
  const wrong = await change({ product: 7, code: 'E-044' })

  assert.deepEqual([hidden.status, hidden.data.fields], [200, { product: 2 }])
  assert.deepEqual(together.data.fields, { product: 1, code: 'E-042' })
  assert.deepEqual(turned.data.fields, { product: 3, code: 'E-042' })
  assert.deepEqual(refusal(wrong), [400, 'invalid_fields', ['fields.product']])
})

test('F3 what the form hides is neither required nor stored, whatever it holds', async () => {
  const stored = await opened({ product: 2, code: 'E-042' })
  const shown = await opened({ product: '1', code: 'E-042' })

  assert.deepEqual(await fieldsOf(desk, admin, stored), { product: 2 })
  assert.deepEqual(await fieldsOf(desk, admin, shown), { product: 1, code: 'E-042' })
})

test('F2 neither staff nor mail are bound on opening, and nothing is where no form fits', async () => {
  const byStaff = await staff('create', { ...opening, client_id: ada.id })
  const elsewhereReply = await client('create', { ...opening, department_id: elsewhere })
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': deptid } })
  const { ticket_id: byMail } = await receiverOf(desk)(aMail({}, 'The inverter stops.\n'))
  const { department } = (await staff('detail', { id: byMail })).data.ticket

  assert.deepEqual([byStaff.status, elsewhereReply.status], [201, 201])
  assert.equal(department.id, deptid)
  assert.deepEqual(await fieldsOf(desk, admin, byMail!), {})
})

test('F2 the default form is for departments without one of their own', async () => {
  const general = await aForm(desk, admin, { is_default: 1, items: [{ field_id: code.id, required: 1 }] })

  const bound = await client('create', { ...opening, department_id: elsewhere })
  const own = await client('create', { ...opening, fields: { product: 3 } })
  await desk.post('/api/admin/ticket-forms/delete', admin, { id: general.id })

  assert.deepEqual(refusal(bound), [400, 'fields_required', ['fields.code']])
  assert.equal(own.status, 201)
})

test('F2 staff close nothing without the fields that closing needs, whichever way; F3 as far as they are shown', async () => {
  const id = await opened()
  const { macro } = (
    await desk.post('/api/admin/macros/create', admin, { name: 'Close', actions: [{ set_status: 'Closed' }] })
  ).data
  const { macro: written } = (
    await desk.post('/api/admin/macros/create', admin, {
      name: 'Thank and close',
      actions: [{ set_status: 'Closed' }],
      reply_text: 'Thank you.'
    })
  ).data
  const rows = await desk.rowCounts()
  const both = ['fields.cause', 'fields.part']

  const byMacro = (macro_id: number) => desk.post('/api/admin/macros/apply', admin, { id, macro_id, send: 1 })
  const replies = [
    await staff('status', { id, status: 'Closed' }),
    await staff('status', { id, status: 'Closed', force: 1 }),
    await desk.post('/api/tickets/status', admin, { id, status: 'Closed' }),
    await desk.post('/api/tickets/status', admin, { id, status: 'Closed', force: 1 }),
    await staff('reply', { id, message: 'Bye.', status: 'Closed' }),
    await staff('reply', { id, message: 'Bye.', status: 'Closed', force_close: 1 }),
    await byMacro(macro.id),
    await byMacro(written.id)
  ]
  const bulk = [
    await staff('bulk', { ids: [id], action: 'status', status: 'Closed' }),
    await staff('bulk', { ids: [id], action: 'status', status: 'Closed', force: 1 }),
    await staff('bulk', { ids: [id], action: 'macro', macro_id: macro.id })
  ]

  for (const reply of replies) assert.deepEqual(refusal(reply), [400, 'fields_required', both])
  for (const { data } of bulk) {
    const [{ message, ...failed }] = data.failed
    assert.deepEqual([data.done, failed], [[], { id, reason: 'fields_required', errors: both }])
    assert.match(message, /Cause, Part/)
  }
  assert.deepEqual([await desk.rowCounts(), await statusOf(id)], [rows, 'Open'])

  await staff('update', { id, fields: { cause: 'Heat' } })
  const one = await staff('status', { id, status: 'Closed' })
  await staff('update', { id, fields: { product: 2 } })
  const closed = await staff('status', { id, status: 'Closed' })

  assert.deepEqual(refusal(one), [400, 'fields_required', ['fields.part']])
  assert.equal(closed.status, 200, closed.body.message)
})

test('F2 every way closes a ticket that has its fields, and what is closed already is asked nothing', async () => {
  const filled = async () => {
    const id = await opened({ product: 2 })
    await staff('update', { id, fields: { cause: 'Heat' } })
    return id
  }
  const [first, second, third] = [await filled(), await filled(), await filled()]

  const replies = [
    await desk.post('/api/tickets/status', admin, { id: first, status: 'Closed' }),
    await staff('reply', { id: second, message: 'Bye.', status: 'Closed' }),
    await staff('bulk', { ids: [third], action: 'status', status: 'Closed' })
  ]
  await staff('update', { id: first, fields: { cause: null } })
  const again = [
    await desk.post('/api/tickets/status', admin, { id: first, status: 'Closed' }),
    await staff('status', { id: first, status: 'Closed' }),
    await staff('reply', { id: first, message: 'One more word.', status: 'Closed' })
  ]

  for (const { status } of [...replies, ...again]) assert.ok(status < 300)
  for (const id of [first, second, third]) assert.equal(await statusOf(id), 'Closed')
})

test('F2 clients close their own tickets, and undoing is not stopped', async () => {
  const [own, reopened] = [await opened(), await opened()]
  await client('status', { id: reopened, status: 'Closed' })
  await staff('status', { id: reopened, status: 'Open' })

  const closed = await client('status', { id: own, status: 'Closed' })
  const undone = await staff('undo', { id: reopened })

  assert.equal(closed.status, 200, closed.body.message)
  assert.equal(undone.status, 200, undone.body.message)
  assert.deepEqual([await statusOf(own), await statusOf(reopened)], ['Closed', 'Closed'])
})

test('F2 a rule that may not close a ticket skips that, and its run says so', async () => {
  const rule = await aRule(desk, admin, { actions: [{ set_priority: 'High' }, { set_status: 'Closed' }] })
  const id = await opened()

  await runRules(desk)
  const [run] = await runsOf(id)
  await desk.post('/api/admin/rules/delete', admin, { id: rule.id })

  const row = await ticketRow(desk, id)
  assert.deepEqual([row.priority, row.status, run.outcome], ['High', 'Open', 'ran'])
  assert.deepEqual(run.detail.actions[1], {
    set_status: 'skipped',
    why: 'Fields are required that have no value'
  })
})

test('F5 an archived field is asked for no more', async () => {
  const id = await opened({ product: 2 })
  await desk.post('/api/admin/fields/archive', admin, { id: cause.id })

  const closed = await staff('status', { id, status: 'Closed' })
  await desk.post('/api/admin/fields/unarchive', admin, { id: cause.id })

  assert.equal(closed.status, 200, closed.body.message)
})

test('F1 and F5 an archived field is refused on opening too, whether or not the form of the department has it', async () => {
  await desk.post('/api/admin/fields/archive', admin, { id: code.id })
  const inForm = await client('create', { ...opening, fields: { product: 1, code: 'E-042' } })
  const inNone = await client('create', { ...opening, department_id: elsewhere, fields: { code: 'E-042' } })
  const dependent = await client('create', { ...opening, fields: { product: 1 } })
  await desk.post('/api/admin/fields/unarchive', admin, { id: code.id })

  for (const reply of [inForm, inNone]) assert.deepEqual(refusal(reply), [400, 'invalid_fields', ['fields.code']])
  assert.equal(dependent.status, 201, dependent.body.message)
})

test('F5 what depends on an archived field is hidden with it, and closing does not need it', async () => {
  const id = await opened()
  await staff('update', { id, fields: { cause: 'Heat' } })
  const before = await staff('status', { id, status: 'Closed' })
  await desk.post('/api/admin/fields/archive', admin, { id: product.id })
  const after = await staff('status', { id, status: 'Closed' })
  await desk.post('/api/admin/fields/unarchive', admin, { id: product.id })

  assert.deepEqual(refusal(before), [400, 'fields_required', ['fields.part']])
  assert.equal(after.status, 200, after.body.message)
})

test('F2 a department that is not there is told before the fields of the default form', async () => {
  await aForm(desk, admin, { deptids: [], is_default: 1, items: [{ field_id: product.id, required: 1 }] })

  const unknown = await client('create', { ...opening, department_id: 999 })
  const known = await client('create', { ...opening, department_id: elsewhere })

  assert.deepEqual(refusal(unknown), [400, 'unknown_department', ['department_id']])
  assert.deepEqual(refusal(known), [400, 'fields_required', ['fields.product']])
})

test('F3 what a form hides only from now on keeps its value where it is set: no change of a form writes to tickets', async () => {
  const id = await opened({ product: 1, code: 'E-042' })
  const items = hardware.items.map(({ field_id, show_if }) => ({
    field_id,
    ...(show_if && { show_if: { ...show_if, in: [2] } })
  }))
  const changed = await desk.post('/api/admin/ticket-forms/update', admin, { id: hardware.id, items })
  const kept = await fieldsOf(desk, admin, id)
  const later = await opened({ product: 1, code: 'E-043' })
  await staff('update', { id, fields: { code: 'E-044' } })

  assert.equal(changed.status, 200, changed.body.message)
  assert.deepEqual(kept, { product: 1, code: 'E-042' })
  assert.deepEqual(await fieldsOf(desk, admin, later), { product: 1 })
  assert.deepEqual(await fieldsOf(desk, admin, id), { product: 1, code: 'E-044' })
})
