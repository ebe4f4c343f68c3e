import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { type AField, aField } from '../../../test/support/fields.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket, listedIds } from '../../../test/support/tickets.ts'
import { prepareFilter, resumeFilters } from '../fields/prepare-filter.ts'

const desk = await bootDesk({ connections: 3 })
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
const options = [{ label: 'Gold' }, { label: 'Silver' }]
const contract = await prepared({ key: 'contract', kind: 'select', options })
const modules = await prepared({ key: 'modules', kind: 'multi_select', options })
const weight = await prepared({ key: 'weight', kind: 'number' })
await prepared({ key: 'bought_on', kind: 'date' })
const urgent = await prepared({ key: 'is_urgent', kind: 'checkbox' })
await prepared({ key: 'serial' })

async function prepared(given: object): Promise<AField> {
  const field = await aField(desk, admin, { is_filterable: 1, ...given })
  await prepareFilter(desk.services, field.id)
  return field
}

async function aTicketWith(fields: object): Promise<number> {
  const { ticket_id: id } = await aTicket(desk, ada)
  const reply = await desk.post('/api/admin/tickets/update', admin, { id, fields })
  assert.equal(reply.status, 200, reply.body.message)
  return id
}

const one = await aTicketWith({ contract: 1, modules: [1, 2], weight: 1, bought_on: '2026-03-01', serial: 'SN-1' })
const two = await aTicketWith({ contract: 2, modules: [2], weight: 2.5, bought_on: '2026-03-02', is_urgent: true })
const three = await aTicketWith({ is_urgent: false })
const listed = async (fields: object) => (await listedIds(desk, admin, { fields })).toSorted((a, b) => a - b)
const list = (body: object) => desk.post('/api/admin/tickets/list', admin, body)
const conditions = (field: string, op: string, value?: unknown) => ({
  conditions: { all: [{ any: [{ field, op, ...(value === undefined ? {} : { value }) }] }] }
})

test('lists are filtered by fields of every kind', async () => {
  assert.deepEqual(await listed({ contract: [2] }), [two])
  assert.deepEqual(await listed({ contract: [1, 2] }), [one, two])
  assert.deepEqual(await listed({ modules: [2] }), [one, two])
  assert.deepEqual(await listed({ serial: 'SN-1' }), [one])
  assert.deepEqual(await listed({ weight: { from: 1, to: 2.5 } }), [one, two])
  assert.deepEqual(await listed({ weight: { to: 2.4 } }), [one])
  assert.deepEqual(await listed({ bought_on: { from: '2026-03-02' } }), [two])
  assert.deepEqual(await listed({ bought_on: { from: '2026-03-01', to: '2026-03-01' } }), [one])
  assert.deepEqual(await listed({ is_urgent: 1 }), [two])
  assert.deepEqual(await listed({ is_urgent: 0 }), [one, three])
  assert.deepEqual(await listed({ contract: [2], is_urgent: 0 }), [])
})

test('a checkbox is looked for as 0 and 1 too, in conditions and saved views', async () => {
  const named = `f${urgent.id}`
  for (const value of [1, true]) assert.deepEqual(await listedIds(desk, admin, conditions(named, 'is', value)), [two])
  for (const value of [0, false])
    assert.deepEqual(await listedIds(desk, admin, conditions(named, 'is', value)), [three])
})

test('a filter that is none is refused by its name', async () => {
  const plain = await aField(desk, admin)
  for (const [fields, errors] of [
    [{ contract: [3] }, ['fields.contract']],
    [{ weight: 2 }, ['fields.weight']],
    [{ weight: {} }, ['fields.weight']],
    [{ weight: 12.5, contract: null }, ['fields.weight', 'fields.contract']],
    [{ weight: { from: 1, until: 2 } }, ['fields.weight']],
    [{ contract: ['x'] }, ['fields.contract']],
    [{ contract: Array(101).fill(1) }, ['fields.contract']],
    [[], ['fields']],
    [{ bought_on: { from: '2026-02-30' } }, ['fields.bought_on']],
    [{ unknown: 'x' }, ['fields.unknown']],
    [{ [plain.key]: 'x' }, [`fields.${plain.key}`]],
    [JSON.parse('{ "__proto__": "x" }'), ['fields.__proto__']]
  ] as const) {
    const { status, body } = await list({ fields })
    assert.deepEqual([status, body.errors], [400, errors], JSON.stringify(fields))
  }
})

test('conditions and saved views name fields by id, and are refused what their kind does not have', async () => {
  const silver = conditions(`f${contract.id}`, 'in', [2])
  const view = await desk.post('/api/admin/views/create', admin, { name: 'Silver', is_shared: 1, query: silver })
  await desk.post('/api/admin/fields/archive', admin, { id: contract.id })
  const uses = await desk.post('/api/admin/fields/uses', admin, { id: contract.id })
  const refused = await desk.post('/api/admin/fields/delete', admin, { id: contract.id })
  const archived = await listedIds(desk, admin, silver)
  await desk.post('/api/admin/fields/unarchive', admin, { id: contract.id })
  const { views } = (await desk.post('/api/admin/tickets/counts', admin)).data

  assert.equal(view.status, 201, view.body.message)
  assert.deepEqual(await listedIds(desk, admin, conditions(`f${weight.id}`, 'greater', 2)), [two])
  assert.deepEqual(await listedIds(desk, admin, conditions(`f${modules.id}`, 'has_any', [1])), [one])
  assert.deepEqual(
    uses.data.uses.map(({ name, where }: { name: string; where: string }) => [name, where]),
    [['Silver', 'conditions.all.0.any.0']]
  )
  assert.equal(refused.status, 409)
  assert.deepEqual(archived, [two], 'F5: filters go on')
  assert.deepEqual(
    views.map(({ count }: { count: number }) => count),
    [1]
  )
  for (const [wrong, errors] of [
    [conditions('f999999', 'is_set'), ['conditions.all.0.any.0.field']],
    [conditions(`f${weight.id}`, 'contains', '2'), ['conditions.all.0.any.0.op']],
    [conditions(`f${weight.id}`, 'is', 'two'), ['conditions.all.0.any.0.value']],
    [conditions(`f${contract.id}`, 'in', [9]), ['conditions.all.0.any.0.value']],
    [conditions('f0', 'is_set'), ['conditions.all.0.any.0.field']]
  ] as const) {
    const { status, body } = await list(wrong)
    assert.deepEqual([status, body.errors], [400, errors], JSON.stringify(wrong))
  }
})

test('a saved view is filtered by fields as a list is, and keeps that as conditions', async () => {
  const create = (query: object) => desk.post('/api/admin/views/create', admin, { name: 'By fields', query })
  const { view } = (await create({ status: ['Open'], fields: { contract: [2], weight: { from: 2 } } })).data
  const changed = await desk.post('/api/admin/views/update', admin, {
    id: view.id,
    query: { fields: { is_urgent: 1 } }
  })
  const refused = await create({ fields: { contract: [9], unknown: 'x' } })

  assert.deepEqual(view.query, {
    status: ['Open'],
    conditions: {
      all: [
        { any: [{ field: `f${contract.id}`, op: 'in', value: [2] }] },
        {
          any: [
            { field: `f${weight.id}`, op: 'is', value: 2 },
            { field: `f${weight.id}`, op: 'greater', value: 2 }
          ]
        }
      ]
    }
  })
  assert.deepEqual(await listedIds(desk, admin, view.query), [two])
  assert.deepEqual(await listedIds(desk, admin, changed.data.view.query), [two])
  assert.deepEqual([refused.status, refused.body.errors], [400, ['query.fields.contract', 'query.fields.unknown']])
  await desk.post('/api/admin/views/delete', admin, { id: view.id })
})

test('until its index is built a filter is being prepared, and the index goes with the filter', async () => {
  const indexes = async (id: number) => {
    const { rows } = await sql`select from pg_class where relname = ${`tickets_f${id}_index`}`.execute(desk.db)
    return rows.length
  }
  const field = await aField(desk, admin, { is_filterable: 1 })
  const early = await list({ fields: { [field.key]: 'x' } })
  await prepareFilter(desk.services, field.id)
  const ready = await list({ fields: { [field.key]: 'x' } })
  const built = await indexes(field.id)
  await sql`drop index ${sql.ref(`tickets_f${field.id}_index`)}`.execute(desk.db)
  await resumeFilters(desk.services)
  await desk.deliver()
  const rebuilt = await indexes(field.id)
  await desk.post('/api/admin/fields/update', admin, { id: field.id, is_filterable: 0 })
  await prepareFilter(desk.services, field.id)

  assert.deepEqual([early.status, early.body.reason], [409, 'filter_not_ready'])
  assert.deepEqual([ready.status, ready.data.total, built, rebuilt, await indexes(field.id)], [200, 0, 1, 1, 0])
})

test('tickets with one value come from its index, newest first; with several from the index if few, or else from the newest', async () => {
  const field = await prepared({ kind: 'select', options: ['Gold', 'Silver', 'Tin', 'Zinc'].map(label => ({ label })) })
  await sql`with many as (insert into tickets (client_id, department_id, subject)
      select ${ada.id}, 1, 'Number ' || n from generate_series(1, 6000) as n returning id)
    insert into ticket_fields select id,
      jsonb_build_object(${`f${field.id}`}::text, case when id % 600 = 0 then 1 when id % 600 = 1 then 3 else 2 + id % 2 * 2 end)
    from many`.execute(desk.db)
  await sql`vacuum analyze tickets, ticket_fields`.execute(desk.db)
  const usesOf = async (index: string) => {
    await sql`select pg_stat_force_next_flush()`.execute(desk.db)
    const { rows } = await sql<{ reads: number }>`
      select idx_tup_read as reads from pg_stat_user_indexes where indexrelname = ${index}`.execute(desk.db)
    return rows[0]!.reads
  }
  const readBy = async (options: number[], sort: 'updated' | 'created' = 'updated') => {
    const walked = sort === 'updated' ? 'tickets_queue_index' : 'tickets_created_index'
    const before = [await usesOf(`tickets_f${field.id}_index`), await usesOf(walked)]
    const { data } = await list({ fields: { [field.key]: options }, limit: 5, sort })
    const after = [await usesOf(`tickets_f${field.id}_index`), await usesOf(walked)]
    const ids = data.tickets.map(({ id }: { id: number }) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => b - a)
    )
    return { total: data.total, count: data.count, read: after.map((reads, at) => reads - before[at]!) }
  }

  const [rare, common] = [await readBy([1]), await readBy([2])]
  const [severalRare, severalCommon] = [await readBy([1, 3]), await readBy([2, 4])]
  const [rareCreated, commonCreated] = [await readBy([1], 'created'), await readBy([2], 'created')]

  assert.deepEqual(
    [rare, common, severalRare, severalCommon, rareCreated, commonCreated].map(({ total }) => total),
    [10, 500, 20, 500, 10, 500]
  )
  for (const { read, count } of [rare, common, severalRare, severalCommon, rareCreated, commonCreated]) {
    assert.equal(count, 5)
    assert.ok(read[1]! < 1_000, `the newest are walked until the page is full at most: ${read}`)
  }
  assert.deepEqual([rare.read[1], common.read[1]], [0, 0])
})

test('the ticket’s row has a copy of its values for lists, without long texts, and is no newer for the copy', async () => {
  await aField(desk, admin, { key: 'story', kind: 'long_text' })
  const serial = await aField(desk, admin, { key: 'number' })
  const { ticket_id: id } = await aTicket(desk, ada)
  const set = (fields: object) => desk.post('/api/admin/tickets/update', admin, { id, fields })
  const row = async () =>
    await desk.db
      .selectFrom('tickets')
      .where('id', '=', id)
      .select(['version', 'field_values'])
      .executeTakeFirstOrThrow()
  const [slot, before] = [`f${serial.id}`, await row()]
  await set({ number: 'SN-1', story: 'Long ago' })
  const given = await row()
  await set({ number: null })

  assert.deepEqual(given, { version: before.version + 1, field_values: { [slot]: 'SN-1' } })
  assert.deepEqual(await row(), { version: before.version + 2, field_values: null })
})

test('a file of definitions names a field of a condition by its key, and is read so', async () => {
  const { config } = (await desk.post('/api/admin/config/export', admin)).data
  const [silver] = config.views.filter(({ name }: { name: string }) => name === 'Silver')
  const copy = { ...silver, name: 'Silver again' }
  const imported = await desk.post('/api/admin/config/import', admin, { config: { views: [copy] } })
  const { views } = (await desk.post('/api/admin/views/list', admin)).data
  const made = views.find(({ name }: { name: string }) => name === 'Silver again')
  const unknown = { ...copy, name: 'Unknown', query: conditions('fields.nothing', 'is_set') }
  const refused = await desk.post('/api/admin/config/import', admin, { config: { views: [unknown] } })

  assert.match(JSON.stringify(silver), /"field":"fields.contract"/)
  assert.equal(imported.status, 200, imported.body.message)
  assert.equal(made?.conditions.all[0].any[0].field, `f${contract.id}`)
  assert.match(JSON.stringify(refused.body), /nothing/)
})
