import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { makeKeys } from '../../../core/keys.ts'
import { completeChallenge } from '../../auth/challenges.ts'

const desk = await bootDesk({ connections: 10, config: { MAX_WRONG_FACTORS: 30 } })
const path = '/api/account/2fa/recovery-codes'

async function codesOf(person: Person): Promise<string[]> {
  return (await desk.post(path, person, { password: person.password })).data.recovery_codes
}

async function left(person: Person): Promise<number> {
  return (await desk.post('/api/account/profile', person)).data.profile.recovery_codes_left
}

function logIn({ email, password }: Person, two_factor_code?: string, door = '/api/auth/login') {
  return desk.post(door, undefined, { email, password, two_factor_code })
}

async function events(actor: 'client' | 'staff', id: number): Promise<string[]> {
  const { data } = await desk.post('/api/admin/audit/list', await anAdmin(desk), { actor_type: actor, actor_id: id })
  return data.entries.map((entry: { action: string }) => entry.action)
}

test('somebody with a second factor gets ten codes that differ, by password or by code, and the profile counts them', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)

  const byPassword = await desk.post(path, ada, { password: ada.password })
  const byCode = await desk.post(path, ada, { code: codeAt(secret, desk.clock.now()) }, 'form')

  assert.deepEqual([byPassword.status, byCode.status], [201, 201])
  const codes: string[] = byCode.data.recovery_codes
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10])
  for (const code of codes) assert.match(code, /^[0-9a-z]{5}-[0-9a-z]{5}$/)
  assert.equal(await left(ada), 10)
})

test('the codes are stored as digests alone', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const codes = await codesOf(ada)

  const rows = await desk.db.selectFrom('recovery_codes').where('client_id', '=', ada.id).selectAll().execute()

  assert.equal(rows.length, 10)
  for (const code of codes) assert.ok(!JSON.stringify(rows).includes(code.replace('-', '')))
})

test('without a second factor there are none, and without password or code neither: nothing is written', async () => {
  const [without, ada] = [await aClient(desk), await aClient(desk)]
  const secret = await turnTwoFactorOn(desk, ada)
  const before = await desk.rowCounts()

  const off = await desk.post(path, without, { password: without.password })
  const neither = await desk.post(path, ada, {})
  const wrongPassword = await desk.post(path, ada, { password: 'wrong horse' })
  const wrong = await desk.post(path, ada, { code: wrongCode(secret, desk.clock.now()) })

  assert.deepEqual(
    [off, neither, wrongPassword, wrong].map(({ status }) => status),
    [400, 400, 401, 401]
  )
  assert.deepEqual(neither.body.errors, ['password', 'code'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a recovery code logs in once in place of the authenticator, however it is typed', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const [first, second] = await codesOf(ada)

  const once = await logIn(ada, first)
  const twice = await logIn(ada, first)
  const typed = await logIn(ada, ` ${second!.replace('-', ' ').toUpperCase()} `)

  assert.deepEqual([once.status, twice.status, typed.status], [200, 401, 200])
  assert.deepEqual([once.data.user.id, once.data.user.recovery_codes_left], [ada.id, undefined])
  assert.equal(await left(ada), 8)
})

test('a recovery code finishes a login at 2fa/verify-login, for staff too', async () => {
  for (const [person, door] of [
    [await aClient(desk), '/api/auth/login'],
    [await aSupporter(desk), '/api/admin/auth/login']
  ] as const) {
    await turnTwoFactorOn(desk, person)
    const [code] = await codesOf(person)
    const challenge = async () => (await logIn(person, undefined, door)).data.temp_token
    const finish = async () =>
      await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token: await challenge(), code })

    const [once, twice] = [await finish(), await finish()]

    assert.deepEqual([once.status, once.data.user.id, twice.status], [200, person.id, 401])
    assert.equal(await left(person), 9)
  }
})

test('a code of somebody else is none, though client and staff have the same id', async () => {
  const own = await bootDesk()
  const [ada, grace] = [await aClient(own), await aSupporter(own)]
  assert.equal(ada.id, grace.id)
  for (const person of [ada, grace]) await turnTwoFactorOn(own, person)
  const { recovery_codes } = (await own.post(path, ada, { password: ada.password })).data

  const reply = await own.post('/api/admin/auth/login', undefined, {
    email: grace.email,
    password: grace.password,
    two_factor_code: recovery_codes[0]
  })

  assert.equal(reply.status, 401)
  assert.equal((await own.post('/api/account/profile', ada)).data.profile.recovery_codes_left, 10)
})

test('one recovery code used twenty times at once opens exactly one session', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const [code] = await codesOf(ada)
  const challenges: string[] = []
  for (let login = 0; login < 10; login++) challenges.push((await logIn(ada)).data.temp_token)

  const replies = await Promise.all([
    ...Array.from({ length: 10 }, () => logIn(ada, code)),
    ...challenges.map(temp_token => desk.post('/api/auth/2fa/verify-login', undefined, { temp_token, code }))
  ])

  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(401)])
  const sessions = await desk.db.selectFrom('sessions').select('id').where('client_id', '=', ada.id).execute()
  assert.equal(sessions.length, 2)
  assert.equal(await left(ada), 9)
})

test('a code whose login fails otherwise is not used up', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const [code] = await codesOf(ada)

  const wrong = await desk.post('/api/auth/login', undefined, {
    email: ada.email,
    password: 'wrong horse',
    two_factor_code: code
  })

  assert.equal(wrong.status, 401)
  assert.equal((await logIn(ada, code)).status, 200)
})

test('wrong recovery codes count as wrong factors: after the last even a right one is a 429 until the time is over', async () => {
  const strict = await bootDesk({ config: { MAX_WRONG_FACTORS: 3 } })
  const ada = await aClient(strict)
  await turnTwoFactorOn(strict, ada)
  const { recovery_codes } = (await strict.post(path, ada, { password: ada.password })).data
  const attempt = (two_factor_code: string) =>
    strict.post('/api/auth/login', undefined, { email: ada.email, password: ada.password, two_factor_code })

  const wrong = [await attempt('00000-00000'), await attempt('00000-00001'), await attempt('00000-00002')]
  const locked = await attempt(recovery_codes[0])
  strict.clock.turn(strict.services.config.GUESS_WINDOW_SECONDS + 1)
  const later = await attempt(recovery_codes[0])

  assert.deepEqual(
    wrong.map(({ status }) => status),
    [401, 401, 401]
  )
  assert.deepEqual([locked.status, later.status], [429, 200])
})

test('new codes void the old ones, however many are made at once', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const [old] = await codesOf(ada)

  const made = await Promise.all(Array.from({ length: 5 }, () => codesOf(ada)))

  assert.equal(await left(ada), 10)
  assert.equal((await logIn(ada, old)).status, 401)
  const works = []
  for (const [code] of made) works.push((await logIn(ada, code)).status)
  assert.deepEqual(works.sort(), [200, 401, 401, 401, 401])
})

test('turning the second factor off takes the codes along, whoever does it; turning it on again brings none back', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  for (const person of [ada, eve]) {
    await turnTwoFactorOn(desk, person)
    await codesOf(person)
  }

  await desk.post('/api/auth/2fa/disable', ada, { password: ada.password })
  await desk.db
    .updateTable('clients')
    .set({ two_factor_enabled: false, two_factor_secret: null })
    .where('id', '=', eve.id)
    .execute()
  await turnTwoFactorOn(desk, ada)

  assert.deepEqual([await left(ada), await left(eve)], [0, 0])
})

test('codes go with the account', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  for (const person of [ada, grace]) {
    await turnTwoFactorOn(desk, person)
    await codesOf(person)
  }

  await desk.db.deleteFrom('clients').where('id', '=', ada.id).execute()
  await desk.post('/api/admin/staff/delete', await anAdmin(desk), { id: grace.id })

  const rows = await desk.db
    .selectFrom('recovery_codes')
    .where(row => row.or([row('client_id', '=', ada.id), row('staff_id', '=', grace.id)]))
    .select('id')
    .execute()
  assert.deepEqual(rows, [])
})

test('codes made before a rotation of APP_SECRET work after it', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const [code] = await codesOf(ada)
  const keys = makeKeys(['the current secret of this installation', 'a secret of thirty-two characters, at least'])
  const { temp_token } = (await logIn(ada)).data

  const { account } = await completeChallenge({ ...desk.services, keys }, temp_token, code!, {
    ip: '127.0.0.1',
    userAgent: 'test',
    requestId: 'test'
  })

  assert.equal(account.id, ada.id)
})

test('second factor on, codes made, code used and second factor off are all in the audit log', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  for (const [person, door, population] of [
    [ada, '/api/auth/login', 'client'],
    [grace, '/api/admin/auth/login', 'staff']
  ] as const) {
    await turnTwoFactorOn(desk, person)
    const [code] = await codesOf(person)
    await logIn(person, code, door)
    await desk.post('/api/auth/2fa/disable', person, { password: person.password })

    assert.deepEqual(await events(population, person.id), [
      'two_factor.disabled',
      ...(population === 'staff' ? ['staff.signed_in'] : []),
      'recovery_code.used',
      'recovery_codes.made',
      'two_factor.enabled'
    ])
  }
})
