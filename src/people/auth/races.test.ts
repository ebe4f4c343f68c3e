import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../test/support/authenticator.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import type { Reply } from '../../../test/support/requests.ts'

const desk = await bootDesk({ connections: 10, config: { MAX_WRONG_FACTORS: 1000, MAX_WRONG_PASSWORDS: 1000 } })

function atOnce(times: number, ask: () => Promise<Reply>): Promise<number[]> {
  return Promise.all(Array.from({ length: times }, async () => (await ask()).status))
}

function count(statuses: number[], status: number): number {
  return statuses.filter(each => each === status).length
}

async function sessionsOf(population: 'client' | 'staff', id: number): Promise<number> {
  const rows = await desk.db
    .selectFrom('sessions')
    .select('id')
    .where('user_type', '=', population)
    .where('user_id', '=', id)
    .execute()
  return rows.length
}

test('one refresh token used twenty times at once gives exactly one pair', async () => {
  for (const [person, population] of [
    [await aClient(desk), 'client'],
    [await aSupporter(desk), 'staff']
  ] as const) {
    const { refresh_token } = person

    const statuses = await atOnce(20, () => desk.post('/api/auth/refresh', undefined, { refresh_token }))

    assert.deepEqual([count(statuses, 200), count(statuses, 401)], [1, 19])
    const open = await desk.db
      .selectFrom('refresh_tokens')
      .select('id')
      .where('user_type', '=', population)
      .where('user_id', '=', person.id)
      .where('is_revoked', '=', false)
      .execute()
    assert.equal(open.length, 1)
  }
})

test('one temp_token and code used twenty times at once open exactly one session', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const login = await desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })
  const body = { temp_token: login.data.temp_token, code: codeAt(secret, desk.clock.now()) }

  const statuses = await atOnce(20, () => desk.post('/api/auth/2fa/verify-login', undefined, body))

  assert.deepEqual([count(statuses, 200), count(statuses, 401)], [1, 19])
  assert.equal(await sessionsOf('client', ada.id), 2)
})

test('one code with twenty challenges at once opens exactly one session, for staff too', async () => {
  const grace = await aSupporter(desk)
  const secret = await turnTwoFactorOn(desk, grace)
  const tokens: string[] = []
  for (let login = 0; login < 20; login++) {
    const credentials = { email: grace.email, password: grace.password }
    tokens.push((await desk.post('/api/admin/auth/login', undefined, credentials)).data.temp_token)
  }
  const code = codeAt(secret, desk.clock.now())

  const statuses = await atOnce(20, () => {
    return desk.post('/api/auth/2fa/verify-login', undefined, { temp_token: tokens.pop(), code })
  })

  assert.deepEqual([count(statuses, 200), count(statuses, 401)], [1, 19])
  assert.equal(await sessionsOf('staff', grace.id), 2)
})

test('one code sent with twenty logins at once opens exactly one session', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const body = { email: ada.email, password: ada.password, two_factor_code: codeAt(secret, desk.clock.now()) }

  const statuses = await atOnce(20, () => desk.post('/api/auth/login', undefined, body))

  assert.deepEqual([count(statuses, 200), count(statuses, 401)], [1, 19])
  assert.equal(await sessionsOf('client', ada.id), 2)
})

test('twenty wrong codes at once get five tries and no more', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const { temp_token } = (await desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password }))
    .data
  const body = { temp_token, code: wrongCode(secret, desk.clock.now()) }

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => desk.post('/api/auth/2fa/verify-login', undefined, body))
  )

  const judged = replies.filter(reply => reply.body.message.includes('code'))
  assert.equal(judged.length, 5)
})

test('thirty wrong passwords at once get twenty tries and no more', async () => {
  const bounded = await bootDesk({ connections: 10 })
  const ada = await aClient(bounded)
  const body = { email: ada.email, password: 'wrong horse' }

  const statuses = await atOnce(30, () => bounded.post('/api/auth/login', undefined, body))

  assert.deepEqual([count(statuses, 401), count(statuses, 429)], [20, 10])
})

test('ten logins at once with a bare SHA-256 password all succeed, and it is hashed as it should be', async () => {
  const password = createHash('sha256').update('old secret').digest('hex')
  const ada = await aClient(desk, { password })
  const body = { email: ada.email, password: 'old secret' }

  const statuses = await atOnce(10, () => desk.post('/api/auth/login', undefined, body))

  assert.equal(count(statuses, 200), 10)
})

test('two-factor is turned on once by ten at once, and off once', async () => {
  const ada = await aClient(desk)
  const { secret } = (await desk.post('/api/auth/2fa/setup', ada)).data
  const body = { secret, code: codeAt(secret, desk.clock.now()) }

  const on = await atOnce(10, () => desk.post('/api/auth/2fa/enable', ada, body))
  const off = await atOnce(10, () => desk.post('/api/auth/2fa/disable', ada, { password: ada.password }))

  assert.deepEqual([count(on, 200), count(on, 400)], [1, 9])
  assert.deepEqual([count(off, 200), count(off, 400)], [1, 9])
})

test('an account deleted while it logs in ends in a refusal, never in a fault', async () => {
  for (let round = 0; round < 5; round++) {
    const grace = await aSupporter(desk)
    const secret = await turnTwoFactorOn(desk, grace)
    const body = { email: grace.email, password: grace.password }
    const { temp_token } = (await desk.post('/api/admin/auth/login', undefined, body)).data
    const code = codeAt(secret, desk.clock.now())

    const [verified, challenged] = await Promise.all([
      desk.post('/api/auth/2fa/verify-login', undefined, { temp_token, code }),
      desk.post('/api/admin/auth/login', undefined, body),
      desk.db.deleteFrom('staff').where('id', '=', grace.id).execute()
    ])

    assert.ok([200, 401].includes(verified.status), `verify-login answered ${verified.status}`)
    assert.ok([200, 401].includes(challenged.status), `login answered ${challenged.status}`)
    assert.equal(await sessionsOf('staff', grace.id), 0)
  }
})
