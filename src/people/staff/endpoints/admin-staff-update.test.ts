import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const path = '/api/admin/staff/update'

test('an admin changes names and phone number, and what was not sent stays', async () => {
  const supporter = await aSupporter(desk, 'staff.view')

  const first = await desk.post(path, admin, { id: supporter.id, first_name: ' Ann ', last_name: 'Easley' })
  const second = await desk.post(`/api/admin/staff/${supporter.id}/update`, admin, { phone_number: '+14155550199' })

  const shown = {
    id: supporter.id,
    first_name: 'Ann',
    last_name: 'Easley',
    email: supporter.email,
    role: 'supporter',
    is_active: 1,
    permissions: ['staff.view'],
    away_until: null
  }
  assert.equal(first.status, 200)
  assert.deepEqual(first.data, { staff: shown })
  assert.deepEqual(second.data, { staff: shown })
  assert.equal((await stored(supporter)).phone_number, '+14155550199')
  assert.equal(await isIn(desk, supporter), true)
})

test('a change is dated by the clock', async () => {
  const supporter = await aSupporter(desk)
  desk.clock.turn(3600)

  await desk.post(path, admin, { id: supporter.id, first_name: 'Ann' })

  desk.clock.turn(-3600)
  const { updated_at, created_at } = await stored(supporter)
  assert.ok(updated_at.getTime() - created_at.getTime() > 3_500_000)
})

test('e-mail address and role are ignored', async () => {
  const supporter = await aSupporter(desk)
  const before = await stored(supporter)

  const { status, data } = await desk.post(path, admin, { id: supporter.id, email: 'x@example.com', role: 'admin' })

  assert.equal(status, 200)
  assert.equal(data.staff.email, supporter.email)
  assert.equal(data.staff.role, 'supporter')
  assert.deepEqual(await stored(supporter), before)
})

test('nothing to change, or blanks alone, answer the member as it is and change nothing', async () => {
  const supporter = await aSupporter(desk)
  const before = await stored(supporter)

  const nothing = await desk.post(path, admin, { id: supporter.id })
  const blanks = await desk.post(path, admin, { id: supporter.id, first_name: ' ', phone_number: null, password: '' })

  assert.equal(nothing.status, 200)
  assert.equal(blanks.status, 200)
  assert.equal(blanks.data.staff.first_name, 'Grace')
  assert.deepEqual(await stored(supporter), before)
  assert.equal(await isIn(desk, supporter), true)
})

for (const encoding of ['json', 'form', 'multipart'] as const) {
  test(`deactivation ends the sessions of the member at once and reactivation does not revive them (${encoding})`, async () => {
    const supporter = await aSupporter(desk, 'staff.view')

    const off = await desk.post(path, admin, { id: supporter.id, is_active: 0 }, encoding)
    const isInWhileOff = await isIn(desk, supporter)
    const on = await desk.post(path, admin, { id: supporter.id, is_active: 1 }, encoding)

    assert.equal(off.status, 200)
    assert.equal(off.data.staff.is_active, 0)
    assert.equal(isInWhileOff, false)
    assert.equal(on.data.staff.is_active, 1)
    assert.equal(await isIn(desk, supporter), false)
    assert.equal(await openTokens(supporter), 0)
  })
}

test('a new password replaces the old one and ends the sessions of that member alone', async () => {
  const [supporter, other] = [await aSupporter(desk, 'staff.view'), await aSupporter(desk, 'staff.view')]

  const { status } = await desk.post(path, admin, { id: supporter.id, password: ' secret ' })

  const { password } = await stored(supporter)
  assert.equal(status, 200)
  assert.equal(await desk.services.passwords.fits(' secret ', password), true)
  assert.equal(await desk.services.passwords.fits(supporter.password, password), false)
  assert.equal(await isIn(desk, supporter), false)
  assert.equal(await openTokens(supporter), 0)
  assert.equal(await isIn(desk, other), true)
  assert.equal(await isIn(desk, admin), true)
})

for (const [field, value] of [
  ['password', 'short'],
  ['is_active', 2],
  ['is_active', true],
  ['first_name', 7]
] as const) {
  test(`${field} ${JSON.stringify(value)} is invalid and changes nothing`, async () => {
    const supporter = await aSupporter(desk)
    const before = await stored(supporter)

    const reply = await desk.post(path, admin, { id: supporter.id, last_name: 'Easley', [field]: value })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, [field])
    assert.deepEqual(await stored(supporter), before)
  })
}

test('an id that nobody has is not found', async () => {
  const changed = await desk.post(path, admin, { id: 999_999, first_name: 'Ann' })
  const unchanged = await desk.post('/api/admin/staff/999999/update', admin, { is_active: 0 })

  assert.equal(changed.status, 404)
  assert.equal(unchanged.status, 404)
})

test('an admin changes other admins and itself, but cannot deactivate itself', async () => {
  const [one, other] = [await anAdmin(desk), await anAdmin(desk)]
  const before = await stored(one)

  const self = await desk.post(path, one, { id: one.id, is_active: 0, first_name: 'Ann' })
  const between = await stored(one)
  const renamed = await desk.post(path, one, { id: one.id, is_active: 1, first_name: 'Ann' })
  const deactivated = await desk.post(path, one, { id: other.id, is_active: 0 })

  assert.equal(self.status, 403)
  assert.deepEqual(between, before)
  assert.equal(renamed.data.staff.first_name, 'Ann')
  assert.deepEqual(renamed.data.staff.permissions, ['*'])
  assert.equal(deactivated.data.staff.is_active, 0)
  assert.equal(await isIn(desk, other), false)
})

test('the last active admin cannot be deactivated, however many inactive ones there are', async () => {
  const ownDesk = await bootDesk()
  const [last, inactive] = [await anAdmin(ownDesk), await anAdmin(ownDesk)]
  await ownDesk.post(path, last, { id: inactive.id, is_active: 0 })

  const { status } = await ownDesk.post(path, last, { id: last.id, is_active: 0 })

  assert.equal(status, 403)
  assert.equal(await isIn(ownDesk, last), true)
})

test('of admins who deactivate one another at once exactly one is left, and the other is refused', async () => {
  const busyDesk = await bootDesk({ connections: 10 })
  for (let round = 0; round < 10; round++) {
    await busyDesk.db.updateTable('staff').set({ is_active: false }).execute()
    const [one, other] = [await anAdmin(busyDesk), await anAdmin(busyDesk)]

    const replies = await Promise.all([
      busyDesk.post(path, one, { id: other.id, is_active: 0 }),
      busyDesk.post(path, other, { id: one.id, is_active: 0 })
    ])

    const statuses = replies.map(reply => reply.status).sort()
    assert.equal(statuses[0], 200)
    assert.ok(statuses[1] === 401 || statuses[1] === 403, `answered ${statuses}`)
    const active = await busyDesk.db.selectFrom('staff').where('is_active', '=', true).select('id').execute()
    assert.equal(active.length, 1)
  }
})

async function stored({ id }: Person) {
  return await desk.db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Whether the access token is still valid: 403 is for authenticated callers. */
async function isIn(desk: Desk, person: Person): Promise<boolean> {
  return (await desk.post('/api/admin/staff/list', person)).status !== 401
}

async function openTokens({ id }: Person): Promise<number> {
  const tokens = await desk.db
    .selectFrom('refresh_tokens')
    .where('user_type', '=', 'staff')
    .where('user_id', '=', id)
    .where('is_revoked', '=', false)
    .select('id')
    .execute()
  return tokens.length
}
