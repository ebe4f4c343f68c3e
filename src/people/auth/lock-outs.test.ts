import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../test/support/authenticator.ts'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import type { Reply } from '../../../test/support/requests.ts'

const desk = await bootDesk()

interface Attempt {
  email: string
  password: string
  two_factor_code?: string
}

function logIn(attempt: Attempt, path = '/api/auth/login', where: Desk = desk): Promise<Reply> {
  return where.post(path, undefined, attempt)
}

async function guessed(times: number, email: string, path?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let limited = 0; limited < times; limited++) {
    statuses.push((await logIn({ email, password: `guess ${limited}` }, path)).status)
  }
  return [...new Set(statuses)]
}

for (const [who, make, path] of [
  ['client', aClient, '/api/auth/login'],
  ['supporter', aSupporter, '/api/admin/auth/login']
] as const) {
  test(`after twenty wrong passwords even the right one of a ${who} is a 429, until five minutes are over`, async () => {
    const { email, password } = await make(desk)
    const wrong = await guessed(20, email, path)
    const before = await desk.rowCounts()

    const locked = await logIn({ email, password }, path)
    const afterwards = await desk.rowCounts()
    desk.clock.turn(300)
    const later = await logIn({ email, password }, path)

    assert.deepEqual(wrong, [401])
    assert.equal(locked.status, 429)
    const seconds = Number(locked.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 300, `Retry-After: ${seconds}`)
    assert.deepEqual(afterwards, before)
    assert.equal(later.status, 200)
  })
}

test('unknown and malformed e-mail addresses are bounded alike', async () => {
  for (const email of ['nobody@example.com', 'nobody']) {
    assert.deepEqual(await guessed(20, email), [401])

    assert.equal((await logIn({ email, password: 'guess' })).status, 429)
  }
})

test('spelling the e-mail address in another way is no way around', async () => {
  const ada = await aClient(desk)
  await guessed(20, ada.email)

  const reply = await logIn({ email: ` ${ada.email.toUpperCase()} `, password: ada.password })

  assert.equal(reply.status, 429)
})

test('a success clears the count', async () => {
  const ada = await aClient(desk)
  await guessed(19, ada.email)

  const success = await logIn(ada)

  assert.equal(success.status, 200)
  assert.deepEqual(await guessed(20, ada.email), [401])
})

test('clients and staff with one e-mail address are counted apart', async () => {
  const grace = await aSupporter(desk)
  const twin = await aClient(desk, { email: grace.email })
  await guessed(20, grace.email, '/api/admin/auth/login')

  assert.equal((await logIn(grace, '/api/admin/auth/login')).status, 429)
  assert.equal((await logIn(twin)).status, 200)
})

test('after eight wrong second factors even the right one is a 429, wherever it comes in, until five minutes are over', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const { email, password } = ada
  const wrong: number[] = []
  const open = (await logIn({ email, password })).data.temp_token
  for (let limited = 0; limited < 4; limited++) {
    const code = wrongCode(secret, desk.clock.now())
    wrong.push((await logIn({ email, password, two_factor_code: code })).status)
    wrong.push((await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token: open, code })).status)
  }

  const code = codeAt(secret, desk.clock.now())
  const atLogin = await logIn({ email, password, two_factor_code: code })
  const atVerify = await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token: open, code })
  const atDisable = await desk.post('/api/auth/2fa/disable', ada, { code })
  desk.clock.turn(300)
  const later = await logIn({ email, password, two_factor_code: codeAt(secret, desk.clock.now()) })

  assert.deepEqual([...new Set(wrong)], [401])
  assert.deepEqual([atLogin.status, atVerify.status, atDisable.status], [429, 429, 429])
  assert.ok(Number(atVerify.headers.get('retry-after')) > 0)
  assert.equal(later.status, 200)
})

test('new challenges give no new tries, and a login clears the count', async () => {
  const { email, password, ...ada } = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, { email, password, ...ada })
  const verify = async (code: string) => {
    const { temp_token } = (await logIn({ email, password })).data
    return (await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token, code })).status
  }
  const limited = async (times: number) => {
    for (let tried = 0; tried < times; tried++) await verify(wrongCode(secret, desk.clock.now()))
  }

  await limited(7)
  const success = await verify(codeAt(secret, desk.clock.now()))
  await limited(8)
  const locked = await verify(codeAt(secret, desk.clock.now(), 1))

  assert.deepEqual([success, locked], [200, 429])
})

test('wrong second factors do not give back wrong passwords', async () => {
  const { email, password, ...ada } = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, { email, password, ...ada })
  await guessed(19, email)

  await logIn({ email, password, two_factor_code: wrongCode(secret, desk.clock.now()) })

  assert.equal((await logIn({ email, password: 'one more guess' })).status, 429)
})

test('the password and the code that turn two-factor off are bounded like those of a login', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  for (let wrong = 0; wrong < 20; wrong++) await desk.post('/api/auth/2fa/disable', ada, { password: `guess ${wrong}` })

  const reply = await desk.post('/api/auth/2fa/disable', ada, { password: ada.password })

  assert.equal(reply.status, 429)
  const withCode = await desk.post('/api/auth/2fa/disable', ada, { code: codeAt(secret, desk.clock.now()) })
  assert.equal(withCode.status, 200)
})

test('one network address may fail only so often, whatever the accounts', async () => {
  const crowded = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 5 } })
  const ada = await aClient(crowded)
  for (let limited = 0; limited < 10; limited++) assert.equal((await logIn(ada, undefined, crowded)).status, 200)
  for (let limited = 0; limited < 5; limited++) {
    await logIn({ email: `nobody${limited}@example.com`, password: 'guess' }, undefined, crowded)
  }

  const reply = await logIn(ada, undefined, crowded)

  assert.equal(reply.status, 429)
})
