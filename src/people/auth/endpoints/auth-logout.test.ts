import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/auth/logout'

test('logout says goodbye by first name and ends both tokens at once, for clients and staff', async () => {
  for (const person of [await aClient(desk), await anAdmin(desk)]) {
    const reply = await desk.post(path, person)

    assert.equal(reply.status, 200)
    assert.match(reply.body.message, new RegExp(`goodbye.*${person.first_name}`, 'i'))
    assert.equal('data' in reply.body, false)
    assert.equal((await desk.post('/api/auth/2fa/setup', person)).status, 401)
    const refreshed = await desk.post('/api/auth/refresh', undefined, { refresh_token: person.refresh_token })
    assert.equal(refreshed.status, 401)
  }
})

test('logout ends one session and no other', async () => {
  const ada = await aClient(desk)
  const { data } = await desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })

  await desk.post(path, ada)

  assert.equal((await desk.post('/api/auth/2fa/setup', data)).status, 200)
})

test('without a bearer, with a bad one, and a second time, logout is a goodbye to nobody', async () => {
  const ada = await aClient(desk)
  await desk.post(path, ada)

  for (const asker of [undefined, { token: 'nonsense' }, ada]) {
    const reply = await desk.post(path, asker)

    assert.equal(reply.status, 200)
    assert.match(reply.body.message, /goodbye/i)
    assert.ok(!reply.body.message.includes('Ada'))
    assert.equal('data' in reply.body, false)
  }
})
