import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { bootPasskeysDesk } from '../../../test/support/passkeys-desk.ts'
import { aClient, aSupporter, type Person } from '../../../test/support/people.ts'
import { aPasskey, made, signed, signInWith } from '../../../test/support/software-authenticator.ts'

const { desk, own, optionsFor, registered, eventsOf } = await bootPasskeysDesk()
const staffDoor = '/api/admin/auth/passkey'

test('W1: options and verification name the host and the origin of BASE_URL, whatever the request says', async () => {
  const ada = await aClient(desk)
  const headers = { authorization: `Bearer ${ada.token}`, host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const response = await fetch(`${desk.url}${own}/options`, { method: 'POST', headers })
  const { data } = JSON.parse(await response.text())

  assert.equal(data.options.rp.id, 'localhost')
  for (const wrongs of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
    const { options, challenge_id } = await optionsFor(ada)
    const reply = await desk.post(`${own}/register`, ada, { challenge_id, ...made(options, wrongs) })
    assert.deepEqual([reply.status, reply.body.reason], [400, 'passkey_refused'])
  }
  const passkey = await aPasskey(desk, ada)
  for (const wrongs of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
    assert.equal((await signInWith(desk, passkey, wrongs)).body.reason, 'invalid_passkey')
  }
})

test('W1: at an IP address, or by http elsewhere than on localhost, there are no passkeys, and it is said why', async () => {
  for (const [BASE_URL, why] of [
    ['https://192.0.2.7', /runs at an IP address/],
    ['https://[2001:db8::1]:8443', /runs at an IP address/],
    ['http://desk.example', /begins with http:/]
  ] as const) {
    const elsewhere = await bootDesk({ config: { BASE_URL } })
    const ada = await aClient(elsewhere)

    const list = await elsewhere.post(`${own}/list`, ada)
    const refused = [await elsewhere.post(`${own}/options`, ada), await elsewhere.post('/api/auth/passkey/options')]

    assert.match(list.data.unavailable_reason, why)
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.reason], [409, 'passkeys_unavailable'])
      assert.match(body.message, why)
    }
  }
})

test('W2: a passkey signs in without e-mail, password and code, also where two-factor authentication is on', async () => {
  for (const [person, door, kind] of [
    [await aClient(desk), '/api/auth/passkey', 'client'],
    [await aSupporter(desk), staffDoor, 'staff']
  ] as const) {
    await turnTwoFactorOn(desk, person)
    const passkey = await aPasskey(desk, person)

    const { status, data } = await signInWith(desk, passkey, { door })

    assert.deepEqual([status, data.user.id, data.user.user_type ?? 'client'], [200, person.id, kind])
    const sessions = (await desk.post('/api/account/sessions', data)).data.sessions
    assert.equal(sessions.find((session: { current: number }) => session.current).signed_in_by, 'passkey')
  }
})

test('W2: what the authenticator has not verified with its owner signs nobody in and is not registered', async () => {
  const ada = await aClient(desk)
  const passkey = await aPasskey(desk, ada)
  const { options, challenge_id } = await optionsFor(ada)

  const refused = await desk.post(`${own}/register`, ada, { challenge_id, ...made(options, { isUnverified: true }) })

  assert.equal(options.authenticatorSelection.residentKey, 'required')
  assert.equal(options.authenticatorSelection.userVerification, 'required')
  assert.equal(refused.status, 400)
  assert.equal((await signInWith(desk, passkey, { isUnverified: true })).status, 401)
})

test('W2: a passkey of a client does not sign in among staff, nor one of staff among clients', async () => {
  const ofClient = await aPasskey(desk, await aClient(desk))
  const ofStaff = await aPasskey(desk, await aSupporter(desk))

  assert.equal((await signInWith(desk, ofClient, { door: staffDoor })).body.reason, 'invalid_passkey')
  assert.equal((await signInWith(desk, ofStaff)).body.reason, 'invalid_passkey')
})

test('W2: where staff need a second factor, a sign-in by passkey counts as one', async () => {
  const grace = await aSupporter(desk)
  const passkey = await aPasskey(desk, grace)
  await desk.db.insertInto('desk_settings').values({ name: 'require_staff_2fa', value: '1' }).execute()

  const byPassword = await desk.post('/api/account/signature', grace)
  const { data } = await signInWith(desk, passkey, { door: staffDoor })
  const profile = await desk.post('/api/account/profile', data)
  await desk.db.deleteFrom('desk_settings').execute()

  assert.equal(byPassword.status, 403)
  assert.equal(profile.data.profile.must_enable_2fa, 0)
})

test('W2: a signature of another key, or of another account’s passkey, signs nobody in', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const [mine, hers] = [await aPasskey(desk, ada), await aPasskey(desk, eve)]

  const otherKey = await signInWith(desk, { ...mine, key: hers.key })
  const otherOwner = await signInWith(desk, { ...mine, handle: hers.handle })

  assert.deepEqual([otherKey.status, otherOwner.status], [401, 401])
})

test('W2: a deactivated account stays out, and hears so only with its own passkey', async () => {
  const ada = await aClient(desk)
  const passkey = await aPasskey(desk, ada)
  await desk.db.updateTable('clients').set({ is_active: false }).where('id', '=', ada.id).execute()

  assert.equal((await signInWith(desk, passkey)).body.reason, 'account_inactive')
})

test('W3, W7: a passkey is added within ten minutes of a sign-in, later with the password or a code', async () => {
  const later = await bootDesk()
  const ada = await aClient(later)
  await aPasskey(later, ada, 'at once')
  later.clock.turn(601)
  const register = async (proof: object) => {
    const { options, challenge_id } = (await later.post(`${own}/options`, ada)).data
    return await later.post(`${own}/register`, ada, { challenge_id, ...made(options), ...proof })
  }

  const without = await register({})
  const wrong = await register({ password: 'not this' })
  const right = await register({ password: ada.password })

  assert.deepEqual([without.status, without.body.reason], [403, 'fresh_sign_in_required'])
  assert.deepEqual([wrong.status, wrong.body.reason], [401, 'wrong_password'])
  assert.equal(right.status, 201)
  const { data } = await signInWith(later, await aPasskey(later, { ...ada, ...(await freshly(later, ada)) }))
  assert.ok(data.token)
})

async function freshly({ post }: typeof desk, { email, password }: Person) {
  return (await post('/api/auth/login', undefined, { email, password })).data
}

test('W3: a challenge works once, for five minutes, and only for what and whom it was issued', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const passkey = await aPasskey(desk, ada)
  const signIn = async () => (await desk.post('/api/auth/passkey/options')).data
  const verify = (challenge_id: number, options: { challenge: string }) =>
    desk.post('/api/auth/passkey/verify', undefined, { challenge_id, response: signed(passkey, options) })

  const used = await signIn()
  const at = { challenge_id: used.challenge_id, response: signed(passkey, used.options) }
  const both = await Promise.all([1, 2].map(() => desk.post('/api/auth/passkey/verify', undefined, at)))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401])

  const other = await signIn()
  assert.equal((await verify(other.challenge_id, used.options)).status, 401)
  assert.equal((await verify(other.challenge_id, other.options)).status, 200)

  const hers = await optionsFor(eve)
  const stolen = await desk.post(`${own}/register`, ada, { challenge_id: hers.challenge_id, ...made(hers.options) })
  assert.equal(stolen.status, 400)
  assert.equal((await verify(hers.challenge_id, hers.options)).status, 401)

  const late = await signIn()
  desk.clock.turn(301)
  assert.equal((await verify(late.challenge_id, late.options)).status, 401)
})

test('W3: the options of a sign-in name no account and no passkey', async () => {
  const ada = await aClient(desk)
  await aPasskey(desk, ada)

  const { data } = await desk.post('/api/auth/passkey/options', undefined, { email: ada.email })

  assert.deepEqual(data.options.allowCredentials ?? [], [])
  assert.equal(JSON.stringify(data).includes(ada.email), false)
})

test('W4: a counter that stays at zero is fine, one that goes back is refused, audited, told, and blocks the passkey', async () => {
  const ada = await aClient(desk)
  const uncounted = await aPasskey(desk, ada, 'never counts')
  const counted = await aPasskey(desk, ada, 'counts', 3)

  assert.deepEqual([(await signInWith(desk, uncounted)).status, (await signInWith(desk, uncounted)).status], [200, 200])
  assert.equal((await signInWith(desk, counted, { counter: 7 })).status, 200)
  const back = await signInWith(desk, counted, { counter: 7 })
  const forward = await signInWith(desk, counted, { counter: 50 })

  assert.deepEqual([back.body.reason, forward.body.reason], ['passkey_blocked', 'passkey_blocked'])
  assert.ok((await eventsOf(ada)).includes('passkey.blocked'))
  const { emails } = await desk.deliver()
  assert.equal(emails.filter(mail => mail.to === ada.email && /passkeys is blocked/.test(mail.subject)).length, 1)
  const list = await registered(ada)
  assert.deepEqual(
    list.map((each: { is_blocked: number }) => each.is_blocked),
    [0, 1]
  )
})

test('W4: of two sign-ins at once with one counter, one succeeds', async () => {
  const ada = await aClient(desk)
  const passkey = await aPasskey(desk, ada, 'counts', 1)

  const replies = await Promise.all([1, 2].map(() => signInWith(desk, { ...passkey }, { counter: 2 })))

  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401])
})
