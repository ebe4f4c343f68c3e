import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/auth/2fa/setup'

test('setup answers a Base32 secret and the otpauth address that carries it', async () => {
  const ada = await aClient(desk)

  const reply = await desk.post(path, ada)

  assert.equal(reply.status, 200)
  const { secret, otpauth_uri, ...rest } = reply.data
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const uri = new URL(otpauth_uri)
  assert.equal(decodeURIComponent(uri.pathname), `/Deskline:${ada.email}`)
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    secret,
    issuer: 'Deskline',
    algorithm: 'SHA1',
    digits: '6',
    period: '30'
  })
  assert.deepEqual(rest, { two_factor_enabled: 0 })
})

test('a pending secret asks for no code at login', async () => {
  const ada = await aClient(desk)
  await desk.post(path, ada)

  const login = await desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })

  assert.ok(login.data.token)
})

test('each setup answers another secret', async () => {
  const ada = await aClient(desk)

  const [one, other] = [await desk.post(path, ada), await desk.post(path, ada)]

  assert.notEqual(one.data.secret, other.data.secret)
})

test('setup with two-factor on says so and never touches the secret in force', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)

  const reply = await desk.post(path, ada)

  assert.equal(reply.data.two_factor_enabled, 1)
  assert.notEqual(reply.data.secret, secret)
  const credentials = { email: ada.email, password: ada.password }
  const withNew = { ...credentials, two_factor_code: codeAt(reply.data.secret, desk.clock.now()) }
  const withOld = { ...credentials, two_factor_code: codeAt(secret, desk.clock.now()) }
  assert.equal((await desk.post('/api/auth/login', undefined, withNew)).status, 401)
  assert.equal((await desk.post('/api/auth/login', undefined, withOld)).status, 200)
})

test('secrets are sealed at rest, pending and in force, in a column of the contract', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const pending = (await desk.post(path, ada)).data.secret

  const row = await desk.db.selectFrom('clients').selectAll().where('id', '=', ada.id).executeTakeFirstOrThrow()

  assert.ok(row.two_factor_secret && row.two_factor_pending_secret)
  assert.ok(!JSON.stringify(row).includes(secret) && !JSON.stringify(row).includes(pending))
  assert.ok(row.two_factor_secret.length <= 255)
})

test('the sealed secret of one account opens in no other', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const evesSecret = await turnTwoFactorOn(desk, eve)
  const row = desk.db.selectFrom('clients').select('two_factor_secret').where('id', '=', eve.id)
  await turnTwoFactorOn(desk, ada)
  await desk.db.updateTable('clients').set({ two_factor_secret: row }).where('id', '=', ada.id).execute()

  const two_factor_code = codeAt(evesSecret, desk.clock.now())
  const reply = await desk.post('/api/auth/login', undefined, {
    email: ada.email,
    password: ada.password,
    two_factor_code
  })

  assert.equal(reply.status, 500)
})

test('staff set up their own, apart from the client with the same id', async () => {
  const admin = await anAdmin(desk)

  const reply = await desk.post(path, admin)

  assert.equal(reply.status, 200)
  const pending = await desk.db
    .selectFrom('staff')
    .select('id')
    .where('two_factor_pending_secret', 'is not', null)
    .execute()
  assert.deepEqual(
    pending.map(row => row.id),
    [admin.id]
  )
})
