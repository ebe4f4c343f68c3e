import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import type { Reply } from '../../../../test/support/requests.ts'

const desk = await bootDesk()
const busyDesk = await bootDesk({ connections: 10 })
const admin = await anAdmin(desk)
let serial = 0

/** The required fields of a creation; a test sets only what it is about. */
function aPerson(given: object = {}): { email: string } & Record<string, unknown> {
  const email = `new.${++serial}@example.com`
  return { first_name: 'Katherine', last_name: 'Johnson', email, password: 'orbits', ...given }
}

test('an admin creates a supporter, who is active, and holds what was granted by that admin', async () => {
  const person = aPerson({ phone_number: ' +14155550123 ', permissions: ['tickets.reply', 'clients.view'] })

  const reply = await desk.post('/api/admin/staff/create', admin, person)

  assert.equal(reply.status, 201)
  assert.deepEqual(reply.data, {
    user_id: reply.data.user_id,
    first_name: 'Katherine',
    last_name: 'Johnson',
    email: person.email,
    role: 'supporter',
    is_active: 1,
    permissions: ['tickets.reply', 'clients.view'],
    away_until: null
  })
  const stored = await storedMember(reply.data.user_id)
  assert.equal(stored.phone_number, '+14155550123')
  assert.equal(await desk.services.passwords.fits('orbits', stored.password), true)
  const grants = await grantsOf(reply.data.user_id)
  assert.deepEqual(
    grants.map(grant => [grant.permission_slug, grant.granted_by]),
    [
      ['tickets.reply', admin.id],
      ['clients.view', admin.id]
    ]
  )
})

test('a supporter is created at the time of the clock', async () => {
  desk.clock.turn(3600)

  const { data } = await desk.post('/api/admin/staff/create', admin, aPerson({ permissions: ['staff.view'] }))

  const times = [await storedMember(data.user_id), ...(await grantsOf(data.user_id))].map(row => row.created_at)
  desk.clock.turn(-3600)
  for (const time of times) assert.ok(time.getTime() > Date.now() + 3_500_000)
})

test('without phone number and permissions, the supporter has none', async () => {
  const { status, data } = await desk.post('/api/admin/staff/create', admin, aPerson())

  assert.equal(status, 201)
  assert.deepEqual(data.permissions, [])
  assert.equal((await storedMember(data.user_id)).phone_number, null)
})

test('the role is supporter and the account active, whatever the caller sends', async () => {
  const { data } = await desk.post('/api/admin/staff/create', admin, aPerson({ role: 'admin', is_active: 0, id: 1 }))

  assert.equal(data.role, 'supporter')
  assert.equal(data.is_active, 1)
})

for (const [how, permissions, granted] of [
  [
    'repeated',
    [
      ['permissions', 'staff.view'],
      ['permissions', 'tickets.reply']
    ],
    ['staff.view', 'tickets.reply']
  ],
  [
    'as permissions[]',
    [
      ['permissions[]', 'staff.view'],
      ['permissions[]', 'tickets.reply']
    ],
    ['staff.view', 'tickets.reply']
  ],
  ['once', [['permissions', 'staff.view']], ['staff.view']],
  ['as JSON text', [['permissions', '["staff.view","tickets.reply"]']], ['staff.view', 'tickets.reply']],
  ['as empty JSON text', [['permissions', '[]']], []],
  ['empty', [['permissions', '']], []]
] as [string, [string, string][], string[]][]) {
  test(`permissions come in forms ${how}`, async () => {
    const form = new URLSearchParams()
    const multipart = new FormData()
    for (const [name, value] of [...Object.entries(aPerson()), ...permissions]) form.append(name, String(value))
    for (const [name, value] of [...Object.entries(aPerson()), ...permissions]) multipart.append(name, String(value))

    const fromForm = await fetch(`${desk.url}/api/admin/staff/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: form
    })
    const fromMultipart = await desk.post('/api/admin/staff/create', admin, multipart)

    assert.equal(fromForm.status, 201)
    assert.deepEqual(((await fromForm.json()) as Reply['body']).data.permissions, granted)
    assert.equal(fromMultipart.status, 201)
    assert.deepEqual(fromMultipart.data.permissions, granted)
  })
}

test('a permission that is named twice is granted once', async () => {
  const permissions = ['staff.view', 'tickets.reply', 'staff.view']

  const { data } = await desk.post('/api/admin/staff/create', admin, aPerson({ permissions }))

  assert.deepEqual(data.permissions, ['staff.view', 'tickets.reply'])
})

for (const [what, permissions] of [
  ['an unknown permission', ['staff.view', 'clients.fly']],
  ['*', ['*']],
  ['the name of a prototype', ['__proto__']],
  ['a number', [7]],
  ['a text that is no list', 'staff.view'],
  ['a list in a list', [['staff.view']]]
] as [string, unknown][]) {
  test(`${what} among the permissions is refused and creates nobody`, async () => {
    const before = await desk.rowCounts()

    const reply = await desk.post('/api/admin/staff/create', admin, aPerson({ permissions }))

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['permissions'])
    assert.deepEqual(await desk.rowCounts(), before)
  })
}

test('a password of 5 characters or a malformed e-mail address is refused and creates nobody', async () => {
  const before = await desk.rowCounts()

  const short = await desk.post('/api/admin/staff/create', admin, aPerson({ password: 'orbit' }))
  const malformed = await desk.post('/api/admin/staff/create', admin, aPerson({ email: 'katherine' }))

  assert.equal(short.status, 400)
  assert.deepEqual(short.body.errors, ['password'])
  assert.equal(malformed.status, 400)
  assert.deepEqual(malformed.body.errors, ['email'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('an e-mail address is taken by staff in any case, but not by a client', async () => {
  const person = aPerson()
  const client = await aClient(desk)
  await desk.post('/api/admin/staff/create', admin, person)
  const before = await desk.rowCounts()

  const again = await desk.post('/api/admin/staff/create', admin, { ...person, email: person.email.toUpperCase() })
  const between = await desk.rowCounts()
  const asClient = await desk.post('/api/admin/staff/create', admin, aPerson({ email: client.email }))

  assert.equal(again.status, 409)
  assert.deepEqual(between, before)
  assert.equal(asClient.status, 201)
})

test('of ten creations with one e-mail address at once exactly one succeeds, the rest are told that it is taken', async () => {
  const busyAdmin = await anAdmin(busyDesk)
  const person = aPerson({ permissions: ['staff.view'] })

  const replies = await Promise.all(
    Array.from({ length: 10 }, () => busyDesk.post('/api/admin/staff/create', busyAdmin, person))
  )

  assert.deepEqual(replies.map(reply => reply.status).sort(), [201, ...Array(9).fill(409)])
})

test('POST /api/admin/staff creates when any field of the creation is there, and names those that are missing', async () => {
  const created = await desk.post('/api/admin/staff', admin, aPerson({ permissions: ['staff.view'] }))
  const partial = await Promise.all(
    ['first_name', 'last_name', 'email', 'password', 'phone_number', 'permissions'].map(name =>
      desk.post('/api/admin/staff', admin, { [name]: name === 'permissions' ? [] : 'someone@example.com' })
    )
  )

  assert.equal(created.status, 201)
  for (const reply of partial) {
    assert.equal(reply.status, 400)
    assert.match(reply.body.message, /^Missing required fields: /)
  }
  assert.deepEqual(partial.at(-1)!.body.errors, ['first_name', 'last_name', 'email', 'password'])
})

test('somebody who may only list cannot create on the shared address', async () => {
  const supporter = await aSupporter(desk, 'staff.view', 'staff.manage')
  const before = await desk.rowCounts()

  const reply = await desk.post('/api/admin/staff', supporter, aPerson())

  assert.equal(reply.status, 403)
  assert.deepEqual(await desk.rowCounts(), before)
})

async function storedMember(id: number) {
  return await desk.db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function grantsOf(id: number) {
  return await desk.db.selectFrom('staff_permissions').selectAll().where('staff_id', '=', id).orderBy('id').execute()
}
