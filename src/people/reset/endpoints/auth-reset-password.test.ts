import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, type Person } from '../../../../test/support/people.ts'
import { accountKey, countAttempt } from '../../../core/rate-limits/attempts.ts'
import { rotateSession } from '../../../core/sessions/rotate-session.ts'
import { openSession } from '../../../core/sessions/sessions.ts'

const desk = await bootDesk()
const address = '/api/auth/reset-password'
const device = { ip: '127.0.0.1', userAgent: 'test' }

async function resetTokenFor(client: Person): Promise<string> {
  return (await desk.post('/api/auth/forgot-password', undefined, { email: client.email })).data.reset_token
}

async function stored(client: Person): Promise<string> {
  const row = await desk.db
    .selectFrom('clients')
    .where('id', '=', client.id)
    .select('password')
    .executeTakeFirstOrThrow()
  return row.password
}

async function hasPassword(client: Person, password: string): Promise<boolean> {
  return await desk.services.passwords.fits(password, await stored(client))
}

/** Whether an access token is still valid: without one this is 400 for a missing e-mail address. */
async function isIn(token: string): Promise<boolean> {
  return (await desk.post('/api/auth/send-email-verification', { token })).status === 200
}

test('the new password replaces the old one, and the answer has no data', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)

  const reply = await desk.post(address, undefined, { token, new_password: ' a new password ' })

  assert.equal(reply.status, 200)
  assert.equal('data' in reply.body, false)
  assert.equal(await hasPassword(client, ' a new password '), true)
  assert.equal(await hasPassword(client, client.password), false)
})

test('every session of the client ends, and nobody else is logged out', async () => {
  const client = await aClient(desk)
  const other = await aClient(desk)
  const account = { population: 'client', id: client.id, password: await stored(client) } as const
  const elsewhere = await openSession(desk.services, desk.db, account, device)
  const token = await resetTokenFor(client)

  await desk.post(address, undefined, { token, new_password: 'a new password' })

  assert.equal(await isIn(client.token), false)
  assert.equal(await isIn(elsewhere!.tokens.token), false)
  assert.equal(await rotateSession(desk.services, client.refresh_token, device), undefined)
  assert.equal(await rotateSession(desk.services, elsewhere!.tokens.refresh_token, device), undefined)
  assert.equal(await isIn(other.token), true)
  assert.ok(await rotateSession(desk.services, other.refresh_token, device))
})

test('the refresh token records of the client are revoked', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)

  await desk.post(address, undefined, { token, new_password: 'a new password' })

  const records = await desk.db
    .selectFrom('refresh_tokens')
    .where('user_type', '=', 'client')
    .where('user_id', '=', client.id)
    .select('is_revoked')
    .execute()
  assert.deepEqual(records, [{ is_revoked: true }])
})

test('a login that waits for its second factor dies', async () => {
  const client = await aClient(desk)
  const { id } = await desk.db
    .insertInto('login_challenges')
    .values({
      user_type: 'client',
      user_id: client.id,
      password: await stored(client),
      expires_at: new Date(desk.clock.now().getTime() + 300_000)
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = await resetTokenFor(client)

  await desk.post(address, undefined, { token, new_password: 'a new password' })

  const challenge = await desk.db
    .selectFrom('login_challenges')
    .where('id', '=', id)
    .select('used_at')
    .executeTakeFirstOrThrow()
  assert.notEqual(challenge.used_at, null)
})

test('a used token is 401, says so, and changes nothing', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)
  await desk.post(address, undefined, { token, new_password: 'the first one' })

  const again = await desk.post(address, undefined, { token, new_password: 'the second one' })

  assert.equal(again.status, 401)
  assert.match(again.body.message, /already been used/)
  assert.equal(await hasPassword(client, 'the first one'), true)
})

test('an expired, a voided and a bad token are 401 and change nothing', async () => {
  const client = await aClient(desk)
  const voided = await resetTokenFor(client)
  const expired = await resetTokenFor(client)
  const before = await desk.rowCounts()

  const replies = [await desk.post(address, undefined, { token: voided, new_password: 'a new password' })]
  replies.push(await desk.post(address, undefined, { token: 'bad', new_password: 'a new password' }))
  desk.clock.turn(3605)
  replies.push(await desk.post(address, undefined, { token: expired, new_password: 'a new password' }))

  assert.deepEqual(
    replies.map(each => each.status),
    [401, 401, 401]
  )
  assert.equal(await hasPassword(client, client.password), true)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a password shorter than 6 is 400 and does not use the token up', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)

  const short = await desk.post(address, undefined, { token, new_password: '12345' })
  const long = await desk.post(address, undefined, { token, new_password: '123456' })

  assert.equal(short.status, 400)
  assert.deepEqual(short.body.errors, ['new_password'])
  assert.equal(long.status, 200)
})

test('a bad token costs no hashing', async () => {
  let hashed = 0
  const { passwords } = desk.services
  const hash = async (password: string) => {
    hashed++
    return await passwords.hash(password)
  }
  const watched = await bootDesk({ services: { passwords: { ...passwords, hash } } })

  const reply = await watched.post(address, undefined, { token: 'bad', new_password: 'a new password' })

  assert.equal(reply.status, 401)
  assert.equal(hashed, 0)
})

test('an inactive client may choose a new password and stays out', async () => {
  const client = await aClient(desk)
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', client.id).execute()
  const token = await resetTokenFor(client)

  const reply = await desk.post(address, undefined, { token, new_password: 'a new password' })

  const account = { population: 'client', id: client.id, password: await stored(client) } as const
  assert.equal(reply.status, 200)
  assert.equal(await openSession(desk.services, desk.db, account, device), undefined)
})

test('wrong passwords of before are forgiven: the new one gets in at once', async () => {
  const client = await aClient(desk)
  const attempt = { kind: 'password', account: accountKey('client', client.email) } as const
  for (let wrong = 0; wrong < 20; wrong++) await countAttempt(desk.services, attempt)
  const token = await resetTokenFor(client)

  await desk.post(address, undefined, { token, new_password: 'a new password' })

  await countAttempt(desk.services, attempt)
})
