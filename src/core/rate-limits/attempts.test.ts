import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { countAttempt } from './attempts.ts'

const desk = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 3 } })

test('an e-mail address whose small letters are longer than its capitals is as wrong as any other', async () => {
  const reply = await desk.post('/api/auth/login', undefined, { email: 'İ'.repeat(255), password: 'wrong' })

  assert.equal(reply.status, 401)
})

test('whoever has an IPv6 network has one address, not as many as there are', async () => {
  const attempt = (at: number, ip: string) =>
    countAttempt(desk.services, { kind: 'password', account: `client:nobody.${at}@example.com`, ip })

  for (const at of [1, 2, 3]) await attempt(at, `2001:db8:1:2::${at}`)

  await assert.rejects(attempt(4, '2001:db8:1:2:aaaa::4'), { status: 429 })
  await attempt(5, '2001:db8:1:3::5')
})

test('whoever goes through the networks of a range is bounded by the ranges around them', async () => {
  const own = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 3, MAX_WRONG_PASSWORDS: 2 } })
  const attempt = (account: string, ip: string) => countAttempt(own.services, { kind: 'password', account, ip })
  const somebody = (at: number) => `client:somebody.${at}@example.com`

  for (let at = 0; at < 6; at++) await attempt(somebody(at), `2001:db8:1:a${at}::1`)
  await assert.rejects(attempt(somebody(6), '2001:db8:1:a6::1'), { status: 429 })
  for (let at = 0; at < 6; at++) await attempt(somebody(10 + at), `2001:db8:1:${at + 1}b00::1`)
  await assert.rejects(attempt(somebody(16), '2001:db8:1:7b00::1'), { status: 429 })
  await attempt(somebody(16), '2001:db8:2::1')

  for (let at = 0; at < 4; at++) await attempt('client:ada@example.com', `2001:db8:3:a${at}::1`)
  await assert.rejects(attempt('client:ada@example.com', '2001:db8:3:a4::1'), { status: 429 })
  await attempt('client:ada@example.com', '2001:db8:3:1b4::1')
})

test("what is refused uses up nobody else's limit", async () => {
  const own = await bootDesk({ config: { MAX_WRONG_PASSWORDS: 2, ALL_NETWORKS_FACTOR: 2 } })
  const attempt = (ip: string) =>
    countAttempt(own.services, { kind: 'password', account: 'client:ada@example.com', ip })

  for (let at = 0; at < 2; at++) await attempt('203.0.113.1')
  for (let at = 0; at < 10; at++) await assert.rejects(attempt('203.0.113.1'), { status: 429 })

  await attempt('192.0.2.1')
})

test('however many guesses come at once, no more are let through than the limit', async () => {
  const own = await bootDesk({ connections: 10, config: { MAX_WRONG_PASSWORDS: 7 } })
  const attempt = () =>
    countAttempt(own.services, { kind: 'password', account: 'client:ada@example.com', ip: '192.0.2.1' })

  const settled = await Promise.allSettled(Array.from({ length: 40 }, attempt))

  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 7)
})

test('a refusal tells which limit was reached, for how many attempts in which time, and when its window ends', async () => {
  const own = await bootDesk({ config: { MAX_WRONG_PASSWORDS: 1, GUESS_WINDOW_SECONDS: 900 } })
  const logIn = () => own.post('/api/auth/login', undefined, { email: 'ada@example.com', password: 'wrong' })

  const wrong = await logIn()
  own.clock.turn(60)
  const refused = await logIn()

  const told = ({ headers }: Awaited<ReturnType<typeof logIn>>) =>
    ['retry-after', 'ratelimit-policy', 'ratelimit'].map(name => headers.get(name))
  assert.deepEqual([wrong.status, refused.status], [401, 429])
  assert.deepEqual(told(wrong), [null, null, null])
  assert.deepEqual(told(refused), ['840', '"password";q=1;w=900', '"password";r=0;t=840'])
})

test('a clock that was set back locks nobody out for longer than the window', async () => {
  const own = await bootDesk({ config: { MAX_WRONG_PASSWORDS: 1 } })
  const attempt = () =>
    countAttempt(own.services, { kind: 'password', account: 'client:ada@example.com', ip: '192.0.2.1' })
  await attempt()

  own.clock.turn(-86_400)
  await assert.rejects(attempt(), { status: 429 })
  own.clock.turn(300)

  await attempt()
})

test('what a client writes into X-Forwarded-For is no address when nobody said that there is a proxy', async () => {
  const own = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 3 } })
  const statuses = []

  for (const at of [1, 2, 3, 4]) statuses.push(await failFrom(own.url, `192.0.2.${at}`))

  assert.deepEqual(statuses, [401, 401, 401, 429])
})

test('behind one proxy the address is what the proxy saw, whatever the client wrote before it', async () => {
  const own = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 1, TRUST_PROXY: 1 } })

  const statuses = [
    await failFrom(own.url, '192.0.2.1'),
    await failFrom(own.url, '192.0.2.2'),
    await failFrom(own.url, '198.51.100.7, 192.0.2.1'),
    await failFrom(own.url, '192.0.2.3, nonsense'),
    await failFrom(own.url, `192.0.2.4, ${'x'.repeat(5000)}`)
  ]

  assert.deepEqual(statuses, [401, 401, 429, 401, 429])
})

test('a proxy is believed only from the addresses that were named', async () => {
  const stranger = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 1, TRUST_PROXY: ['10.0.0.0/8'] } })
  const known = await bootDesk({ config: { MAX_FAILURES_PER_ADDRESS: 1, TRUST_PROXY: ['127.0.0.0/8'] } })

  assert.deepEqual([await failFrom(stranger.url, '192.0.2.1'), await failFrom(stranger.url, '192.0.2.2')], [401, 429])
  assert.deepEqual([await failFrom(known.url, '192.0.2.1'), await failFrom(known.url, '192.0.2.2')], [401, 401])
})

test('the address in the record of a session is the one that counts', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1 } })
  const client = await aClient(own)

  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '6.6.6.6, 192.0.2.9' }
  const body = JSON.stringify({ email: client.email, password: client.password })
  await fetch(`${own.url}/api/auth/login`, { method: 'POST', headers, body })

  const records = await own.db.selectFrom('refresh_tokens').select('ip_address').orderBy('id', 'desc').execute()
  assert.equal(records[0]?.ip_address, '192.0.2.9')
})

let serial = 0

/** Guesses at an account of its own, so that only the address can be over its limit. */
async function failFrom(url: string, forwardedFor: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor }
  const body = JSON.stringify({ email: `nobody.${++serial}@example.com`, password: 'wrong' })
  return (await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })).status
}
