import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const secure = await bootDesk({ config: { BASE_URL: 'https://desk.example.com' } })
const logIns = { client: '/api/auth/login', staff: '/api/admin/auth/login' }

interface Asked {
  as?: 'client' | 'staff'
  cookie?: string
  headers?: Record<string, string>
  token?: string
  at?: typeof desk
}

/** Sends a request as our pages do; `cookie` is what the browser has. */
async function ask(path: string, body: object, { as = 'client', cookie, headers, token, at = desk }: Asked = {}) {
  const answer = await fetch(at.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      'x-deskline-session': as,
      'sec-fetch-site': 'same-origin',
      origin: at.url,
      ...(cookie ? { cookie } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers
    }
  })
  const [set] = answer.headers.getSetCookie()
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const { data, ...envelope } = (await answer.json()) as any
  return { status: answer.status, data, envelope, set, cookie: set?.split(';', 1)[0] ?? '' }
}

async function logIn(person: Person, asked: Asked = {}) {
  return await ask(logIns[asked.as ?? 'client'], { email: person.email, password: person.password }, asked)
}

async function refresh(cookie: string | undefined, asked: Asked = {}) {
  return await ask('/api/auth/refresh', {}, { ...asked, cookie })
}

async function isIn(token: string): Promise<boolean> {
  return (await desk.post('/api/account/profile', { token })).status === 200
}

test('a page that asks is given the refresh token in a cookie that no script reads, and not in the answer', async () => {
  const [ada, grace] = [await aClient(desk), await anAdmin(desk)]
  const [client, staff] = [await logIn(ada), await logIn(grace, { as: 'staff' })]

  for (const [{ set, data }, name] of [
    [client, 'deskline-client'],
    [staff, 'deskline-staff']
  ] as const) {
    assert.match(set!, new RegExp(`^${name}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`))
    assert.deepEqual(Object.keys(data), ['token', 'expires_in', 'token_type', 'user'])
    assert.ok(await isIn(data.token))
  }
})

test('over HTTPS the cookie is of this host alone, and the one of unencrypted days is not read', async () => {
  const ada = await aClient(secure)
  const page = { at: secure, headers: { origin: 'https://desk.example.com' } }
  const { set, cookie } = await logIn(ada, page)

  assert.match(set!, /^__Host-deskline-client=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  const renewed = await refresh(cookie, page)
  assert.equal(renewed.status, 200)
  const plain = renewed.cookie.replace('__Host-', '')
  assert.deepEqual((await refresh(plain, page)).data, { signed_in: 0 })
})

test('the second factor gives it as well, and its first step does not', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  desk.clock.turn(30)

  const first = await logIn(ada)
  const second = await ask('/api/auth/2fa/verify-login', {
    temp_token: first.data.temp_token,
    code: codeAt(secret, desk.clock.now())
  })

  assert.equal(first.set, undefined)
  assert.match(second.set!, /^deskline-client=/)
  assert.equal('refresh_token' in second.data, false)
})

test('a renewal goes on with the cookie, tells whose session it is, and the cookie before is used up', async () => {
  const ada = await aClient(desk)
  const { cookie, data } = await logIn(ada)

  const renewed = await refresh(cookie)

  assert.deepEqual(Object.keys(renewed.data), ['token', 'expires_in', 'token_type', 'user'])
  assert.deepEqual(renewed.data.user, data.user)
  assert.ok(await isIn(renewed.data.token))
  assert.notEqual(renewed.cookie, cookie)
  desk.clock.turn(31)
  const stolen = await refresh(cookie)
  assert.deepEqual([stolen.status, stolen.set], [401, 'deskline-client=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'])
  assert.equal(await isIn(renewed.data.token), false)
})

test('a renewal whose answer is lost, or that two windows ask for at once, is answered alike and ends nothing', async () => {
  const { cookie } = await logIn(await aClient(desk))

  const renewals = await Promise.all(Array.from({ length: 8 }, () => refresh(cookie)))
  const late = await refresh(cookie)

  assert.deepEqual(new Set([...renewals, late].map(({ status }) => status)), new Set([200]))
  assert.equal(new Set([...renewals, late].map(({ cookie }) => cookie)).size, 1)
  desk.clock.turn(31)
  const next = await refresh(late.cookie)
  assert.equal(next.status, 200)
  assert.ok(await isIn(next.data.token))
})

test('such an answer is given to pages alone: a program that shows the token again is refused as ever', async () => {
  const { cookie } = await logIn(await aClient(desk))
  const token = cookie.split('=')[1]!
  await refresh(cookie)

  const again = await desk.post('/api/auth/refresh', undefined, { refresh_token: token })

  assert.deepEqual([again.status, again.headers.get('set-cookie')], [401, null])
})

test('where there is no cookie nobody is signed in, which is no failure', async () => {
  const { status, data, set } = await refresh(undefined)

  assert.deepEqual([status, data, set], [200, { signed_in: 0 }, undefined])
})

test('a customer and a member of staff are signed in in one browser, and sign out apart', async () => {
  const [client, staff] = [await logIn(await aClient(desk)), await logIn(await anAdmin(desk), { as: 'staff' })]
  const both = `${client.cookie}; ${staff.cookie}`

  const out = await ask('/api/auth/logout', {}, { cookie: both })

  assert.match(out.set!, /^deskline-client=; Max-Age=0; /)
  assert.deepEqual([await isIn(client.data.token), await isIn(staff.data.token)], [false, true])
  const renewed = await refresh(both, { as: 'staff' })
  assert.match(renewed.set!, /^deskline-staff=/)
})

test('signing out ends the session of the cookie also when the access token has expired, and can be repeated', async () => {
  const { cookie } = await logIn(await aClient(desk))
  desk.clock.turn(86_401)
  const asked = { cookie, headers: { 'idempotency-key': 'goodbye' } }

  const replies = [await ask('/api/auth/logout', {}, asked), await ask('/api/auth/logout', {}, asked)]

  assert.deepEqual(
    replies.map(({ status, set }) => [status, set?.startsWith('deskline-client=; Max-Age=0')]),
    [
      [200, true],
      [200, true]
    ]
  )
  assert.equal((await refresh(cookie)).status, 401)
})

test('a bearer that signs out with a key has its cookie taken away, and the answer can be kept', async () => {
  const { cookie, data } = await logIn(await aClient(desk))

  const out = await ask('/api/auth/logout', {}, { cookie, token: data.token, headers: { 'idempotency-key': 'bye' } })

  assert.deepEqual([out.status, out.cookie, await isIn(data.token)], [200, 'deskline-client=', false])
})

test('who signs in where somebody else was ends the session that is replaced, but none of the other population', async () => {
  const [ada, eve, grace] = [await aClient(desk), await aClient(desk), await anAdmin(desk)]
  const first = await logIn(ada)
  const staff = await logIn(grace, { as: 'staff', cookie: first.cookie })
  assert.ok(await isIn(first.data.token))

  const second = await logIn(eve, { cookie: `${first.cookie}; ${staff.cookie}` })

  assert.deepEqual(
    [await isIn(first.data.token), await isIn(second.data.token), await isIn(staff.data.token)],
    [false, true, true]
  )
})

test('a page of elsewhere is refused, whatever it says, and nothing is written', async () => {
  const ada = await aClient(desk)
  const { cookie } = await logIn(ada)
  const before = await desk.rowCounts()

  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: desk.url.replace('127.0.0.1', '127.0.0.2') },
    { origin: `${desk.url}0` },
    { 'x-deskline-session': 'robot' }
  ]
  for (const headers of foreign) {
    const replies = [
      await logIn(ada, { headers }),
      await refresh(cookie, { headers }),
      await ask('/api/auth/logout', {}, { cookie, headers }),
      await ask('/api/auth/2fa/verify-login', { temp_token: 'a', code: '1' }, { headers })
    ]
    for (const { status, envelope, set } of replies) {
      const refusal = 'x-deskline-session' in headers ? [400, 'invalid_fields'] : [403, 'foreign_page']
      assert.deepEqual([status, envelope.reason, set], [...refusal, undefined], JSON.stringify(headers))
    }
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await refresh(cookie)).status, 200)
})

test('the page may be at BASE_URL though a proxy tells another host', async () => {
  const ada = await aClient(secure)

  const { status } = await logIn(ada, { at: secure, headers: { origin: 'https://desk.example.com' } })

  assert.equal(status, 200)
})

test('without the header nothing is read of a cookie and none is given', async () => {
  const ada = await aClient(desk)
  const { cookie, data } = await logIn(ada)
  const plain = async (path: string, body: object, token?: string) => {
    const headers = { cookie, 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(desk.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.deepEqual(answer.headers.getSetCookie(), [], path)
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    return (await answer.json()) as any
  }

  const login = await plain('/api/auth/login', { email: ada.email, password: ada.password })
  const renewal = await plain('/api/auth/refresh', {})
  await plain('/api/auth/logout', {})

  assert.deepEqual(Object.keys(login.data), ['token', 'refresh_token', 'expires_in', 'token_type', 'user'])
  assert.deepEqual([renewal.code, renewal.errors], [400, ['refresh_token']])
  assert.ok(await isIn(data.token))
})
