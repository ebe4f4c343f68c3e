import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/auth/2fa/enable'

async function secretFor(person: Person): Promise<string> {
  return (await desk.post('/api/auth/2fa/setup', person)).data.secret
}

async function isOn(person: Person): Promise<boolean> {
  const row = await desk.db
    .selectFrom('clients')
    .select('two_factor_enabled')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return row.two_factor_enabled
}

test('the secret of setup and its code turn two-factor on, for clients and staff', async () => {
  for (const person of [await aClient(desk), await aSupporter(desk)]) {
    const secret = await secretFor(person)

    const reply = await desk.post(path, person, { secret, code: codeAt(secret, desk.clock.now()) })

    assert.equal(reply.status, 200)
    assert.deepEqual(reply.data, { two_factor_enabled: 1 })
    assert.equal((await desk.post('/api/auth/2fa/setup', person)).data.two_factor_enabled, 1)
  }
})

test('a secret typed in small letters is the same secret', async () => {
  const ada = await aClient(desk)
  const secret = await secretFor(ada)
  const code = codeAt(secret, desk.clock.now())

  const reply = await desk.post(path, ada, { secret: ` ${secret.toLowerCase()} `, code }, 'form')

  assert.equal(reply.status, 200)
})

test('the code that turned it on may log in at once: only logins use codes up', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)

  const two_factor_code = codeAt(secret, desk.clock.now())
  const login = { email: ada.email, password: ada.password, two_factor_code }

  assert.equal((await desk.post('/api/auth/login', undefined, login)).status, 200)
})

test('a secret that is not the pending one is a 400, with a right code too', async () => {
  const ada = await aClient(desk)
  const foreign = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const code = codeAt(foreign, desk.clock.now())

  const withoutSetup = await desk.post(path, ada, { secret: foreign, code })
  const older = await secretFor(ada)
  await secretFor(ada)
  const afterSetup = await desk.post(path, ada, { secret: foreign, code })
  const withOlder = await desk.post(path, ada, { secret: older, code: codeAt(older, desk.clock.now()) })

  assert.deepEqual([withoutSetup.status, afterSetup.status, withOlder.status], [400, 400, 400])
  assert.equal(await isOn(ada), false)
})

test('a wrong or malformed code is a 401 and turns nothing on', async () => {
  const ada = await aClient(desk)
  const secret = await secretFor(ada)

  for (const code of [wrongCode(secret, desk.clock.now()), '1', 'twelve']) {
    const reply = await desk.post(path, ada, { secret, code })

    assert.deepEqual([reply.status, reply.body.message], [401, 'Invalid 6-digit authenticator code'])
  }
  assert.equal(await isOn(ada), false)
})

test('on already is a 400 that leaves the secret in force', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const pending = await secretFor(ada)

  const reply = await desk.post(path, ada, { secret: pending, code: codeAt(pending, desk.clock.now()) })

  assert.equal(reply.status, 400)
  const two_factor_code = codeAt(secret, desk.clock.now())
  const login = { email: ada.email, password: ada.password, two_factor_code }
  assert.equal((await desk.post('/api/auth/login', undefined, login)).status, 200)
})

test('missing fields are named at once', async () => {
  const reply = await desk.post(path, await aClient(desk), {})

  assert.deepEqual([reply.status, reply.body.errors], [400, ['secret', 'code']])
})
