import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { exportArchive } from '../../../../test/support/export-archive.ts'
import { aField, fieldsOf } from '../../../../test/support/fields.ts'
import { anOrganisation, aPersonOf } from '../../../../test/support/organisations.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { listen } from '../../../../test/support/streams.ts'
import { aTicket, form, timeline } from '../../../../test/support/tickets.ts'
import { aWebhookReceiver } from '../../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, localReceivers } from '../../../../test/support/webhooks.ts'
import { system } from '../../../core/actor.ts'
import { act } from '../../../core/acts/act.ts'
import { InvalidFields } from '../../../kit/errors.ts'
import { applyAction } from '../../actions/apply-action.ts'
import { namedActions, storedActions } from '../../actions/stored-actions.ts'

const desk = await bootDesk({ connections: 5, config: localReceivers })
const [admin, ada, bob] = [await anAdmin(desk), await aClient(desk), await aClient(desk)]
const secret = await aField(desk, admin, { key: 'secret', label: 'kanari-label' })
await aField(desk, admin, { key: 'shown', client_access: 'read' })
const serial = await aField(desk, admin, { key: 'serial', client_access: 'write' })
await aField(desk, admin, { key: 'weight', kind: 'number', client_access: 'write' })
const options = [{ label: 'One' }, { label: 'Two' }]
await aField(desk, admin, { key: 'modules', kind: 'multi_select', client_access: 'write', options })

const opened = async () => (await aTicket(desk, ada)).ticket_id as number
const staff = (path: string, body: object) => desk.post(`/api/admin/tickets/${path}`, admin, body)
const client = (path: string, body: object) => desk.post(`/api/tickets/${path}`, ada, body)
const shown = async (id: number) => {
  const { fields, field_definitions } = (await client('detail', { id })).data.ticket
  return { fields, keys: field_definitions.map(({ key }: { key: string }) => key) }
}
const set = async (id: number, fields: object) => {
  const reply = await staff('update', { id, fields })
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data.ticket
}

test('F1 every way in is judged alike, and a refusal names the field and writes nothing', async () => {
  const id = await opened()
  const rows = await desk.rowCounts()
  const opening = { department_id: 1, subject: 'S', message: 'M' }
  for (const [fields, errors] of [
    [{ weight: 'heavy' }, ['fields.weight']],
    [{ weight: 1e15 }, ['fields.weight']],
    [{ modules: [3], serial: 1 }, ['fields.modules', 'fields.serial']],
    [{ unknown: 'x' }, ['fields.unknown']],
    [JSON.parse('{ "__proto__": "x" }'), ['fields.__proto__']]
  ] as const) {
    const replies = [
      await staff('create', { ...opening, client_id: ada.id, fields }),
      await staff('update', { id, fields }),
      await client('create', { ...opening, fields }),
      await client('fields', { id, fields }),
      await staff('bulk', { ids: [id], action: 'set_fields', fields })
    ]
    for (const { status, body } of replies) assert.deepEqual([status, body.errors], [400, errors])
  }
  const object = await staff('update', { id, fields: JSON.parse('{ "__proto__": { "x": 1 } }') })
  assert.deepEqual([object.status, object.body.errors], [400, ['fields.__proto__']])
  assert.deepEqual(await desk.rowCounts(), rows)
})

test('staff set values in create, update and bulk; each change is one event, and null clears', async () => {
  const made = await staff('create', {
    client_id: ada.id,
    department_id: 1,
    subject: 'S',
    message: 'M',
    fields: { secret: 'one', weight: 12.5 }
  })
  const id = made.data.ticket.id
  const before = await fieldsOf(desk, admin, id)
  const changed = await set(id, { secret: 'two', weight: null, modules: [2, 1] })
  const same = await set(id, { secret: 'two', weight: null, modules: [1, 2] })
  const bulk = await staff('bulk', { ids: [id], action: 'set_fields', fields: { serial: 'SN-1' } })

  assert.deepEqual(before, { secret: 'one', weight: 12.5 })
  assert.equal(same.version, changed.version)
  assert.deepEqual(bulk.data.done, [id])
  assert.deepEqual(await fieldsOf(desk, admin, id), { secret: 'two', serial: 'SN-1', modules: [1, 2] })
  const told = (await timeline(desk, id)).filter(([kind]) => kind === 'ticket.field_changed')
  assert.equal(told.length, 6)
  const facts = { field_id: secret.id, client_access: 'none' }
  assert.deepEqual(told[2], ['ticket.field_changed', { ...facts, value: 'one' }, { ...facts, value: 'two' }])
})

test('clients set what they may write: in JSON, in multipart and in a form, and later', async () => {
  const inJson = await aTicketWith({ fields: { serial: 'SN-1', modules: [1] } })
  const multipart = form({ department_id: 1, subject: 'S', message: 'M' })
  multipart.append('fields[serial]', 'SN-2')
  multipart.append('fields[weight]', '1.5')
  for (const module of ['1', '2']) multipart.append('fields[modules][]', module)
  const inMultipart = await client('create', multipart)
  const response = await fetch(`${desk.url}/api/tickets/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}` },
    body: new URLSearchParams({ department_id: '1', subject: 'S', message: 'M', 'fields[serial]': 'SN-3' })
  })
  const hostile = form({ department_id: 1, subject: 'S', message: 'M' })
  hostile.append('fields[__proto__]', 'x')
  const refused = await client('create', hostile)
  const later = await client('fields', { id: inJson, fields: { serial: 'SN-4', modules: null } })

  assert.deepEqual([inMultipart.status, response.status], [201, 201])
  assert.deepEqual((await shown(inMultipart.data.ticket_id)).fields, { serial: 'SN-2', weight: 1.5, modules: [1, 2] })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['fields.__proto__']])
  assert.deepEqual(later.data.fields, { serial: 'SN-4' })
  assert.deepEqual((await shown(inJson)).fields, { serial: 'SN-4' })
})

async function aTicketWith(given: object): Promise<number> {
  const reply = await client('create', { department_id: 1, subject: 'S', message: 'M', ...given })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.ticket_id
}

test('F4 a client reads what clients may read, sets what they may write, and others are no fields for them', async () => {
  const id = await opened()
  await set(id, { secret: 'kanari-value', shown: 'seen', serial: 'SN-1' })

  const seen = await shown(id)
  const readOnly = await client('fields', { id, fields: { shown: 'x' } })
  const staffOnly = await client('fields', { id, fields: { secret: 'x' } })
  const unknown = await client('fields', { id, fields: { nothing: 'x' } })
  const foreign = await desk.post('/api/tickets/fields', bob, { id, fields: { serial: 'x' } })

  assert.deepEqual(seen, { fields: { shown: 'seen', serial: 'SN-1' }, keys: ['shown', 'serial', 'weight', 'modules'] })
  for (const { status } of [readOnly, staffOnly, unknown]) assert.equal(status, 400)
  assert.equal(staffOnly.body.message.replace('secret', 'nothing'), unknown.body.message)
  assert.equal(foreign.status, 404)
})

test('F4 neither events, the stream of clients, webhooks nor the export tell of a field for staff', async () => {
  const [plain, full] = [await aWebhookReceiver(), await aWebhookReceiver()]
  await aWebhook(desk, admin, { url: plain.url, kinds: [] })
  await aWebhook(desk, admin, { url: full.url, kinds: [], include_staff_fields: 1 })
  const stream = await listen(desk.url, { token: ada.token, path: '/api/events/stream' })
  const id = await opened()
  await set(id, { secret: 'kanari-value', serial: 'SN-1' })
  await desk.post('/api/admin/fields/update', admin, { id: secret.id, hint: 'kanari-hint' })
  await client('reply', { id, message: 'The last.' })
  await deliverWebhooks(desk)
  await stream.first(({ event, data }) => event === 'ticket.replied' && data.ticket_id === id)
  stream.close()
  const { data } = await desk.post('/api/admin/clients/export', admin, { id: ada.id })
  const archive = (await exportArchive(desk, data.url)).tar
  const audit = JSON.stringify((await desk.post('/api/admin/audit/list', admin, { limit: 100 })).data)

  const sent = (requests: typeof plain.requests) => JSON.stringify(requests.map(({ event }) => event))
  assert.ok(!sent(plain.requests).includes('kanari'))
  assert.ok(sent(plain.requests).includes('SN-1'))
  for (const told of ['kanari-value', 'kanari-hint']) assert.ok(sent(full.requests).includes(told), told)
  assert.ok(!JSON.stringify(stream.told).includes('field'))
  assert.ok(!archive.includes('kanari'))
  assert.ok(archive.includes('SN-1'))
  assert.ok(!audit.includes('kanari-value'), 'the audit log outlives people, and has no words of theirs')
})

test('F4 whatever is done with a ticket, neither its client nor a manager meets a field for staff, nor what it holds', async () => {
  const organisation = await anOrganisation(desk)
  const [member, manager] = [await aPersonOf(desk, organisation), await aPersonOf(desk, organisation, 'manager')]
  const people = [member, manager]
  const openFor = async () => (await aTicket(desk, member)).ticket_id as number
  const [id, other] = [await openFor(), await openFor()]
  const streams = await Promise.all(people.map(({ token }) => listen(desk.url, { token, path: '/api/events/stream' })))
  const { data: said } = await desk.post('/api/tickets/reply', member, { id, message: 'This too.' })
  const taken = desk.outbox.emails.length

  await set(id, { secret: 'kanari-value' })
  await staff('merge', { id, into_id: other })
  await staff('unmerge', { id })
  const split = await staff('split', { id, message_ids: [said.message_id], subject: 'Apart' })
  await staff('unsplit', { id: split.data.ticket_id })
  await staff('bulk', { ids: [id], action: 'set_fields', fields: { secret: 'kanari-bulk' } })
  await staff('reply', { id, message: 'Done.' })
  desk.clock.turn(120)
  await desk.deliver()
  const { data: last } = await desk.post('/api/tickets/reply', member, { id, message: 'The last.' })

  assert.equal(split.status, 201, split.body.message)
  for (const [at, person] of people.entries()) {
    const ask = async (path: string, body: object = {}) => (await desk.post(path, person, body)).body
    const scope = person === manager ? { scope: 'organisation' } : {}
    const met = [
      await ask('/api/tickets/list', scope),
      await ask('/api/tickets/list', { ...scope, search: 'kanari' }),
      await ask('/api/tickets/search', { query: 'kanari' }),
      await ask('/api/tickets/detail', { id }),
      await ask('/api/tickets/detail', { id: other }),
      await ask('/api/ticket-forms', { deptid: 1 })
    ]
    const isLast = ({ data }: { data: { after?: { message_id?: number } } }) =>
      data.after?.message_id === last.message_id
    await streams[at]!.first(isLast)
    streams[at]!.close()
    const archive = await desk.post('/api/admin/clients/export', admin, { id: person.id })
    met.push(streams[at]!.told, (await exportArchive(desk, archive.data.url)).tar)
    for (const [place, what] of met.entries()) assert.ok(!JSON.stringify(what).includes('kanari'), `${at} ${place}`)
    for (const filter of [{ fields: { secret: 'kanari-bulk' } }, { fields: { secret: 'else' } }]) {
      const [filtered, plain] = [
        await ask('/api/tickets/list', { ...scope, ...filter }),
        await ask('/api/tickets/list', scope)
      ]
      assert.deepEqual(filtered.data, plain.data, 'a filter by it tells nothing')
    }
  }
  assert.ok(!JSON.stringify(desk.outbox.emails.slice(taken)).includes('kanari'))
})

test('F8 a merged ticket gives its target what that lacks, said in events, and unmerging leaves it', async () => {
  const [source, target] = [await opened(), await opened()]
  await set(source, { secret: 'of the source', weight: 1, modules: [1] })
  await set(target, { secret: 'of the target' })

  await staff('merge', { id: source, into_id: target })
  const merged = await fieldsOf(desk, admin, target)
  await staff('unmerge', { id: source })

  assert.deepEqual(merged, { secret: 'of the target', weight: 1, modules: [1] })
  assert.deepEqual(await fieldsOf(desk, admin, target), merged)
  assert.deepEqual(await fieldsOf(desk, admin, source), { secret: 'of the source', weight: 1, modules: [1] })
  const told = (await timeline(desk, target)).filter(([, , after]) => (after as { by?: string })?.by === 'merge')
  assert.deepEqual(
    told.map(([kind, , after]) => [kind, (after as { value: unknown }).value]),
    [
      ['ticket.field_changed', 1],
      ['ticket.field_changed', [1]]
    ]
  )
})

test('F8 a split copies the values, for another client those of staff alone', async () => {
  const id = await opened()
  await set(id, { secret: 'of staff', serial: 'SN-1' })
  const [first, second] = [
    await client('reply', { id, message: 'One.' }),
    await client('reply', { id, message: 'Two.' })
  ]

  const own = await staff('split', { id, message_ids: [first.data.message_id], subject: 'Own' })
  const others = await staff('split', {
    id,
    message_ids: [second.data.message_id],
    subject: 'Of another',
    client_id: bob.id
  })

  assert.deepEqual(await fieldsOf(desk, admin, own.data.ticket_id), { secret: 'of staff', serial: 'SN-1' })
  assert.deepEqual(await fieldsOf(desk, admin, others.data.ticket_id), { secret: 'of staff' })
})

test('F1 the action set_field names a field by key, keeps it by id, and is judged like all', async () => {
  const id = await opened()
  const stored = await act(desk.services, system, async ({ db }) =>
    storedActions(db, [{ set_field: { key: 'weight', value: '2.5' } }])
  )
  const apply = () =>
    act(desk.services, system, act =>
      applyAction({ services: desk.services, act, actor: system, ticket: id }, stored[0]!)
    )

  const [done, again] = [await apply(), await apply()]

  assert.equal(typeof (stored[0] as { set_field: { key: unknown } }).set_field.key, 'number')
  assert.deepEqual(await namedActions(desk.db, [stored]), [[{ set_field: { key: 'weight', value: '2.5' } }]])
  assert.deepEqual(done, { outcome: 'done', from: null, to: 2.5 })
  assert.deepEqual(again, { outcome: 'skipped', why: 'It is so already' })
  for (const action of [
    { set_field: { key: 'weight', value: 'heavy' } },
    { set_field: { key: 'nothing', value: 1 } }
  ]) {
    await assert.rejects(
      act(desk.services, system, ({ db }) => storedActions(db, [action])),
      error =>
        error instanceof Error &&
        'kind' in error &&
        error.kind === InvalidFields &&
        /actions\.0\.set_field/.test(error.message)
    )
  }
})

test('whoever may not change tickets does not set their fields', async () => {
  const [id, grace] = [await opened(), await aSupporter(desk, 'tickets.reply', 'tickets.view_all')]

  const replies = [
    await desk.post('/api/admin/tickets/update', grace, { id, fields: { secret: 'x' } }),
    await desk.post('/api/admin/tickets/bulk', grace, { ids: [id], action: 'set_fields', fields: { secret: 'x' } }),
    await desk.post('/api/tickets/fields', grace, { id, fields: { serial: 'x' } })
  ]

  assert.deepEqual(
    replies.map(({ status }) => status),
    [403, 403, 403]
  )
  assert.deepEqual(await fieldsOf(desk, admin, id), {})
  assert.equal(serial.version, 1)
})
