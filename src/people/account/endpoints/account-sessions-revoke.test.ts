import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anApiToken } from '../../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const path = '/api/account/sessions/revoke'

async function anotherLogin({ email, password }: Person, door = '/api/auth/login') {
  return (await desk.post(door, undefined, { email, password })).data as { token: string; refresh_token: string }
}

async function sessionId(asker: { token: string }): Promise<number> {
  const { sessions } = (await desk.post('/api/account/sessions', asker)).data
  return sessions.find((session: { current: number }) => session.current === 1).id
}

async function isIn(asker: { token: string }): Promise<boolean> {
  return (await desk.post('/api/account/profile', asker)).status === 200
}

test('a session that is ended by its id is out at once, with both its tokens, and no other', async () => {
  for (const [person, door] of [
    [await aClient(desk), '/api/auth/login'],
    [await aSupporter(desk), '/api/admin/auth/login']
  ] as const) {
    const other = await anotherLogin(person, door)

    const reply = await desk.post(path, person, { id: await sessionId(other) })

    assert.deepEqual([reply.status, reply.data], [200, { sessions_ended: 1 }])
    assert.deepEqual([await isIn(person), await isIn(other)], [true, false])
    const { status } = await desk.post('/api/auth/refresh', undefined, { refresh_token: other.refresh_token })
    assert.equal(status, 401)
  }
})

test('all others end at once and this one stays', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const others = [await anotherLogin(ada), await anotherLogin(ada)]

  const reply = await desk.post(path, ada, { others: 1 }, 'form')
  const again = await desk.post(path, ada, { others: 1 })

  assert.deepEqual([reply.data, again.data], [{ sessions_ended: 2 }, { sessions_ended: 0 }])
  assert.deepEqual(await Promise.all([ada, eve, ...others].map(isIn)), [true, true, false, false])
})

test('a program that logs in for each request can be ended, however many sessions it has opened in a month', async () => {
  const ada = await aClient(desk)
  await sql`insert into sessions (user_type, user_id) select 'client', ${ada.id} from generate_series(1, 66000)`.execute(
    desk.db
  )

  const reply = await desk.post(path, ada, { others: 1 })

  assert.deepEqual([reply.status, reply.data], [200, { sessions_ended: 66_000 }], JSON.stringify(reply.body))
})

test('one may end this very session', async () => {
  const ada = await aClient(desk)

  const reply = await desk.post(path, ada, { id: await sessionId(ada) })

  assert.equal(reply.status, 200)
  assert.equal(await isIn(ada), false)
})

test('somebody else’s session, an ended one and none at all are the same 404', async () => {
  const [ada, eve, grace] = [await aClient(desk), await aClient(desk), await aSupporter(desk)]
  const ended = await anotherLogin(ada)
  const endedId = await sessionId(ended)
  await desk.post('/api/auth/logout', ended)

  const before = await desk.rowCounts()
  for (const id of [await sessionId(eve), await sessionId(grace), endedId, 987_654_321]) {
    const reply = await desk.post(path, ada, { id })

    assert.deepEqual([reply.status, reply.body.message], [404, 'You have no such session'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.deepEqual([await isIn(eve), await isIn(grace)], [true, true])
})

test('neither and both are a 400 that names both', async () => {
  const ada = await aClient(desk)
  const other = await anotherLogin(ada)

  for (const body of [{}, { others: 0 }, { id: await sessionId(other), others: 1 }]) {
    const reply = await desk.post(path, ada, body)

    assert.deepEqual([reply.status, reply.body.errors], [400, ['id', 'others']], JSON.stringify(body))
  }
  assert.ok(await isIn(other))
})

test('sessions that end one another at once leave at most one, and nobody waits for ever', async () => {
  const ada = await aClient(desk)
  const logins = [ada, ...(await Promise.all(Array.from({ length: 5 }, () => anotherLogin(ada))))]

  const replies = await Promise.all(logins.map(login => desk.post(path, login, { others: 1 })))

  assert.ok(replies.every(({ status }) => status === 200 || status === 401))
  assert.ok(replies.some(({ status }) => status === 200))
  const left = await Promise.all(logins.map(isIn))
  assert.ok(left.filter(Boolean).length <= 1)
})

test('what was ended is in the audit log', async () => {
  const ada = await aClient(desk)
  const [one] = [await anotherLogin(ada), await anotherLogin(ada)]
  const id = await sessionId(one)
  await desk.post(path, ada, { id })
  await desk.post(path, ada, { others: 1 })

  const { data } = await desk.post('/api/admin/audit', await anAdmin(desk), {
    target_type: 'client',
    target_id: ada.id
  })

  assert.deepEqual(
    data.entries.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [
      ['sessions.revoked', { sessions_ended: 1 }],
      ['session.revoked', { session_id: id }]
    ]
  )
})

test('an API token is no session: it ends among the tokens alone', async () => {
  const ada = await aClient(desk)
  const { token, api_token } = await anApiToken(desk, ada)

  const one = await desk.post(path, ada, { id: api_token.id })
  const others = await desk.post(path, ada, { others: 1 })

  assert.deepEqual([one.status, one.body.reason, others.data], [404, 'session_not_found', { sessions_ended: 0 }])
  assert.equal(await isIn({ token }), true)
})
