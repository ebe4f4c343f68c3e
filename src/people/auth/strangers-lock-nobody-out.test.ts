import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'

// Behind a proxy, so that a test can choose the callers' addresses.
const desk = await bootDesk({ config: { TRUST_PROXY: 1 } })

type Ways = { path?: string; from: string; password?: string; deviceToken?: string; url?: string }

async function logIn(who: Pick<Person, 'email'>, { path, from, password, deviceToken, url = desk.url }: Ways) {
  const response = await fetch(`${url}${path ?? '/api/auth/login'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email: who.email, password, device_token: deviceToken })
  })
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) }
}

/** Wrong passwords from one network; returns the distinct statuses. */
async function attempt(who: Pick<Person, 'email'>, times: number, ways: Ways) {
  const statuses = new Set<number>()
  for (let at = 0; at < times; at++) statuses.add((await logIn(who, { ...ways, password: `guess ${at}` })).status)
  return [...statuses]
}

for (const [who, make, path] of [
  ['a client', aClient, '/api/auth/login'],
  ['the only admin', anAdmin, '/api/admin/auth/login']
] as const) {
  test(`a stranger who guesses on and on never keeps ${who} out`, async () => {
    const { email, password } = await make(desk)

    const guessed = await attempt({ email }, 110, { path, from: '203.0.113.9' })
    const stranger = await logIn({ email }, { path, from: '203.0.113.9', password })
    const owner = await logIn({ email }, { path, from: '192.0.2.1', password })

    assert.deepEqual(guessed, [401, 429])
    assert.equal(stranger.status, 429)
    assert.ok(stranger.retryAfter > 0)
    assert.equal(owner.status, 200)
  })
}

test('strangers on many networks are bounded for the account, and keep out nobody who logged in from where they are', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1, ALL_NETWORKS_FACTOR: 2, MAX_WRONG_PASSWORDS: 3 } })
  const { url } = own
  const { email, password } = await aClient(own)
  await logIn({ email }, { url, from: '192.0.2.1', password })

  for (const network of [1, 2, 3]) await attempt({ email }, 2, { url, from: `203.0.113.${network}` })
  const stranger = await logIn({ email }, { url, from: '203.0.113.4', password })
  const elsewhere = await logIn({ email }, { url, from: '198.51.100.1', password })
  const owner = await logIn({ email }, { url, from: '192.0.2.1', password })

  assert.deepEqual([stranger.status, elsewhere.status, owner.status], [429, 429, 200])
})

test('who knows no password of a network has its limit even where the owner logs in, unless the device is known', async () => {
  const from = '192.0.2.77'
  const { email, password, refresh_token: deviceToken } = await aClient(desk)
  await logIn({ email }, { from, password })
  await attempt({ email }, 20, { from })

  const neighbour = await logIn({ email }, { from, password })
  const device = await logIn({ email }, { from, password, deviceToken })

  assert.deepEqual([neighbour.status, device.status], [429, 200])
})

test('a known device has a limit of its own, which no other uses up', async () => {
  const from = '192.0.2.78'
  const { email, password, refresh_token: deviceToken } = await aClient(desk)

  const wrong = await attempt({ email }, 20, { from, deviceToken })
  const device = await logIn({ email }, { from, password, deviceToken })
  const other = await logIn({ email }, { from, password })

  assert.deepEqual([...wrong, device.status, other.status], [401, 429, 200])
})

test('a token that was used up, or whose session is over, still shows the device; one of somebody else or of nobody does not', async () => {
  const from = '192.0.2.79'
  const ada = await aClient(desk)
  const mallory = await aClient(desk)
  const renewed = await desk.post('/api/auth/refresh', undefined, { refresh_token: ada.refresh_token })
  await desk.post('/api/auth/logout', renewed.data)
  await attempt(ada, 20, { from })

  const { password } = ada
  const statuses = []
  for (const deviceToken of [mallory.refresh_token, 'made up', ada.refresh_token]) {
    statuses.push((await logIn(ada, { from, password, deviceToken })).status)
  }

  assert.deepEqual(statuses, [429, 429, 200])
})

test('somebody who is logged in changes the password whatever strangers guess, and has a limit of their own', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1, ALL_NETWORKS_FACTOR: 1, MAX_WRONG_PASSWORDS: 2 } })
  const ada = await aClient(own)
  await attempt(ada, 5, { url: own.url, from: '203.0.113.9' })
  const change = (current: string) =>
    own.post('/api/account/password', ada, { current_password: current, new_password: 'another password' })

  const wrong = [(await change('a guess')).status, (await change('a guess')).status]
  const bounded = await change(ada.password)
  own.clock.turn(300)
  const later = await change(ada.password)

  assert.deepEqual([...wrong, bounded.status, later.status], [401, 401, 429, 200])
})

test('a reset link works during an attack, and unlocks the account for everybody', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1, ALL_NETWORKS_FACTOR: 1, MAX_WRONG_PASSWORDS: 2 } })
  const ada = await aClient(own)
  await attempt(ada, 3, { url: own.url, from: '203.0.113.9' })
  await attempt(ada, 3, { url: own.url, from: '192.0.2.1' })
  const { reset_token: token } = (await own.post('/api/auth/forgot-password', undefined, { email: ada.email })).data

  const password = 'a new password'
  const reset = await own.post('/api/auth/reset-password', undefined, { token, new_password: password })
  const statuses = []
  for (const from of ['192.0.2.1', '198.51.100.1']) {
    statuses.push((await logIn(ada, { url: own.url, from, password })).status)
  }

  assert.deepEqual([reset.status, ...statuses], [200, 200, 200])
})

test('strangers who ask for reset e-mails and codes do not keep the owner from asking', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1, MAX_RESET_MAILS: 2, MAX_CODES_SENT: 2 } })
  const { email } = await aClient(own)
  const ask = async (path: string, from: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    return (await fetch(own.url + path, { method: 'POST', headers, body: JSON.stringify({ email }) })).status
  }

  for (const path of ['/api/auth/forgot-password', '/api/auth/send-email-verification']) {
    const stranger = [await ask(path, '203.0.113.9'), await ask(path, '203.0.113.9'), await ask(path, '203.0.113.9')]
    const owner = await ask(path, '192.0.2.1')

    assert.deepEqual([...stranger, owner], [200, 200, 429, 200], path)
  }
})

test('a crowd of attempts from one network delays nobody elsewhere, known or not', async () => {
  const [ada, grace] = [await aClient(desk), await anAdmin(desk)]
  let answered = 0
  const crowd = Array.from({ length: 100 }, (_, at) =>
    logIn({ email: `nobody.${at}@example.com` }, { from: '203.0.113.77', password: 'guess' }).then(() => answered++)
  )
  await Promise.race(crowd)

  const statuses = await Promise.all([
    logIn(ada, { from: '192.0.2.90', password: ada.password }),
    logIn(grace, { path: '/api/admin/auth/login', from: '192.0.2.91', password: grace.password })
  ])
  const came = answered
  await Promise.all(crowd)

  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 200]
  )
  assert.ok(came < 60, `${came} of the crowd came first`)
})

test('the owner is told by e-mail, once a day, and nobody who does not exist or may not enter', async () => {
  const own = await bootDesk({ config: { TRUST_PROXY: 1, MAX_WRONG_PASSWORDS: 2 } })
  const { url } = own
  const ada = await aClient(own)
  const gone = await aClient(own, { is_active: false })
  const warned = async () =>
    (await own.deliver()).emails.filter(({ subject }) => /tries passwords/.test(subject)).map(({ to }) => to)

  await attempt(ada, 1, { url, from: '203.0.113.1' })
  const before = await warned()
  for (const network of [1, 2, 3]) await attempt(ada, 3, { url, from: `203.0.113.${network}` })
  for (const email of [gone.email, 'nobody@example.com', 'nobody'])
    await attempt({ email }, 3, { url, from: '203.0.113.4' })
  const first = await warned()
  own.clock.turn(86_400)
  await attempt(ada, 3, { url, from: '203.0.113.1' })
  const second = await warned()

  assert.deepEqual([before, first, second], [[], [ada.email], [ada.email, ada.email]])
})
