import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/auth/2fa/verify-login'
const over = 'Invalid or expired 2FA session'

async function challenged(person: Person, address = '/api/auth/login'): Promise<string> {
  const { data } = await desk.post(address, undefined, { email: person.email, password: person.password })
  return data.temp_token
}

async function aChallengedClient() {
  const person = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, person)
  return { person, secret, temp_token: await challenged(person) }
}

async function statusOf(temp_token: string, code: string): Promise<number> {
  return (await desk.post(path, undefined, { temp_token, code })).status
}

test('a client gets a pair of tokens and its account in short, with the fields of the contract and no others', async () => {
  const { person, secret, temp_token } = await aChallengedClient()

  const reply = await desk.post(path, undefined, { temp_token, code: codeAt(secret, desk.clock.now()) })

  assert.equal(reply.status, 200)
  const { token, refresh_token, ...rest } = reply.data
  assert.ok(refresh_token)
  assert.deepEqual(rest, {
    expires_in: 86400,
    token_type: 'Bearer',
    user: {
      id: person.id,
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: person.email,
      two_factor_enabled: 1,
      is_email_verified: 0,
      is_phone_verified: 0
    }
  })
  assert.equal((await desk.post('/api/auth/2fa/setup', { token })).status, 200)
})

test('staff get the user that admin/auth/login shows', async () => {
  const grace = await aSupporter(desk, 'clients.view')
  const secret = await turnTwoFactorOn(desk, grace)
  const temp_token = await challenged(grace, '/api/admin/auth/login')

  const reply = await desk.post(path, undefined, { temp_token, code: codeAt(secret, desk.clock.now()) }, 'form')

  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data.user, {
    id: grace.id,
    first_name: 'Grace',
    last_name: 'Hopper',
    email: grace.email,
    role: 'supporter',
    user_type: 'staff',
    is_active: 1,
    permissions: ['clients.view'],
    phone_number: null,
    two_factor_enabled: 1
  })
})

test('a wrong code is a 401 that leaves the challenge open', async () => {
  const { secret, temp_token } = await aChallengedClient()
  const before = await desk.rowCounts()

  const wrong = await desk.post(path, undefined, { temp_token, code: wrongCode(secret, desk.clock.now()) })

  assert.equal(wrong.status, 401)
  assert.equal(wrong.body.message, 'Invalid 6-digit authenticator code')
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal(await statusOf(temp_token, codeAt(secret, desk.clock.now())), 200)
})

test('a temp_token works once', async () => {
  const { secret, temp_token } = await aChallengedClient()
  await statusOf(temp_token, codeAt(secret, desk.clock.now()))

  const again = await desk.post(path, undefined, { temp_token, code: codeAt(secret, desk.clock.now(), 1) })

  assert.deepEqual([again.status, again.body.message], [401, over])
})

test('a code that logged somebody in is not accepted for a second login', async () => {
  const { person, secret, temp_token } = await aChallengedClient()
  const now = desk.clock.now()
  const second = await challenged(person)

  const first = await statusOf(temp_token, codeAt(secret, now))
  const again = await desk.post(path, undefined, { temp_token: second, code: codeAt(secret, now) })
  const next = await statusOf(second, codeAt(secret, now, 1))

  assert.equal(first, 200)
  assert.deepEqual([again.status, again.body.message], [401, 'Invalid 6-digit authenticator code'])
  assert.equal(next, 200)
})

test('a temp_token dies after five wrong codes', async () => {
  const { secret, temp_token } = await aChallengedClient()
  for (let attempt = 0; attempt < 5; attempt++) await statusOf(temp_token, wrongCode(secret, desk.clock.now()))

  const reply = await desk.post(path, undefined, { temp_token, code: codeAt(secret, desk.clock.now()) })

  assert.deepEqual([reply.status, reply.body.message], [401, over])
})

test('a temp_token dies after five minutes', async () => {
  const { person, secret, temp_token } = await aChallengedClient()
  desk.clock.turn(290)
  const inTime = await statusOf(temp_token, codeAt(secret, desk.clock.now()))
  const late = await challenged(person)
  desk.clock.turn(301)

  const reply = await desk.post(path, undefined, { temp_token: late, code: codeAt(secret, desk.clock.now()) })

  assert.equal(inTime, 200)
  assert.deepEqual([reply.status, reply.body.message], [401, over])
})

test('no other token passes for a temp_token, and a temp_token for no other', async () => {
  const { person, secret, temp_token } = await aChallengedClient()
  const code = codeAt(secret, desk.clock.now())

  for (const token of [person.token, person.refresh_token, 'nonsense', `${temp_token}x`, 'a.b.c']) {
    const reply = await desk.post(path, undefined, { temp_token: token, code })

    assert.deepEqual([reply.status, reply.body.message], [401, over])
  }
  assert.equal((await desk.post('/api/auth/2fa/setup', { token: temp_token })).status, 401)
  assert.equal((await desk.post('/api/auth/refresh', undefined, { refresh_token: temp_token })).status, 401)
})

test('another password, deactivation and two-factor turned off each end a challenge', async () => {
  const changes = [
    { password: createHash('sha256').update('another').digest('hex') },
    { is_active: false },
    { two_factor_enabled: false, two_factor_secret: null }
  ]
  for (const change of changes) {
    const { person, secret, temp_token } = await aChallengedClient()
    await desk.db.updateTable('clients').set(change).where('id', '=', person.id).execute()
    const before = await desk.rowCounts()

    const reply = await desk.post(path, undefined, { temp_token, code: codeAt(secret, desk.clock.now()) })

    assert.deepEqual([reply.status, reply.body.message], [401, over], JSON.stringify(change))
    assert.deepEqual(await desk.rowCounts(), before)
  }
})

test('a deleted account has no challenges left', async () => {
  const { person, secret, temp_token } = await aChallengedClient()
  await desk.db.deleteFrom('clients').where('id', '=', person.id).execute()

  assert.equal(await statusOf(temp_token, codeAt(secret, desk.clock.now())), 401)
})

test('a bare SHA-256 password is hashed as it should be before the challenge, which then works', async () => {
  const ada = await aClient(desk, { password: createHash('sha256').update('correct horse').digest('hex') })
  const secret = await turnTwoFactorOn(desk, ada)
  const temp_token = await challenged(ada)

  const status = await statusOf(temp_token, codeAt(secret, desk.clock.now()))

  assert.equal(status, 200)
  const { password } = await desk.db
    .selectFrom('clients')
    .select('password')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow()
  assert.match(password, /^\$argon2id\$/)
})
