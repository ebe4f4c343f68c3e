import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient } from '../../../../test/support/people.ts'
import { readReply } from '../../../../test/support/requests.ts'

const desk = await bootDesk()
const address = '/api/auth/verify-reset-token'

async function resetTokenFor(email: string): Promise<string> {
  return (await desk.post('/api/auth/forgot-password', undefined, { email })).data.reset_token
}

async function get(path: string) {
  return await readReply(path, await fetch(desk.url + path))
}

test('a fresh token is told with its client by POST with a body, POST with a query and GET, as often as asked', async () => {
  const client = await aClient(desk, { first_name: 'Mary' })
  const token = await resetTokenFor(client.email)

  const replies = [
    await desk.post(address, undefined, { token }),
    await desk.post(address, undefined, { token }, 'form'),
    await desk.post(`${address}?token=${token}`),
    await get(`${address}?token=${token}`)
  ]

  for (const reply of replies) {
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.data, { valid: 1, user_id: client.id, email: client.email, first_name: 'Mary' })
  }
})

test('without a token it is 400 and names the field, for GET as well', async () => {
  const replies = [await desk.post(address), await get(address), await get(`${address}?token=`)]

  for (const reply of replies) {
    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['token'])
  }
})

test('HEAD, PUT and DELETE are 405 with the methods that there are', async () => {
  for (const method of ['HEAD', 'PUT', 'DELETE']) {
    const response = await fetch(`${desk.url}${address}?token=x`, { method })

    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'GET, POST')
  }
})

test('garbage, a token signed by somebody else and a token of another kind are 401', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client.email)
  const [header, claims, signature] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ ...JSON.parse(atob(claims!)), reset: 1 })).toString('base64url')

  for (const bad of ['x', 'a.b.c', `${header}.${forged}.${signature}`, `${header}.${claims}.`, client.token]) {
    assert.equal((await desk.post(address, undefined, { token: bad })).status, 401)
  }
})

test('a reset token is no bearer', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client.email)

  const reply = await desk.post('/api/auth/send-email-verification', { token })

  assert.equal(reply.status, 400)
})

test('a token works for an hour and is 401 afterwards', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client.email)

  desk.clock.turn(3595)
  const before = await desk.post(address, undefined, { token })
  desk.clock.turn(10)
  const after = await desk.post(address, undefined, { token })

  assert.equal(before.status, 200)
  assert.equal(after.status, 401)
})

test('a new reset token voids the older ones', async () => {
  const client = await aClient(desk)
  const older = await resetTokenFor(client.email)
  const newer = await resetTokenFor(client.email)

  assert.equal((await desk.post(address, undefined, { token: older })).status, 401)
  assert.equal((await desk.post(address, undefined, { token: newer })).status, 200)
})

test('a used token is 401 and says so, in other words than an invalid one', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client.email)
  await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'a new password' })

  const used = await desk.post(address, undefined, { token })
  const invalid = await desk.post(address, undefined, { token: 'x' })

  assert.equal(used.status, 401)
  assert.match(used.body.message, /already been used/)
  assert.doesNotMatch(invalid.body.message, /already been used/)
})

test('a used token stays used when a new one is asked for', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client.email)
  await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'a new password' })
  await resetTokenFor(client.email)

  const reply = await desk.post(address, undefined, { token })

  assert.match(reply.body.message, /already been used/)
})

test('the token of a client who was deleted is 401', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client.email)
  await desk.db.deleteFrom('clients').where('id', '=', client.id).execute()

  const reply = await desk.post(address, undefined, { token })

  assert.equal(reply.status, 401)
})
