import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const path = '/api/admin/staff/permissions'

test('the list replaces all grants of the supporter, whom the message names, and user_id is a text', async () => {
  const supporter = await aSupporter(desk, 'staff.view', 'staff.manage')
  const other = await aSupporter(desk, 'staff.view')

  const reply = await desk.post(path, admin, { id: supporter.id, permissions: ['tickets.reply', 'staff.view'] })

  assert.equal(reply.status, 200)
  assert.match(reply.body.message, /Grace Hopper/)
  assert.deepEqual(reply.data, {
    user_id: String(supporter.id),
    email: supporter.email,
    role: 'supporter',
    permissions: ['tickets.reply', 'staff.view']
  })
  assert.deepEqual(await shownOf(supporter), ['tickets.reply', 'staff.view'])
  assert.deepEqual(await shownOf(other), ['staff.view'])
})

test('a grant that stays keeps who granted it and when, a new one says who and when', async () => {
  const supporter = await aSupporter(desk)
  const second = await anAdmin(desk)
  await desk.post(path, admin, { id: supporter.id, permissions: ['staff.view', 'clients.view'] })
  const before = await grantsOf(supporter)
  desk.clock.turn(3600)

  await desk.post(path, second, { id: supporter.id, permissions: ['clients.view', 'tickets.reply'] })

  desk.clock.turn(-3600)
  const [stayed, fresh, ...others] = await grantsOf(supporter)
  const { granted_by, created_at } = before.find(grant => grant.permission_slug === 'clients.view')!
  assert.equal(others.length, 0)
  assert.deepEqual({ ...stayed }, { permission_slug: 'clients.view', granted_by, created_at })
  assert.equal(granted_by, admin.id)
  assert.equal(fresh!.granted_by, second.id)
  assert.ok(fresh!.created_at.getTime() > created_at.getTime() + 3_500_000)
})

test('what is withdrawn is closed, and what is granted open, at the next request of the same session', async () => {
  const supporter = await aSupporter(desk, 'staff.view')
  const before = await desk.post('/api/admin/staff/list', supporter)

  await desk.post(path, admin, { id: supporter.id, permissions: ['clients.view'] })

  assert.equal(before.status, 200)
  assert.equal((await desk.post('/api/admin/staff/list', supporter)).status, 403)
  assert.equal((await desk.post('/api/admin/clients/list', supporter)).status, 200)
})

for (const [how, body, encoding] of [
  ['an empty list', { permissions: [] }, 'json'],
  ['an empty field', { permissions: '' }, 'form'],
  ['an empty field', { permissions: '' }, 'multipart'],
  ['an empty JSON text', { permissions: '[]' }, 'form'],
  ['an empty permissions[]', { 'permissions[]': '' }, 'multipart']
] as const) {
  test(`${how} withdraws everything (${encoding})`, async () => {
    const supporter = await aSupporter(desk, 'staff.view')

    const { status, data } = await desk.post(path, admin, { id: supporter.id, ...body }, encoding)

    assert.equal(status, 200)
    assert.deepEqual(data.permissions, [])
    assert.deepEqual(await grantsOf(supporter), [])
  })
}

for (const [how, body, encoding] of [
  ['a list', { permissions: ['staff.view', 'tickets.reply'] }, 'json'],
  ['a list that repeats itself', { permissions: ['staff.view', 'tickets.reply', 'staff.view'] }, 'json'],
  ['a repeated field', { permissions: ['staff.view', 'tickets.reply'] }, 'form'],
  ['a repeated field', { permissions: ['staff.view', 'tickets.reply'] }, 'multipart'],
  ['a repeated permissions[]', { 'permissions[]': ['staff.view', 'tickets.reply'] }, 'form'],
  ['a repeated permissions[]', { 'permissions[]': ['staff.view', 'tickets.reply'] }, 'multipart'],
  ['a JSON text', { permissions: '["staff.view", "tickets.reply"]' }, 'form'],
  ['a JSON text', { permissions: '["staff.view", "tickets.reply"]' }, 'multipart']
] as const) {
  test(`permissions may be ${how} (${encoding}), with the id in the path`, async () => {
    const supporter = await aSupporter(desk, 'clients.view')

    const { status, data } = await desk.post(`/api/admin/staff/${supporter.id}/permissions`, admin, body, encoding)

    assert.equal(status, 200)
    assert.deepEqual(data.permissions, ['staff.view', 'tickets.reply'])
  })
}

test('an unknown permission, *, or none named is refused and withdraws nothing', async () => {
  const supporter = await aSupporter(desk, 'staff.view')

  for (const permissions of [['staff.view', 'staff.fly'], ['*'], 'staff.view', undefined, null]) {
    const reply = await desk.post(path, admin, { id: supporter.id, permissions })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['permissions'])
  }
  assert.deepEqual(await shownOf(supporter), ['staff.view'])
})

test('an admin is granted nothing, and an id that nobody has is not found', async () => {
  const before = await desk.rowCounts()

  const toAdmin = await desk.post(path, admin, { id: admin.id, permissions: ['staff.view'] })
  const toNobody = await desk.post(path, admin, { id: 999_999, permissions: ['staff.view'] })

  assert.equal(toAdmin.status, 403)
  assert.equal(toNobody.status, 404)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('of replacements at once one comes last and holds entirely', async () => {
  const busyDesk = await bootDesk({ connections: 10 })
  const [busyAdmin, supporter] = [await anAdmin(busyDesk), await aSupporter(busyDesk, 'staff.view')]
  const lists = [
    ['staff.view', 'clients.view'],
    ['clients.view', 'tickets.reply'],
    ['staff.view', 'tickets.delete'],
    []
  ]

  const replies = await Promise.all(
    [...lists, ...lists].map(permissions => busyDesk.post(path, busyAdmin, { id: supporter.id, permissions }))
  )

  const { data } = await busyDesk.post('/api/admin/staff/detail', busyAdmin, { id: supporter.id })
  assert.deepEqual(new Set(replies.map(reply => reply.status)), new Set([200]))
  assert.ok(lists.some(list => list.join() === data.staff.permissions.join()))
})

async function shownOf({ id }: Person): Promise<string[]> {
  return (await desk.post('/api/admin/staff/detail', admin, { id })).data.staff.permissions
}

async function grantsOf({ id }: Person) {
  return await desk.db
    .selectFrom('staff_permissions')
    .select(['permission_slug', 'granted_by', 'created_at'])
    .where('staff_id', '=', id)
    .orderBy('id')
    .execute()
}
