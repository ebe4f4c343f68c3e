import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { makePasswords } from '../../../platform/secrets/passwords.ts'

const desk = await bootDesk()
const path = '/api/auth/login'

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function storedPassword(id: number): Promise<string> {
  const client = await desk.db.selectFrom('clients').select('password').where('id', '=', id).executeTakeFirstOrThrow()
  return client.password
}

test('login answers a pair of tokens and the client, with the fields of the contract and no others', async () => {
  const ada = await aClient(desk, {
    phone_number: '+14155550123',
    company_name: 'Analytical Engines',
    street_address: '12 St James Square',
    street_address_2: 'Second floor',
    city: 'London',
    state: 'Greater London',
    postcode: 'SW1Y 4JH',
    is_email_verified: true
  })

  const reply = await desk.post(path, undefined, { email: ada.email, password: ada.password })

  assert.equal(reply.status, 200)
  const { token, refresh_token, ...rest } = reply.data
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  assert.ok(refresh_token.length >= 40)
  assert.deepEqual(rest, {
    expires_in: 86400,
    token_type: 'Bearer',
    user: {
      id: ada.id,
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: ada.email,
      phone_number: '+14155550123',
      company_name: 'Analytical Engines',
      street_address: '12 St James Square',
      city: 'London',
      state: 'Greater London',
      postcode: 'SW1Y 4JH',
      two_factor_enabled: 0,
      is_email_verified: 1,
      is_phone_verified: 0
    }
  })
})

test('the token of a login opens what is for users, and its refresh token is recorded as a digest', async () => {
  const ada = await aClient(desk)

  const { data } = await desk.post(path, undefined, { email: ada.email, password: ada.password })

  assert.equal((await desk.post('/api/auth/2fa/setup', data)).status, 200)
  const records = await desk.db.selectFrom('refresh_tokens').selectAll().where('user_id', '=', ada.id).execute()
  const record = records.at(-1)!
  assert.deepEqual([record.user_type, record.is_revoked, record.ip_address], ['client', false, '127.0.0.1'])
  assert.notEqual(record.token, data.refresh_token)
})

test('the e-mail address is read in any case and with blanks around it, in any body type', async () => {
  const ada = await aClient(desk)
  const email = ` ${ada.email.toUpperCase()} `

  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const reply = await desk.post(path, undefined, { email, password: ada.password }, encoding)

    assert.equal(reply.status, 200)
    assert.equal(reply.data.user.email, ada.email)
  }
})

test('a wrong password, an unknown and a malformed e-mail address are the same 401 and open nothing', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  const wrong = await desk.post(path, undefined, { email: ada.email, password: 'wrong horse' })
  const unknown = await desk.post(path, undefined, { email: 'nobody@example.com', password: ada.password })
  const malformed = await desk.post(path, undefined, { email: 'ada', password: ada.password })

  assert.equal(wrong.status, 401)
  assert.match(wrong.body.message, /Invalid e-?mail or password/i)
  assert.deepEqual(unknown.body, wrong.body)
  assert.deepEqual(malformed.body, wrong.body)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a password is compared to the letter: blanks and case count', async () => {
  const ada = await aClient(desk)

  for (const password of [`${ada.password} `, ` ${ada.password}`, ada.password.toUpperCase()]) {
    assert.equal((await desk.post(path, undefined, { email: ada.email, password })).status, 401)
  }
})

test('the stored form of a password is no password', async () => {
  const hashed = await aClient(desk)
  const bare = await aClient(desk, { password: sha256('correct horse') })

  for (const { id, email } of [hashed, bare]) {
    const reply = await desk.post(path, undefined, { email, password: await storedPassword(id) })

    assert.equal(reply.status, 401)
  }
})

test('the password of an unknown address is judged as well, so that it takes the same time', async () => {
  const passwords = makePasswords()
  const judged: (string | undefined)[] = []
  const watched = await bootDesk({
    services: {
      passwords: {
        ...passwords,
        fits(password, stored) {
          judged.push(stored)
          return passwords.fits(password, stored)
        }
      }
    }
  })

  await watched.post(path, undefined, { email: 'nobody@example.com', password: 'correct horse' })
  await watched.post(path, undefined, { email: 'malformed', password: 'correct horse' })

  assert.deepEqual(judged, [undefined, undefined])
})

test('an inactive account is told so, but only to somebody who knows the password', async () => {
  const ada = await aClient(desk, { is_active: false })
  const before = await desk.rowCounts()

  const right = await desk.post(path, undefined, { email: ada.email, password: ada.password })
  const wrong = await desk.post(path, undefined, { email: ada.email, password: 'wrong horse' })

  assert.deepEqual([right.status, wrong.status], [403, 401])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('staff do not log in among clients', async () => {
  const grace = await aSupporter(desk)

  const reply = await desk.post(path, undefined, { email: grace.email, password: grace.password })

  assert.equal(reply.status, 401)
})

test('a row with a bare SHA-256 digest logs in, and is hashed as it should be from then on', async () => {
  for (const digest of [sha256('old secret'), sha256('old secret').toUpperCase()]) {
    const ada = await aClient(desk, { password: digest })

    const wrong = await desk.post(path, undefined, { email: ada.email, password: 'other secret' })
    const kept = await storedPassword(ada.id)
    const first = await desk.post(path, undefined, { email: ada.email, password: 'old secret' })
    const upgraded = await storedPassword(ada.id)
    const second = await desk.post(path, undefined, { email: ada.email, password: 'old secret' })

    assert.deepEqual([wrong.status, kept], [401, digest])
    assert.equal(first.status, 200)
    assert.match(upgraded, /^\$argon2id\$/)
    assert.equal(second.status, 200)
  }
})

test('a code is ignored while the second factor is off', async () => {
  const ada = await aClient(desk)

  const body = { email: ada.email, password: ada.password, two_factor_code: '000000' }
  const reply = await desk.post(path, undefined, body)

  assert.equal(reply.status, 200)
  assert.ok(reply.data.token)
})

test('with the second factor on and no code, login answers a challenge and opens nothing', async () => {
  const ada = await aClient(desk)
  await turnTwoFactorOn(desk, ada)
  const before = await desk.rowCounts()

  for (const two_factor_code of [undefined, '', '  ', null]) {
    const reply = await desk.post(path, undefined, { email: ada.email, password: ada.password, two_factor_code })

    assert.equal(reply.status, 200)
    assert.deepEqual(Object.keys(reply.data), ['requires_2fa', 'temp_token', 'email'])
    assert.deepEqual([reply.data.requires_2fa, reply.data.email], [1, ada.email])
  }
  const after = await desk.rowCounts()
  assert.equal(after.sessions, before.sessions)
})

test('with the second factor on, a wrong password is the same 401, with a right code too', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)

  const two_factor_code = codeAt(secret, desk.clock.now())
  const reply = await desk.post(path, undefined, { email: ada.email, password: 'wrong horse', two_factor_code })

  assert.equal(reply.status, 401)
  assert.match(reply.body.message, /password/)
})

test('with the second factor on, a valid code logs in at once', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)

  const two_factor_code = codeAt(secret, desk.clock.now())
  const reply = await desk.post(path, undefined, { email: ada.email, password: ada.password, two_factor_code })

  assert.equal(reply.status, 200)
  assert.equal(reply.data.user.two_factor_enabled, 1)
  assert.ok(reply.data.token)
  assert.ok(!JSON.stringify(reply.body).includes(secret))
})

test('a wrong or malformed code is a 401 with words of its own, and opens nothing', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const before = await desk.rowCounts()

  for (const two_factor_code of [
    wrongCode(secret, desk.clock.now()),
    '12',
    'abcdef',
    '12345é',
    '12345678901234567890'
  ]) {
    const reply = await desk.post(path, undefined, { email: ada.email, password: ada.password, two_factor_code })

    assert.equal(reply.status, 401)
    assert.equal(reply.body.message, 'Invalid 6-digit authenticator code')
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a code that logged somebody in does so no more, nor does an earlier one; the next one does', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const now = desk.clock.now()
  const logIn = async (two_factor_code: string) => {
    return (await desk.post(path, undefined, { email: ada.email, password: ada.password, two_factor_code })).status
  }

  const first = await logIn(codeAt(secret, now))
  const again = await logIn(codeAt(secret, now))
  const earlier = await logIn(codeAt(secret, now, -1))
  const next = await logIn(codeAt(secret, now, 1))

  assert.deepEqual([first, again, earlier, next], [200, 401, 401, 200])
})

test('missing fields are named at once, and a code that is no text is refused', async () => {
  const missing = await desk.post(path, undefined, { email: ' ' })
  const number = await desk.post(path, undefined, { email: 'a@b.cd', password: 'secret', two_factor_code: 123456 })

  assert.deepEqual([missing.status, missing.body.errors], [400, ['email', 'password']])
  assert.deepEqual([number.status, number.body.errors], [400, ['two_factor_code']])
})
