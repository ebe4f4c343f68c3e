import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

test('the list shows everybody by id, with what was granted, and * for an admin', async () => {
  const { desk, admin, supporter, other } = await someStaff()

  const { status, data } = await desk.post('/api/admin/staff/list', admin)

  assert.equal(status, 200)
  assert.deepEqual(data, {
    count: 3,
    total: 3,
    page: 1,
    limit: 1000,
    staff: [
      shown(admin, 'admin', ['*']),
      shown(supporter, 'supporter', ['tickets.reply', 'clients.view']),
      shown(other, 'supporter', ['staff.view'])
    ]
  })
})

test('POST /api/admin/staff without a field of the creation lists, for those who may list', async () => {
  const { desk, other } = await someStaff()

  const all = await desk.post('/api/admin/staff', other)
  const page = await desk.post('/api/admin/staff', other, { limit: 1 })

  assert.equal(all.data.count, 3)
  assert.equal(page.data.count, 1)
})

for (const encoding of ['json', 'form', 'multipart'] as const) {
  test(`page and limit part the list, in ${encoding} too, and the total stays that of all`, async () => {
    const { desk, admin, other } = await someStaff()

    const second = await desk.post('/api/admin/staff/list', admin, { page: 2, limit: 2 }, encoding)
    const beyond = await desk.post('/api/admin/staff/list', admin, { page: 3, limit: 2 }, encoding)

    assert.deepEqual(second.data, {
      count: 1,
      total: 3,
      page: 2,
      limit: 2,
      staff: [shown(other, 'supporter', ['staff.view'])]
    })
    assert.deepEqual(beyond.data, { count: 0, total: 3, page: 3, limit: 2, staff: [] })
  })
}

test('a larger limit is clamped to 1000 and shown so; a page or limit below 1 is invalid, the last page there can be is empty', async () => {
  const { desk, admin } = await someStaff()

  const clamped = await desk.post('/api/admin/staff/list', admin, { limit: 1001 })
  const last = await desk.post('/api/admin/staff/list', admin, { page: Number.MAX_SAFE_INTEGER, limit: 1000 })
  const below = await desk.post('/api/admin/staff/list', admin, { page: 0, limit: 0 })

  assert.equal(clamped.data.limit, 1000)
  assert.equal(clamped.data.count, 3)
  assert.equal(last.data.count, 0)
  assert.equal(below.status, 400)
  assert.deepEqual(below.body.errors, ['page', 'limit'])
})

async function someStaff(): Promise<{ desk: Desk; admin: Person; supporter: Person; other: Person }> {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)
  const supporter = await aSupporter(desk, 'tickets.reply', 'clients.view')
  return { desk, admin, supporter, other: await aSupporter(desk, 'staff.view') }
}

function shown({ id, first_name, last_name, email }: Person, role: string, permissions: string[]) {
  return { id, first_name, last_name, email, role, is_active: 1, permissions, away_until: null }
}
