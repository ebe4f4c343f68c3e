import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { assign, aTicket, limitTo, listedIds } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const seer = () => aSupporter(desk, 'tickets.view_all')

async function done(path: string, asker: Person, body: object = {}) {
  const reply = await desk.post(`/api/admin/${path}`, asker, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

const created = async (by: Person, body: object) =>
  (await done('views/create', by, { name: 'A view', query: {}, ...body })).view

async function listed(by: Person): Promise<{ id: number; name: string; position: number }[]> {
  return (await done('views/list', by)).views
}

/** The names of the views that somebody sees, in order. */
const namesFor = async (by: Person) => (await listed(by)).map(({ name }) => name)

/** Deletes all views before a test. */
const withoutViews = () => desk.db.deleteFrom('ticket_views').execute()

test('a view is the query of tickets/list under a name, in any encoding, as it was given and no more', async () => {
  await withoutViews()
  const grace = await seer()
  const query = {
    status: ['Open'],
    priority: ['High', 'Low'],
    department_id: 4,
    tag: 'urgent',
    created_from: '2026-11-01',
    waiting: 1,
    search: 'printer',
    sort: 'created',
    direction: 'asc'
  }

  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const given = { name: 'Mine', query: encoding === 'json' ? query : JSON.stringify(query), position: 3 }
    const { status, data } = await desk.post('/api/admin/views/create', grace, given, encoding)
    assert.equal(status, 201)
    const {
      id,
      created_at: _,
      updated_at: __,
      created_at_iso: ___,
      updated_at_iso: ____,
      conditions,
      ...view
    } = data.view
    assert.equal(conditions.all.length, 6)
    assert.deepEqual(view, {
      name: 'Mine',
      query,
      is_shared: 0,
      position: 3,
      owner: { id: grace.id, first_name: 'Grace', last_name: 'Hopper' },
      version: 1
    })
    await done('views/delete', grace, { id })
  }
  const loose = { deptid: '4', status: 'Open', search: '  printer ', page: 7, cursor: 'x' }
  const { query: read } = await created(grace, { query: loose })

  assert.deepEqual(read, { department_id: 4, status: ['Open'], search: 'printer' })
})

test('what tickets/list would refuse is refused by the name of its field, and nothing is saved', async () => {
  await withoutViews()
  const wrong: [object, string[]][] = [
    [{ query: { status: 'Lost' } }, ['query.status']],
    [
      { query: { created_from: '2026-02-30', limit: 3, department_id: 0 } },
      ['query.department_id', 'query.created_from']
    ],
    [{ query: { search: 'a\u0000b' } }, ['query.search']],
    [{ query: { assigned_staff_id: 7, staff: { id: 1 }, tag_id: [1] } }, ['query.staff', 'query.tag_id']],
    [{ query: { stauts: 'Open' } }, ['query.stauts']],
    [{ query: 'open' }, ['query']],
    [{ query: ['status'] }, ['query']],
    [{ query: {}, position: -1 }, ['position']],
    [{ query: {}, name: 'two\nlines' }, ['name']],
    [{ name: 'x'.repeat(101), query: {} }, ['name']]
  ]

  for (const [body, errors] of wrong) {
    const reply = await desk.post('/api/admin/views/create', admin, { name: 'Wrong', ...body })
    assert.deepEqual([reply.status, reply.body.errors], [400, errors], JSON.stringify(body))
  }
  const missing = await desk.post('/api/admin/views/create', admin, {})
  const strict = await fetch(`${desk.url}/api/admin/views/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      prefer: 'handling=strict'
    },
    body: JSON.stringify({ name: 'Wrong', query: { statsu: 'Open' } })
  })

  assert.deepEqual(missing.body.errors, ['name', 'query'])
  assert.deepEqual(((await strict.json()) as { errors: string[] }).errors, ['query.statsu'])
  assert.deepEqual(await listed(admin), [])
})

test('personal views exist for their owner alone; shared ones are everybody’s to see, and their owner’s or an admin’s to change', async () => {
  await withoutViews()
  const [grace, mary] = [await seer(), await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]
  const mine = await created(grace, { name: 'Mine' })
  const ours = await created(grace, { name: 'Ours', is_shared: 1 })
  const attempts = (by: Person, id: number) =>
    Promise.all([
      desk.post('/api/admin/views/update', by, { id, name: 'Taken' }),
      desk.post('/api/admin/views/delete', by, { id })
    ]).then(replies => replies.map(({ status }) => status))

  assert.deepEqual(await namesFor(grace), ['Mine', 'Ours'])
  assert.deepEqual([await namesFor(mary), await namesFor(admin)], [['Ours'], ['Ours']])
  assert.deepEqual(
    [await attempts(mary, mine.id), await attempts(admin, mine.id)],
    [
      [404, 404],
      [404, 404]
    ]
  )
  assert.deepEqual(await attempts(mary, ours.id), [403, 403])
  assert.deepEqual(await attempts(mary, 999_999), [404, 404])
  const { view } = await done('views/update', admin, { id: ours.id, name: 'Everybody’s' })
  assert.deepEqual([view.name, view.owner.id, view.version], ['Everybody’s', grace.id, 2])
  await done('views/update', grace, { id: ours.id, name: 'Ours again' })
  const stale = await desk.post('/api/admin/views/delete', admin, { id: ours.id, expected_version: 2 })
  assert.deepEqual([stale.status, stale.data], [409, { current_version: 3 }])
  assert.deepEqual(await done('views/delete', admin, { id: ours.id }), { deleted_id: ours.id })
  assert.deepEqual(await namesFor(grace), ['Mine'])
})

test('views are shared by who sees all tickets; whoever may work with tickets has their own; nobody else has any', async () => {
  await withoutViews()
  const [agent, nobody, client] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk), await aClient(desk)]
  const own = await created(agent, { name: 'Own' })

  const refused = [
    await desk.post('/api/admin/views/create', agent, { name: 'Ours', query: {}, is_shared: 1 }),
    await desk.post('/api/admin/views/update', agent, { id: own.id, is_shared: 1 }),
    await desk.post('/api/admin/views/create', nobody, { name: 'Own', query: {} }),
    await desk.post('/api/admin/views/list', nobody),
    await desk.post('/api/admin/views/list', client),
    await desk.post('/api/admin/views/update', client, { id: own.id, name: 'X' })
  ]

  assert.deepEqual(
    refused.map(({ status }) => status),
    Array(6).fill(403)
  )
  assert.deepEqual(await namesFor(admin), [])
  assert.deepEqual(await listed(agent).then(([view]) => [view!.name, view!.position]), ['Own', 1])
})

test('shared and made personal again a view is its owner’s, whoever did it', async () => {
  await withoutViews()
  const grace = await seer()
  const { id } = await created(grace, { name: 'Mine' })

  const shared = (await done('views/update', grace, { id, is_shared: 1 })).view
  const back = (await done('views/update', admin, { id, is_shared: 0 })).view

  assert.deepEqual([shared.is_shared, shared.owner.id], [1, grace.id])
  assert.deepEqual([back.is_shared, back.owner.id], [0, grace.id])
  assert.deepEqual([await namesFor(grace), await namesFor(admin)], [['Mine'], []])
})

test('views have an order: one is put anywhere, and the others make room', async () => {
  await withoutViews()
  const grace = await seer()
  const [a, b, c] = [
    await created(grace, { name: 'A' }),
    await created(grace, { name: 'B' }),
    await created(grace, { name: 'C' })
  ]
  const move = (id: number, position: number) => done('views/update', grace, { id, position })

  assert.deepEqual([a.position, b.position, c.position], [1, 2, 3])
  await move(c.id, 1)
  assert.deepEqual(await namesFor(grace), ['C', 'A', 'B'])
  await move(c.id, 3)
  assert.deepEqual(await namesFor(grace), ['A', 'B', 'C'])
  await move(b.id, 0)
  assert.deepEqual(await namesFor(grace), ['B', 'A', 'C'])
  await created(grace, { name: 'D', position: 0 })
  assert.deepEqual(await namesFor(grace), ['D', 'B', 'A', 'C'])
  await created(grace, { name: 'E', position: 100 })
  await move(a.id, 200)
  assert.deepEqual(await namesFor(grace), ['D', 'B', 'C', 'E', 'A'])
  assert.equal(new Set((await listed(grace)).map(({ position }) => position)).size, 5)
})

test('of views there is a bounded number, also of many that are made at once', async () => {
  const races = await bootDesk({ connections: 6 })
  const grace = await aSupporter(races, 'tickets.view_all')
  const create = (is_shared: 0 | 1) =>
    races.post('/api/admin/views/create', grace, { name: 'One more', query: {}, is_shared })

  const personal = await Promise.all(Array.from({ length: 60 }, () => create(0)))
  const shared = await create(1)

  const statuses = Map.groupBy(personal, ({ status }) => status)
  assert.deepEqual([statuses.get(201)?.length, statuses.get(409)?.length], [50, 10])
  assert.equal(statuses.get(409)![0]!.body.reason, 'too_many_views')
  assert.equal(shared.status, 201)
  const { views } = (await races.post('/api/admin/views/list', grace)).data
  assert.equal(new Set(views.map(({ position }: { position: number }) => position)).size, 51)
})

test('a personal view goes with its owner, a shared one stays, and is then the admins’', async () => {
  await withoutViews()
  const [gone, mary] = [await seer(), await seer()]
  await created(gone, { name: 'Personal' })
  const { id } = await created(gone, { name: 'Shared', is_shared: 1 })

  await done('staff/delete', admin, { id: gone.id })

  const rows = await desk.db.selectFrom('ticket_views').select(['name', 'shared_by']).execute()
  assert.deepEqual(rows, [{ name: 'Shared', shared_by: null }])
  assert.equal((await desk.post('/api/admin/views/update', mary, { id, name: 'X' })).status, 403)
  const { view } = await done('views/update', admin, { id, name: 'Kept' })
  assert.deepEqual([view.name, view.owner], ['Kept', null])
  assert.equal((await done('views/update', admin, { id, is_shared: 0 })).view.owner.id, admin.id)
})

test('counts has every view that one sees, counted with one’s own sight', async () => {
  await withoutViews()
  const [ada, limited, agent] = [await aClient(desk), await seer(), await aSupporter(desk, 'tickets.reply')]
  await limitTo(desk, limited.id, 4)
  const open = async (department_id: number, subject = 'Paper') =>
    (await aTicket(desk, ada, { department_id, subject })).ticket_id as number
  const [first, second] = [await open(1, 'Xylophone'), await open(4), await open(4, 'Xylophone')]
  await assign(desk, first, agent.id)
  await done('tickets/watch', admin, { id: second })
  await done('tickets/delete', admin, { id: await open(1) })
  const queries = [
    { client_id: ada.id },
    { department_id: 4, unassigned: 1 },
    { search: 'xylophone' },
    { client_id: ada.id, watched: 1 },
    { client_id: ada.id, trashed: 1 },
    { department_id: 4_000_000 },
    { assigned_staff_id: 4_000_000 },
    { tag: 'never made', client_id: ada.id },
    { tag_id: 4_000_000 },
    { client_id: ada.id, waiting: 1, sort: 'priority' }
  ]
  const ids = []
  for (const query of queries) ids.push((await created(admin, { query, is_shared: 1 })).id)
  const own = await created(agent, { query: { client_id: ada.id } })
  const countsFor = async (by: Person) => (await done('tickets/counts', by)).views as { id: number; count: number }[]
  const counted = async (by: Person) => (await countsFor(by)).map(({ count }) => count)

  assert.deepEqual(
    (await countsFor(admin)).map(({ id }) => id),
    ids
  )
  assert.deepEqual(await counted(admin), [3, 2, 2, 1, 1, 0, 0, 0, 0, 3])
  assert.deepEqual(await counted(limited), [2, 2, 1, 0, 0, 0, 0, 0, 0, 2])
  assert.deepEqual(await counted(agent), [1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1])
  assert.equal((await countsFor(agent)).at(-1)!.id, own.id)
  for (const query of queries) {
    const { total } = await done('tickets/list', admin, query)
    assert.equal(total, (await listedIds(desk, admin, { ...query, limit: 100 })).length)
  }
})
