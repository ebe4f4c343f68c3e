import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

async function done(path: string, body: object = {}, by: Person = admin) {
  const reply = await desk.post(`/api/admin/${path}`, by, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

const created = async (body: object, by?: Person) =>
  (await done('views/create', { name: 'A view', query: {}, ...body }, by)).view
const listed = async (id: number) => (await done('views/list')).views.find((view: { id: number }) => view.id === id)
const countOf = async (id: number) =>
  (await done('tickets/counts')).views.find((view: { id: number }) => view.id === id).count
const tagNamed = async (name: string) => (await done('tags/create', { name })).tag.id as number
const usesOf = async (kind: string, used: number) => {
  const { rows } = await sql<{ by_id: number; where: string }>`select by_id, "where" from definition_uses
    where used_kind = ${kind} and used_id = ${used} order by by_id, "where"`.execute(desk.db)
  return rows
}

test('a view keeps filters and conditions, answers both as they were given, and all of it as conditions', async () => {
  const urgent = { any: [{ field: 'priority', op: 'in', value: ['High', 'Critical'] }] }
  const mine = {
    any: [
      { field: 'subject', op: 'contains', value: 'fire' },
      { field: 'tags', op: 'not_set' }
    ]
  }
  const query = { status: ['Open'], created_to: '2026-11-30', sort: 'created', conditions: { all: [urgent, mine] } }

  const view = await created({ query })

  assert.deepEqual(view.query, query)
  assert.deepEqual(view.conditions, {
    all: [
      { any: [{ field: 'status', op: 'in', value: ['Open'] }] },
      { any: [{ field: 'created_at', op: 'before', value: '2026-12-01' }] },
      urgent,
      mine
    ]
  })
  assert.deepEqual(await listed(view.id), view)
})

test('conditions beside the query are those of the query; alone they are changed alone; twice they are refused', async () => {
  const open = { all: [{ any: [{ field: 'status', op: 'is', value: 'Open' }] }] }
  const closed = { all: [{ any: [{ field: 'status', op: 'is', value: 'Closed' }] }] }

  const view = await created({ query: { department_id: 4 }, conditions: open })
  const changed = (await done('views/update', { id: view.id, conditions: closed })).view
  const renamed = (await done('views/update', { id: view.id, name: 'Another' })).view
  const again = (await done('views/update', { id: view.id, query: {}, conditions: changed.conditions })).view
  const twice = await desk.post('/api/admin/views/create', admin, {
    name: 'Twice',
    query: { conditions: open },
    conditions: open
  })

  assert.deepEqual(view.query, { department_id: 4, conditions: open })
  assert.deepEqual(changed.query, { department_id: 4, conditions: closed })
  assert.deepEqual([renamed.query, renamed.conditions], [changed.query, changed.conditions])
  assert.deepEqual(again.conditions, changed.conditions)
  assert.deepEqual([twice.status, twice.body.errors], [400, ['conditions']])
})

test('misspelt conditions are refused by their place in the view, and nothing is saved', async () => {
  const before = await desk.rowCounts()
  const wrong = { all: [{ any: [{ field: 'status', op: 'is', value: 'Lost' }] }] }
  const refused = [
    await desk.post('/api/admin/views/create', admin, { name: 'Wrong', query: { conditions: wrong } }),
    await desk.post('/api/admin/views/create', admin, { name: 'Wrong', query: {}, conditions: wrong })
  ]

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.errors]),
    [
      [400, ['query.conditions.all.0.any.0.value']],
      [400, ['conditions.all.0.any.0.value']]
    ]
  )
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a renamed tag goes along with its views, and of a merged one the other takes its place', async () => {
  const ada = await aClient(desk)
  const [id, other] = [await tagNamed('printer'), await tagNamed('devices')]
  const ticket = (await aTicket(desk, ada)).ticket_id
  await done('tickets/tags', { id: ticket, tags: [id] })
  const filtered = await created({ query: { tag: 'PRINTER', client_id: ada.id } })
  const conditional = await created({
    query: { conditions: { all: [{ any: [{ field: 'tags', op: 'has_any', value: ['printer', 'never made'] }] }] } }
  })
  const shown = async () => {
    const [one, two] = [await listed(filtered.id), await listed(conditional.id)]
    const counts = [await countOf(filtered.id), await countOf(conditional.id)]
    const total = (await done('tickets/list', one.query)).total
    return [one.query.tag, two.conditions.all[0].any[0].value, ...counts, total]
  }

  assert.deepEqual([filtered.query.tag, conditional.version], ['printer', 1])
  await done('tags/update', { id, name: 'printers' })
  assert.deepEqual(await shown(), ['printers', ['printers', 'never made'], 1, 1, 1])
  await done('tags/merge', { id, into_id: other })
  assert.deepEqual(await shown(), ['devices', ['devices', 'never made'], 1, 1, 1])
  assert.deepEqual(await usesOf('tag', id), [])
  assert.deepEqual(
    (await usesOf('tag', other)).map(({ by_id }) => by_id),
    [filtered.id, conditional.id]
  )
})

test('what a view names is known as long as the view is there, and names it', async () => {
  const [grace, tag] = [await aSupporter(desk, 'tickets.view_all'), await tagNamed('used')]
  const query = {
    assigned_staff_id: grace.id,
    conditions: { all: [{ any: [{ field: 'department_id', op: 'in', value: [4, 5] }] }] }
  }
  const view = await created({ query })

  const first = [await usesOf('staff', grace.id), await usesOf('department', 5)]
  await done('views/update', { id: view.id, query: { tag: 'used' } })
  const second = [await usesOf('staff', grace.id), await usesOf('tag', tag)]
  await done('views/delete', { id: view.id })

  assert.deepEqual(first, [
    [{ by_id: view.id, where: 'conditions.all.0.any.0' }],
    [{ by_id: view.id, where: 'conditions.all.1.any.0' }]
  ])
  assert.deepEqual(second, [[], [{ by_id: view.id, where: 'conditions.all.0.any.0' }]])
  assert.deepEqual(await usesOf('tag', tag), [])
})

test('a tag or department that a view uses is not deleted, and the refusal names the view', async () => {
  const tag = await tagNamed('kept')
  const { department } = await done('departments/create', { name: 'Kept' })
  const shared = await created({ name: 'Everybody’s', query: { tag: 'kept' }, is_shared: 1 })
  const own = await created({ name: 'Own', query: { department_id: department.deptid } })

  const before = await desk.rowCounts()
  const refused = [
    await desk.post('/api/admin/tags/delete', admin, { id: tag }),
    await desk.post('/api/admin/departments/delete', admin, { id: department.deptid })
  ]

  assert.deepEqual(
    refused.map(({ status, body, data }) => [status, body.reason, data.uses]),
    [
      [409, 'in_use', [{ kind: 'view', id: shared.id, name: 'Everybody’s', where: 'conditions.all.0.any.0' }]],
      [409, 'in_use', [{ kind: 'view', id: own.id, name: 'Own', where: 'conditions.all.0.any.0' }]]
    ]
  )
  assert.deepEqual(await desk.rowCounts(), before)
  await done('views/delete', { id: shared.id })
  await done('views/delete', { id: own.id })
  await done('tags/delete', { id: tag })
  await done('departments/delete', { id: department.deptid })
})

test('a personal view of somebody else holds nothing back, and is named to nobody', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const tag = await tagNamed('private')
  const view = await created({ name: 'Grace’s own', query: { tag: 'private' } }, grace)

  await done('tags/delete', { id: tag })

  const [left] = (await done('views/list', {}, grace)).views
  assert.deepEqual([left.id, left.query], [view.id, { tag: 'private' }])
})

test('a view that a process of an older version has written is listed and counted like any other', async () => {
  const ada = await aClient(desk)
  await aTicket(desk, ada)
  const { id } = await created({ query: { client_id: 999_999 } })
  const query = { client_id: ada.id, status: ['Open'] }

  await sql`update ticket_views set query = ${JSON.stringify(query)}, version = version + 1 where id = ${id}`.execute(
    desk.db
  )

  const view = await listed(id)
  assert.deepEqual(view.query, query)
  assert.deepEqual(view.conditions.all, [
    { any: [{ field: 'status', op: 'in', value: ['Open'] }] },
    { any: [{ field: 'client_id', op: 'is', value: ada.id }] }
  ])
  assert.equal(await countOf(id), 1)
})
