import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const viewer = await aSupporter(desk, 'clients.view')
const path = '/api/admin/clients/list'

const ada = await aClient(desk, {
  email: 'Ada@Engines.example',
  phone_number: '+44 20 7946 0001',
  company_name: 'Analytical Engines',
  created_at: new Date('2026-01-02T03:04:05.678Z')
})
const emile = await aClient(desk, { first_name: 'Émile', last_name: 'BÖRSCHIG', email: 'emile@example.org' })
const odd = await aClient(desk, { first_name: '50%_off', last_name: 'Back\\slash', email: 'odd@example.net' })
const plain = await aClient(desk, { first_name: '50xyoff', last_name: 'Backslash', email: 'plain@example.net' })

const found = async (search: unknown) =>
  (await desk.post(path, viewer, { search })).data.clients.map((client: { id: number }) => client.id)

test('the list shows all clients, the newest first, with the fields of the contract', async () => {
  const { status, data } = await desk.post(path, viewer)

  assert.equal(status, 200)
  assert.deepEqual({ ...data, clients: data.clients.length }, { count: 4, total: 4, page: 1, limit: 20, clients: 4 })
  assert.deepEqual(
    data.clients.map((client: { id: number }) => client.id),
    [plain.id, odd.id, emile.id, ada.id]
  )
  assert.deepEqual(data.clients[3], {
    id: ada.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'Ada@Engines.example',
    company_name: 'Analytical Engines',
    phone_number: '+44 20 7946 0001',
    role: 'client',
    is_active: 1,
    is_email_verified: 0,
    is_phone_verified: 0,
    created_at: '2026-01-02 03:04:05',
    created_at_iso: '2026-01-02T03:04:05Z'
  })
})

for (const [field, search] of [
  ['first name', 'ADA'],
  ['last name', 'velac'],
  ['full name', 'ada love'],
  ['e-mail address', 'ada@engines.EXAMPLE'],
  ['company', 'lytical eng'],
  ['phone number', '7946 0001']
] as const) {
  test(`a search finds a part of the ${field} in any case`, async () => {
    const { data } = await desk.post(path, viewer, { search })

    assert.deepEqual(
      data.clients.map((client: { id: number }) => client.id),
      [ada.id]
    )
    assert.deepEqual([data.count, data.total], [1, 1])
  })
}

test('a search disregards case beyond ASCII as well', async () => {
  assert.deepEqual(await found('éMILE börschig'), [emile.id])
  assert.deepEqual(await found('É'), [emile.id])
})

test('a percent sign, an underscore and a backslash are searched for as they are', async () => {
  assert.deepEqual(await found('50%'), [odd.id])
  assert.deepEqual(await found('%_'), [odd.id])
  assert.deepEqual(await found('_'), [odd.id])
  assert.deepEqual(await found('50_yoff'), [])
  assert.deepEqual(await found('k\\s'), [odd.id])
  assert.deepEqual(await found('\\'), [odd.id])
  assert.deepEqual(await found('k\\\\s'), [])
  assert.deepEqual(await found("' or true --"), [])
})

test('a search does not match across two fields, not even with the line break between them', async () => {
  assert.deepEqual(await found('Lovelace\nAda@'), [])
  assert.deepEqual(await found('Lovelace Ada@'), [])
  assert.deepEqual(await found('LovelaceAda@'), [])
  assert.deepEqual(await found('e\nA'), [])
})

test('white space around a search is dropped, and a blank search is none', async () => {
  assert.deepEqual(await found('  lovelace '), [ada.id])
  assert.equal((await found('   ')).length, 4)
  assert.equal((await found(null)).length, 4)
})

test('what is searched for is found also where many have its end in common', async () => {
  const ownDesk = await bootDesk()
  const admin = await anAdmin(ownDesk)
  await sql`insert into clients (first_name, last_name, email, password)
    select case n % 100 when 0 then 'Zeno' else 'Ada' end, 'Lovelace', 'n' || n || '@many.test', '' from generate_series(1, 600) as n`.execute(
    ownDesk.db
  )

  const totals = await Promise.all(
    ['zeno lovelace', 'ada lovelace', 'lovelace', 'n599@many.test', 'n6@many.test', 'o lovelaces'].map(
      async search => (await ownDesk.post(path, admin, { search })).data.total
    )
  )

  assert.deepEqual(totals, [6, 594, 600, 1, 1, 0])
})

test('a search that finds nobody answers an empty list', async () => {
  const { status, data } = await desk.post(path, viewer, { search: 'nobody at all' })

  assert.equal(status, 200)
  assert.deepEqual(data, { count: 0, total: 0, page: 1, limit: 20, clients: [] })
})

for (const encoding of ['json', 'form', 'multipart'] as const) {
  test(`page, limit and search work together in ${encoding}, and the total is of all matches`, async () => {
    const pages = []
    for (const page of [1, 2, 3]) {
      pages.push(await desk.post('/api/admin/clients', viewer, { search: 'back', page, limit: 1 }, encoding))
    }

    assert.deepEqual(
      pages.map(({ data }) => [data.count, data.total, data.page, data.limit, data.clients[0]?.id]),
      [
        [1, 2, 1, 1, plain.id],
        [1, 2, 2, 1, odd.id],
        [0, 2, 3, 1, undefined]
      ]
    )
  })
}

test('pages show each client once, also of clients who came at one moment', async () => {
  const ownDesk = await bootDesk()
  const admin = await anAdmin(ownDesk)
  const created_at = new Date('2026-05-05T05:05:05Z')
  const ids: number[] = []
  for (let number = 0; number < 7; number++) ids.unshift((await aClient(ownDesk, { created_at })).id)

  const shown: number[] = []
  for (const page of [1, 2, 3]) {
    const { data } = await ownDesk.post(path, admin, { page, limit: 3 })
    assert.equal(data.total, 7)
    shown.push(...data.clients.map((client: { id: number }) => client.id))
  }

  assert.deepEqual(shown, ids)
})

test('20 are shown unless a limit is named, 100 at most, and a larger limit is shown as 100', async () => {
  const ownDesk = await bootDesk()
  const admin = await anAdmin(ownDesk)
  await ownDesk.db
    .insertInto('clients')
    .values(
      Array.from({ length: 101 }, (_, number) => ({
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: `${number}@example.com`,
        password: 'x'
      }))
    )
    .execute()

  const usual = await ownDesk.post(path, admin)
  const most = await ownDesk.post(path, admin, { limit: 1_000_000 })
  const searched = await ownDesk.post(path, admin, { search: 'ada', limit: 101 })

  assert.deepEqual([usual.data.count, usual.data.total, usual.data.limit], [20, 101, 20])
  assert.deepEqual([most.data.count, most.data.total, most.data.limit], [100, 101, 100])
  assert.deepEqual([searched.data.count, searched.data.total, searched.data.limit], [100, 101, 100])
})

test('the total follows sign-ups and deletions', async () => {
  const ownDesk = await bootDesk()
  const admin = await anAdmin(ownDesk)
  const client = await aClient(ownDesk)
  await aClient(ownDesk)
  const before = await ownDesk.post(path, admin)
  await ownDesk.db.deleteFrom('clients').where('id', '=', client.id).execute()

  const after = await ownDesk.post(path, admin)

  assert.equal(before.data.total, 2)
  assert.equal(after.data.total, 1)
})

test('a page or limit below 1, or that is no number, is invalid; the last page there can be is empty', async () => {
  const below = await desk.post(path, viewer, { page: 0, limit: -1 })
  const text = await desk.post(path, viewer, { page: 'two', limit: '1.5' }, 'form')
  const last = await desk.post(path, viewer, { page: Number.MAX_SAFE_INTEGER, limit: 100 })

  assert.equal(below.status, 400)
  assert.deepEqual(below.body.errors, ['page', 'limit'])
  assert.equal(text.status, 400)
  assert.deepEqual(text.body.errors, ['page', 'limit'])
  assert.deepEqual([last.status, last.data.count, last.data.total], [200, 0, 4])
})

test('who may not view clients is told so', async () => {
  for (const person of [await aSupporter(desk, 'clients.edit', 'staff.view'), ada]) {
    const { status, body } = await desk.post(path, person)

    assert.equal(status, 403)
    assert.match(body.message, /access denied/i)
    assert.match(body.message, /permission to view clients/)
  }
})
