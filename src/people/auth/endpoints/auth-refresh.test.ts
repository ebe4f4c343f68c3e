import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/auth/refresh'

async function refresh(refresh_token: string) {
  return await desk.post(path, undefined, { refresh_token })
}

async function isIn(person: { token: string }): Promise<boolean> {
  return (await desk.post('/api/auth/2fa/setup', person)).status === 200
}

test('a refresh token is exchanged for a new pair that works, for clients and staff', async () => {
  for (const person of [await aClient(desk), await aSupporter(desk)]) {
    const reply = await desk.post(path, undefined, { refresh_token: person.refresh_token }, 'form')

    assert.equal(reply.status, 200)
    assert.deepEqual(Object.keys(reply.data), ['token', 'refresh_token', 'expires_in', 'token_type'])
    assert.deepEqual([reply.data.expires_in, reply.data.token_type], [86400, 'Bearer'])
    assert.notEqual(reply.data.token, person.token)
    assert.notEqual(reply.data.refresh_token, person.refresh_token)
    assert.ok(await isIn(reply.data))
    assert.equal((await refresh(reply.data.refresh_token)).status, 200)
  }
})

test('a refresh token works once; a stutter within 30 s does not end the session', async () => {
  const ada = await aClient(desk)
  const fresh = (await refresh(ada.refresh_token)).data

  const again = await refresh(ada.refresh_token)

  assert.deepEqual([again.status, again.body.message], [401, 'Invalid or expired refresh token'])
  assert.ok(await isIn(fresh))
})

test('a rotated token that comes again later than 30 s ends its session', async () => {
  const ada = await aClient(desk)
  const fresh = (await refresh(ada.refresh_token)).data
  desk.clock.turn(31)

  const again = await refresh(ada.refresh_token)

  assert.equal(again.status, 401)
  assert.equal(await isIn(fresh), false)
  assert.equal((await refresh(fresh.refresh_token)).status, 401)
})

test('a refresh token lasts 30 days', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  desk.clock.turn(30 * 86_400 - 60)

  const inTime = await refresh(ada.refresh_token)
  desk.clock.turn(61)
  const late = await refresh(eve.refresh_token)

  assert.deepEqual([inTime.status, late.status], [200, 401])
})

test('what is no refresh token is a 401 and writes nothing', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  for (const token of [ada.token, 'nonsense', ' ', `${ada.refresh_token}x`]) {
    const reply = await refresh(token)

    assert.deepEqual([reply.status, reply.body.message], [401, 'Invalid or expired refresh token'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a missing refresh token is a 400 that names it', async () => {
  const reply = await desk.post(path, undefined, {})

  assert.deepEqual([reply.status, reply.body.errors], [400, ['refresh_token']])
})

test('logout and deactivation void the refresh token', async () => {
  const gone: Person[] = [await aClient(desk), await aClient(desk)]
  await desk.post('/api/auth/logout', gone[0])
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', gone[1]!.id).execute()

  for (const person of gone) assert.equal((await refresh(person.refresh_token)).status, 401)
})
