import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { type Config, readConfig } from '../../core/config.ts'

/** A desk behind a proxy, so that a test can choose the callers' addresses. */
async function deskWith(config: Partial<Config>) {
  const desk = await bootDesk({ config: { TRUST_PROXY: 1, ...config } })
  const ask = async (path: string, from: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token ? { authorization: `Bearer ${token}` } : {})
    }
    const response = await fetch(desk.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const { message } = (await response.json()) as { message: string }
    return { status: response.status, retryAfter: Number(response.headers.get('retry-after')), message }
  }
  const text = (from: string, number: string, token: string) =>
    ask('/api/auth/send-phone-verification', from, { phone_number: number }, token)
  return { ...desk, ask, text }
}

const numberOf = (serial: number) => `+3161234${1000 + serial}`

test('many accounts on one network send no more texts than its budget, and the others go on', async () => {
  const desk = await deskWith({ MAX_TEXTS_PER_NETWORK: 5 })
  const statuses: number[] = []
  for (let account = 0; account < 3; account++) {
    const { token } = await aClient(desk)
    for (let at = 0; at < 3; at++)
      statuses.push((await desk.text('203.0.113.9', numberOf(statuses.length), token)).status)
  }

  const { token } = await aClient(desk)
  const refused = await desk.text('203.0.113.9', numberOf(50), token)
  const elsewhere = await desk.text('192.0.2.1', numberOf(51), token)
  desk.clock.turn(3600)
  const later = await desk.text('203.0.113.9', numberOf(52), token)

  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429, 429])
  assert.ok(refused.retryAfter > 3000 && refused.retryAfter <= 3600, `Retry-After: ${refused.retryAfter}`)
  assert.deepEqual([refused.status, elsewhere.status, later.status], [429, 200, 200])
  assert.equal((await desk.deliver()).messages.length, 7)
})

test('one number gets so many texts a day, however it is written and whoever asks', async () => {
  const desk = await deskWith({ MAX_TEXTS_PER_NUMBER_A_DAY: 2, DEFAULT_COUNTRY: 'NL' })
  const statuses: number[] = []
  for (const [at, number] of ['+31 6 1234 5678', '0612345678', '06-12345678', '+31612345678'].entries()) {
    statuses.push((await desk.text(`192.0.2.${at}`, number, (await aClient(desk)).token)).status)
  }
  desk.clock.turn(86_400)
  const { token } = await aClient(desk)

  assert.deepEqual([...statuses, (await desk.text('192.0.2.1', '0612345678', token)).status], [200, 200, 429, 429, 200])
  const rows = await desk.db.selectFrom('rate_limits').select('key').where('key', 'like', 'texts%').execute()
  assert.ok(rows.length > 0 && rows.every(({ key }) => !key.includes('12345678')))
})

test('all texts of a day have a budget, which networks that are refused do not use up', async () => {
  const desk = await deskWith({ MAX_TEXTS_A_DAY: 4, MAX_TEXTS_PER_NETWORK: 2 })
  const { token } = await aClient(desk)
  const statuses: number[] = []
  for (let at = 0; at < 6; at++) statuses.push((await desk.text('203.0.113.9', numberOf(at), token)).status)
  for (let at = 0; at < 3; at++) statuses.push((await desk.text(`192.0.2.${at}`, numberOf(10 + at), token)).status)

  assert.deepEqual(statuses, [200, 200, 429, 429, 429, 429, 200, 200, 429])
})

test('no texts go to countries that are not named', async () => {
  const desk = await deskWith({ TEXT_COUNTRIES: ['NL', 'US'] })
  const { token } = await aClient(desk)

  const answers = []
  for (const number of [
    '+31612345678',
    '+12025550123',
    '+18765550123',
    '+37255123456',
    '+8821612345678',
    '0612345678'
  ]) {
    answers.push(await desk.text('192.0.2.1', number, token))
  }

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 400, 400, 400]
  )
  assert.equal(answers[2]!.message, 'No texts are sent to phone numbers of this country')
  assert.equal((await desk.deliver()).messages.length, 2)
})

test('one address gets so many e-mails on request a day; its owner may go on asking from where they log in', async () => {
  const desk = await deskWith({ MAX_EMAILS_PER_ADDRESS_A_DAY: 3 })
  const { email, password } = await aClient(desk)
  await desk.ask('/api/auth/login', '192.0.2.1', { email, password })
  const paths = ['/api/auth/forgot-password', '/api/auth/send-email-verification']
  const statuses: number[] = []
  for (let at = 0; at < 4; at++) statuses.push((await desk.ask(paths[at % 2]!, `203.0.113.${at}`, { email })).status)

  const owner = await desk.ask(paths[0]!, '192.0.2.1', { email })
  desk.clock.turn(86_400)
  const later = await desk.ask(paths[0]!, '203.0.113.1', { email })

  assert.deepEqual([...statuses, owner.status, later.status], [200, 200, 200, 429, 200, 200])
})

test('e-mails to staff are bounded alike, whether there is such a member or not', async () => {
  const desk = await deskWith({ MAX_EMAILS_PER_ADDRESS_A_DAY: 2 })
  const admin = await anAdmin(desk)
  const path = '/api/admin/auth/forgot-password'
  await desk.ask('/api/admin/auth/login', '192.0.2.1', { email: admin.email, password: admin.password })

  for (const email of [admin.email, 'nobody@example.com']) {
    const statuses: number[] = []
    for (let at = 0; at < 3; at++) statuses.push((await desk.ask(path, `203.0.113.${at}`, { email })).status)
    assert.deepEqual(statuses, [200, 200, 429], email)
  }
  assert.equal((await desk.ask(path, '192.0.2.1', { email: admin.email })).status, 200)
})

test('the budgets are there by default in production, and nowhere else', () => {
  const budgets = (given: Record<string, string>) => {
    const config = readConfig(given)
    return [config.MAX_TEXTS_PER_NETWORK, config.MAX_TEXTS_PER_NUMBER_A_DAY, config.MAX_TEXTS_A_DAY]
  }

  assert.deepEqual(budgets({}), [0, 0, 0])
  assert.deepEqual(budgets({ NODE_ENV: 'production' }), [60, 30, 1000])
  assert.deepEqual(budgets({ NODE_ENV: 'production', MAX_TEXTS_A_DAY: '0' }), [60, 30, 0])
  assert.throws(() => readConfig({ TEXT_COUNTRIES: 'NL, Atlantis' }), /TEXT_COUNTRIES must be a country code/)
})
