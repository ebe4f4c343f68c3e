import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { readReply } from '../../../../test/support/requests.ts'

const desk = await bootDesk()
const path = '/api/user/checkUserByEmail'
const alias = '/api/user/check-by-email'

async function get(query: string) {
  return await readReply(alias, await fetch(`${desk.url}${alias}${query}`))
}

test('a registered e-mail address exists, in whatever case, with id and names and nothing else', async () => {
  const ada = await aClient(desk, { email: 'Ada@example.com' })

  const reply = await desk.post(path, undefined, { email: ' aDA@EXAMPLE.com ' })

  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data, {
    exists: true,
    user_id: ada.id,
    email: 'Ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace'
  })
})

test('an unknown e-mail address does not exist, which is no failure', async () => {
  const reply = await desk.post(path, undefined, { email: 'Nobody@example.com' })

  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data, { exists: false, email: 'Nobody@example.com' })
})

test('staff are not users: their e-mail addresses do not exist here', async () => {
  const grace = await aSupporter(desk)

  const reply = await desk.post(path, undefined, { email: grace.email })

  assert.equal(reply.data.exists, false)
})

test('a missing and a malformed e-mail address are refused', async () => {
  const missing = await desk.post(path, undefined, {})
  const malformed = await desk.post(path, undefined, { email: 'ada' })

  assert.deepEqual([missing.status, missing.body.errors], [400, ['email']])
  assert.equal(missing.body.message, 'Missing required fields: email')
  assert.deepEqual([malformed.status, malformed.body.message], [400, 'Invalid e-mail format'])
})

test('the alias answers the same to POST', async () => {
  const ada = await aClient(desk)

  const reply = await desk.post(alias, undefined, { email: ada.email }, 'form')

  assert.equal(reply.data.user_id, ada.id)
})

test('the alias answers the same to GET with an email query', async () => {
  const ada = await aClient(desk, { email: 'ada+get@example.com' })

  const found = await get(`?email=${encodeURIComponent(ada.email)}`)
  const unknown = await get('?email=nobody@example.com')
  const missing = await get('')
  const malformed = await get('?email=ada')

  assert.deepEqual([found.data.exists, found.data.user_id], [true, ada.id])
  assert.deepEqual(unknown.data, { exists: false, email: 'nobody@example.com' })
  assert.deepEqual([missing.status, malformed.status], [400, 400])
})

test('GET is for the alias alone', async () => {
  const response = await fetch(`${desk.url}${path}?email=ada@example.com`)

  assert.equal(response.status, 405)
})
