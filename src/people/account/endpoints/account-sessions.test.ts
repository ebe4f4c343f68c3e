import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/account/sessions'

async function logInFrom(person: Person, userAgent: string, door = '/api/auth/login') {
  const response = await fetch(desk.url + door, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ email: person.email, password: person.password })
  })
  return ((await response.json()) as { data: { token: string; refresh_token: string } }).data
}

test('one sees where one is logged in, and which of it is here', async () => {
  for (const [person, door] of [
    [await aClient(desk), '/api/auth/login'],
    [await aSupporter(desk), '/api/admin/auth/login']
  ] as const) {
    desk.clock.turn(60)
    const phone = await logInFrom(person, 'a phone', door)

    const { data } = await desk.post(path, phone)

    assert.deepEqual([data.count, data.total, data.page, data.limit], [2, 2, 1, 100])
    const [first, second] = data.sessions
    assert.deepEqual([first.user_agent, first.ip_address, first.current], ['a phone', '127.0.0.1', 1])
    assert.equal(first.signed_in_by, 'password')
    assert.deepEqual([second.user_agent, second.current], ['test', 0])
    assert.equal(first.created_at, first.last_used_at)
    assert.ok(first.id > second.id)
  }
})

test('renewed tokens show when and from where a session was last used', async () => {
  const ada = await aClient(desk)
  desk.clock.turn(3600)
  const { token } = (await desk.post('/api/auth/refresh', undefined, { refresh_token: ada.refresh_token })).data

  const { sessions } = (await desk.post(path, { token })).data

  assert.equal(sessions.length, 1)
  const later = Date.parse(`${sessions[0].last_used_at}Z`) - Date.parse(`${sessions[0].created_at}Z`)
  assert.ok(later >= 3_600_000, `${later}`)
})

test('a session that was ended or has faded away is not one of them', async () => {
  const ada = await aClient(desk)
  const left = await logInFrom(ada, 'left')
  await desk.post('/api/auth/logout', left)
  desk.clock.turn(30 * 86_400 + 1)
  const fresh = await logInFrom(ada, 'fresh')

  const { total, sessions } = (await desk.post(path, fresh)).data

  assert.deepEqual([total, sessions.map((each: { user_agent: string }) => each.user_agent)], [1, ['fresh']])
})

test('a client and a member of staff with the same id see their own sessions alone', async () => {
  const own = await bootDesk()
  const [ada, grace] = [await aClient(own), await aSupporter(own)]
  assert.equal(ada.id, grace.id)

  const [ofAda, ofGrace] = [(await own.post(path, ada)).data, (await own.post(path, grace)).data]

  assert.deepEqual([ofAda.total, ofGrace.total], [1, 1])
  assert.notEqual(ofAda.sessions[0].id, ofGrace.sessions[0].id)
})

test('the list comes in pages', async () => {
  const ada = await aClient(desk)
  for (let login = 0; login < 2; login++) await logInFrom(ada, `browser ${login}`)

  const first = (await desk.post(path, ada, { limit: 2 })).data
  const second = (await desk.post(path, ada, { limit: 2, page: 2 })).data

  assert.deepEqual([first.count, first.total, second.count, second.total], [2, 3, 1, 3])
  const ids = [...first.sessions, ...second.sessions].map(session => session.id)
  assert.equal(new Set(ids).size, 3)
})

test('a session tells by what one has signed in', async () => {
  const grace = await aSupporter(desk)
  const secret = await turnTwoFactorOn(desk, grace)
  const two_factor_code = codeAt(secret, desk.clock.now())
  const credentials = { email: grace.email, password: grace.password, two_factor_code }

  const { token } = (await desk.post('/api/admin/auth/login', undefined, credentials)).data

  const { sessions } = (await desk.post(path, { token })).data
  const signedInBy = sessions.map(({ signed_in_by }: { signed_in_by: string }) => signed_in_by)
  assert.deepEqual(signedInBy.toSorted(), ['code', 'password'])
})
