import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/auth/2fa/disable'

async function isOn(person: Person): Promise<boolean> {
  return (await desk.post('/api/auth/2fa/setup', person)).data.two_factor_enabled === 1
}

test('the password turns two-factor off, and nothing of the secret is kept', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)

  const reply = await desk.post(path, ada, { password: ada.password })

  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data, { two_factor_enabled: 0 })
  const row = await desk.db.selectFrom('clients').selectAll().where('id', '=', ada.id).executeTakeFirstOrThrow()
  assert.deepEqual([row.two_factor_enabled, row.two_factor_secret, row.two_factor_last_step], [false, null, null])
  const login = await desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })
  assert.ok(login.data.token)
})

test('a code turns it off, for staff too, even one that has just logged in', async () => {
  const grace = await aSupporter(desk)
  const secret = await turnTwoFactorOn(desk, grace)
  const code = codeAt(secret, desk.clock.now())
  const credentials = { email: grace.email, password: grace.password, two_factor_code: code }
  await desk.post('/api/admin/auth/login', undefined, credentials)

  const reply = await desk.post(path, grace, { code }, 'form')

  assert.deepEqual([reply.status, reply.data], [200, { two_factor_enabled: 0 }])
})

test('where password and code are sent, either will do', async () => {
  const ada = await aClient(desk)

  for (const right of ['password', 'code']) {
    const secret = await turnTwoFactorOn(desk, ada)
    const now = desk.clock.now()
    const wrong = { password: 'wrong horse', code: wrongCode(secret, now) }

    const reply = await desk.post(path, ada, {
      ...wrong,
      [right]: right === 'code' ? codeAt(secret, now) : ada.password
    })

    assert.equal(reply.status, 200, `with a right ${right}`)
  }
})

test('neither password nor code is a 400 that names both', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)

  const reply = await desk.post(path, ada, { password: '', code: ' ' })

  assert.deepEqual([reply.status, reply.body.errors], [400, ['password', 'code']])
  assert.ok(await isOn(ada))
})

test('a wrong password and a wrong code are a 401 and turn nothing off', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const code = wrongCode(secret, desk.clock.now())

  const replies = [
    await desk.post(path, ada, { password: 'wrong horse' }),
    await desk.post(path, ada, { code }),
    await desk.post(path, ada, { code: 'twelve' }),
    await desk.post(path, ada, { password: 'wrong horse', code })
  ]

  assert.deepEqual(
    replies.map(reply => reply.status),
    [401, 401, 401, 401]
  )
  assert.ok(await isOn(ada))
})

test('not on is a 400, whatever is sent', async () => {
  const ada = await aClient(desk)

  const right = await desk.post(path, ada, { password: ada.password })
  const wrong = await desk.post(path, ada, { password: 'wrong horse' })

  assert.deepEqual([right.status, wrong.status], [400, 400])
})
