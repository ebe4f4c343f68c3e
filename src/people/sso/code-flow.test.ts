import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import {
  anIdentityProvider,
  aProvider,
  begun,
  ended,
  signedInBy,
  whoIs
} from '../../../test/support/identity-provider.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { bootSignOnDesk } from '../../../test/support/sign-on-desk.ts'

const { desk, admin, twin, clients, makers, staff, says } = await bootSignOnDesk()
const verified = { is_email_verified: true }

test('O7: a second sign-in in another tab does not end the first; there are at most eight of one browser', async () => {
  const { slug } = clients
  says((await aClient(desk, verified)).email)
  const [first, second] = [await begun(desk, slug), await begun(desk, slug)]
  const both = `${first.cookie}; ${second.cookie}`

  const end = await ended(desk, slug, both, first.answer)
  assert.equal(end.error, null)
  // What ends is the cookie of this one alone.
  const gone = end.cookies.filter(each => /Max-Age=0/.test(each)).map(each => each.split('=')[0])
  assert.deepEqual(gone, [first.cookie.split('=')[0]])
  assert.equal((await ended(desk, slug, both, second.answer)).error, null)

  const many = Array.from({ length: 8 }, (_, number) => `deskline-sso-attempt-${number}=x`)
  const headers = { cookie: many.join('; ') }
  const response = await fetch(`${desk.url}/api/sso/${slug}/start`, { redirect: 'manual', headers })
  const [begins, ...ends] = response.headers.getSetCookie()
  assert.match(begins!, /^deskline-sso-attempt-[0-9a-f]{16}=[^;]{20,}/)
  assert.deepEqual(
    ends.map(each => [each.split('=')[0], /Max-Age=0/.test(each)]),
    [['deskline-sso-attempt-0', true]]
  )
})

test('O7: state works once, with the cookie of its browser and at its provider alone', async () => {
  const ada = await aClient(desk, verified)
  says(ada.email)
  const one = await begun(desk, clients.slug)
  const two = await begun(desk, clients.slug)

  assert.match(one.setCookies[0]!, /HttpOnly; SameSite=Lax|SameSite=Lax/)
  assert.deepEqual(
    [one.asked.get('code_challenge_method'), one.asked.get('redirect_uri')],
    ['S256', `http://localhost:3000/api/sso/${clients.slug}/callback`]
  )
  assert.equal((await ended(desk, clients.slug, two.cookie, one.answer)).error, 'expired')
  assert.equal((await ended(desk, clients.slug, '', one.answer)).error, 'expired')
  assert.equal((await ended(desk, makers.slug, one.cookie, one.answer)).error, 'expired')
  const right = await ended(desk, clients.slug, one.cookie, one.answer)
  assert.equal(right.error, null)
  assert.equal((await ended(desk, clients.slug, one.cookie, one.answer)).error, 'expired')
  const both = await Promise.all([1, 2].map(() => ended(desk, clients.slug, two.cookie, two.answer)))
  assert.deepEqual(both.map(({ error }) => error).toSorted(), ['expired', null])
  const late = await begun(desk, clients.slug)
  desk.clock.turn(601)
  assert.equal((await ended(desk, clients.slug, late.cookie, late.answer)).error, 'expired')
})

test('O7: the desk proves who it is by HTTP Basic, and in the body where a provider takes nothing else', async () => {
  const ada = await aClient(desk, verified)
  const other = await anIdentityProvider()
  other.clientAuthentication = ['client_secret_post']
  const byBody = await aProvider(desk, admin, other)
  says(ada.email)
  other.claims = { sub: 'ada', email: ada.email, email_verified: true }
  for (const [provider, slug] of [
    [twin, clients.slug],
    [other, byBody.slug]
  ] as const) {
    const { cookie, answer } = await begun(desk, slug)
    assert.equal((await ended(desk, slug, cookie, answer)).error, null)
    assert.ok(provider.authorization)
  }
  assert.match(twin.authorization!, /^Basic /)
  assert.doesNotMatch(other.authorization!, /^Basic /)
})

test('O7, O12, O13: a token with a wrong iss, aud, nonce, time, signature or algorithm signs nobody in, nor a swapped subject', async () => {
  const ada = await aClient(desk, verified)
  const past = Math.floor(Date.now() / 1000) - 120
  const wrongs: [string, () => void][] = [
    ['iss', () => Object.assign(twin.claims, { iss: 'https://evil.example' })],
    ['aud', () => Object.assign(twin.claims, { aud: 'somebody-else' })],
    ['nonce', () => Object.assign(twin.claims, { nonce: 'another' })],
    ['late', () => Object.assign(twin.claims, { exp: past, iat: past - 300 })],
    ['none', () => Object.assign(twin.header, { alg: 'none' })],
    ['HS256', () => Object.assign(twin.header, { alg: 'HS256' })],
    ['forged', () => Object.assign(twin, { isForged: true })],
    [
      'swapped',
      () => Object.assign(twin, { userInfo: { sub: 'somebody else', email: ada.email, email_verified: true } })
    ]
  ]
  for (const [name, spoil] of wrongs) {
    says(ada.email)
    spoil()
    const end = await signedInBy(desk, clients.slug)
    const error = name === 'iss' ? 'wrong_tenant' : 'provider_error'
    assert.deepEqual([end.error, await whoIs(desk, end, 'client')], [error, undefined], name)
  }
  const begunThere = await begun(desk, clients.slug)
  says(ada.email)
  const mixedUp = await ended(desk, clients.slug, begunThere.cookie, {
    ...begunThere.answer,
    iss: 'https://evil.example'
  })
  assert.equal(mixedUp.error, 'provider_error')
})

test('O7: one returns only to a page of ours', async () => {
  const ada = await aClient(desk, verified)
  says(ada.email)
  for (const [asked, to] of [
    ['/tickets/7?a=b', '/tickets/7?a=b'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/%0d%0aSet-Cookie: x', '/%0d%0aSet-Cookie:%20x'],
    ['/api/check', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/tickets/..//evil.example', '/'],
    ['/%2e//evil.example', '/']
  ] as const) {
    const end = await signedInBy(desk, clients.slug, `?population=client&return_to=${encodeURIComponent(asked)}`)
    assert.equal(end.location, to, asked)
  }
})

test('O8, O13: private addresses are refused, and an unknown key is fetched at once, but not more than once a minute', async () => {
  const body = {
    slug: 'inside',
    name: 'Inside',
    population: 'staff',
    issuer: 'https://10.1.2.3/realms/a',
    client_id: 'x'
  }
  const reply = await desk.post('/api/admin/sso/create', admin, body)
  assert.deepEqual([reply.status, reply.body.errors], [400, ['issuer']])
  assert.match(reply.body.message, /discovery/)
  const ada = await aClient(desk, verified)
  says(ada.email)
  await signedInBy(desk, clients.slug)
  twin.newKey()
  assert.equal((await signedInBy(desk, clients.slug)).error, null)
  const before = twin.requests.filter(path => path === '/jwks').length
  twin.header = { kid: 'unknown' }
  for (let attempt = 0; attempt < 3; attempt++)
    assert.equal((await signedInBy(desk, clients.slug)).error, 'provider_error')
  assert.equal(twin.requests.filter(path => path === '/jwks').length, before)
})

test('O9, O14: the second factor is asked after the provider, by the same code step, unless admins trust that it has asked', async () => {
  const trusting = await aProvider(desk, admin, twin, { trust_amr_mfa: 1 })
  const ada = await aClient(desk, verified)
  const secret = await turnTwoFactorOn(desk, ada)
  says(ada.email, { amr: ['pwd', 'mfa'] })

  const end = await signedInBy(desk, clients.slug)
  const cookie = end.cookies.find(each => each.startsWith('deskline-sso-code='))!
  const headers = { cookie: cookie.split(';')[0]!, 'x-deskline-session': 'client' }
  const challenge = await (await fetch(`${desk.url}/api/sso/challenge`, { method: 'POST', headers })).json()
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
  const { temp_token } = (challenge as any).data
  const done = await desk.post('/api/auth/2fa/verify-login', undefined, {
    temp_token,
    code: codeAt(secret, desk.clock.now(), 1)
  })

  assert.match(end.location, /^\/sign-in\?sso=code/)
  assert.match(cookie, /HttpOnly/)
  assert.deepEqual([done.status, await whoIs(desk, end, 'client')], [200, undefined])
  assert.equal((await whoIs(desk, await signedInBy(desk, trusting.slug), 'client'))?.user.id, ada.id)
})

test('O9, O11, O14: where staff sign in by single sign-on only, passwords work for admins with a second factor and once after create-admin', async () => {
  const [grace, boss, fresh] = [await aSupporter(desk), await anAdmin(desk), await anAdmin(desk)]
  const secret = await turnTwoFactorOn(desk, boss)
  await desk.db.updateTable('staff').set({ signs_in_once: true }).where('id', '=', fresh.id).execute()
  await desk.db.insertInto('desk_settings').values({ name: 'require_sso_staff', value: '1' }).execute()
  const signIn = ({ email, password }: { email: string; password: string }, more: object = {}) =>
    desk.post('/api/admin/auth/login', undefined, { email, password, ...more })

  const refused = await signIn(grace)
  const unknown = await signIn({ email: grace.email, password: 'wrong' })
  const byCode = await signIn(boss, { two_factor_code: codeAt(secret, desk.clock.now(), 1) })
  const once = [await signIn(fresh), await signIn(fresh)]
  says(grace.email)
  const bySso = await whoIs(desk, await signedInBy(desk, staff.slug), 'staff')
  await desk.db.deleteFrom('desk_settings').execute()

  assert.deepEqual([refused.status, refused.body.reason, unknown.status], [403, 'sso_required', 401])
  assert.deepEqual([byCode.status, ...once.map(({ status }) => status), bySso?.user.id], [200, 200, 403, grace.id])
})

test('O14: the exception for whoever was made by create-admin ends with the first sign-in, also where passwords were allowed then', async () => {
  const fresh = await anAdmin(desk)
  await desk.db.updateTable('staff').set({ signs_in_once: true }).where('id', '=', fresh.id).execute()
  const signIn = () => desk.post('/api/admin/auth/login', undefined, { email: fresh.email, password: fresh.password })

  const first = await signIn()
  await desk.db.insertInto('desk_settings').values({ name: 'require_sso_staff', value: '1' }).execute()
  const second = await signIn()
  await desk.db.deleteFrom('desk_settings').execute()

  assert.deepEqual([first.status, second.status, second.body.reason], [200, 403, 'sso_required'])
})

test('O10, O15: a provider that is down leads back to the sign-in page with a code, and so does a refusal there', async () => {
  twin.isDown = true
  says((await aClient(desk, verified)).email)
  const down = await signedInBy(desk, clients.slug)
  twin.isDown = false
  const { cookie, answer } = await begun(desk, clients.slug)
  const denied = await ended(desk, clients.slug, cookie, {
    state: answer.state,
    error: 'access_denied',
    error_description: '<b>no</b>'
  })

  assert.deepEqual([down.error, denied.error], ['provider_error', 'access_denied'])
  assert.match(denied.location, /^\/sign-in\?sso_error=access_denied&reference=\w{3}-\w{3}&provider=provider-\d+$/)
  const { refusals } = (await desk.post('/api/admin/sso/refusals/list', admin)).data
  assert.equal(refusals[0].code, 'access_denied')
  assert.doesNotMatch(JSON.stringify(refusals), /<b>/)
})

test('O15: one connects and disconnects one’s account while signed in, and not somebody else’s', async () => {
  const [ada, eve] = [await aClient(desk, verified), await aClient(desk, verified)]
  says('private.address@else.example', { email_verified: undefined })
  const link = async (person: typeof ada) => {
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ slug: clients.slug, password: person.password })
    const response = await fetch(`${desk.url}/api/account/identities/link`, { method: 'POST', headers, body })
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
    const asked = new URL(((await response.json()) as any).data.url).searchParams
    const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!
    return await ended(desk, clients.slug, cookie, { state: asked.get('state')!, code: asked.get('nonce')! })
  }

  const first = await link(ada)
  const second = await link(eve)
  const signedIn = await whoIs(desk, await signedInBy(desk, clients.slug), 'client')
  const { identities } = (await desk.post('/api/account/identities', ada)).data
  const others = await desk.post('/api/account/identities/unlink', eve, { id: identities[0].id })
  const own = await desk.post('/api/account/identities/unlink', ada, { id: identities[0].id })

  assert.deepEqual([first.error, second.error, signedIn?.user.id], [null, 'link_refused', ada.id])
  assert.match(second.location, /^\/account\/security\?sso_error=link_refused&reference=/)
  assert.deepEqual([others.status, own.status], [404, 200])
  assert.equal((await signedInBy(desk, clients.slug)).error, 'link_refused')
})
