import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import {
  anIdentityProvider,
  aProvider,
  begun,
  ended,
  signedInBy,
  whoIs
} from '../../../test/support/identity-provider.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 8 })
const admin = await anAdmin(desk)
const verified = { is_email_verified: true }

test('O1: whom another issuer calls by the same subject is somebody else', async () => {
  const [former, later] = [await anIdentityProvider(), await anIdentityProvider()]
  const { id, slug } = await aProvider(desk, admin, former)
  const [ada, eve] = [await aClient(desk, verified), await aClient(desk, verified)]
  former.claims = { sub: '1', email: ada.email, email_verified: true }
  assert.equal((await whoIs(desk, await signedInBy(desk, slug), 'client'))?.user.id, ada.id)

  const changed = await desk.post('/api/admin/sso/update', admin, { id, issuer: later.issuer })
  later.claims = { sub: '1', email: eve.email, email_verified: true }

  assert.equal(changed.status, 200)
  assert.equal((await whoIs(desk, await signedInBy(desk, slug), 'client'))?.user.id, eve.id)
})

test('O8: a provider that sends browsers to a script, or away from its encryption, is not saved', async () => {
  const twin = await anIdentityProvider()
  for (const address of ['javascript:alert(1)//', 'data:text/html,x', 'ftp://evil.example/']) {
    twin.metadata = { authorization_endpoint: address }
    const body = { slug: 'script', name: 'Script', population: 'client', issuer: twin.issuer, client_id: 'desk' }
    const reply = await desk.post('/api/admin/sso/create', admin, body)
    assert.deepEqual([reply.status, reply.body.errors], [400, ['issuer']], address)
    assert.match(reply.body.message, /authorization_endpoint/)
  }
})

test('O7: a cookie that a neighbour has planted ends nobody’s sign-in but its own', async () => {
  const twin = await anIdentityProvider()
  const { slug } = await aProvider(desk, admin, twin)
  const eve = await aClient(desk, verified)
  twin.claims = { sub: 'eve', email: eve.email, email_verified: true }
  const hers = await begun(desk, slug)
  const own = await begun(desk, slug)

  // The first of two cookies with one name counts, wherever it comes from: the answer of one sign-in never fits the cookie of another.
  const inPlaceOfOwn = `${own.cookie.split('=')[0]}=${hers.cookie.split('=')[1]}`
  for (const cookies of [`${inPlaceOfOwn}; ${own.cookie}`, hers.cookie]) {
    const planted = await ended(desk, slug, cookies, own.answer)
    assert.deepEqual([planted.error, await whoIs(desk, planted, 'client')], ['expired', undefined])
  }
  assert.equal((await ended(desk, slug, own.cookie, own.answer)).error, null)
})

test('O7: over https the cookies are bound to this very host, so that no neighbour can plant them', async () => {
  const twin = await anIdentityProvider()
  const secure = await bootDesk({ config: { BASE_URL: 'https://desk.example' } })
  const { slug } = await aProvider(secure, await anAdmin(secure), twin)
  const ada = await aClient(secure, verified)
  twin.claims = { sub: 'ada', email: ada.email, email_verified: true }
  const { cookie, answer, setCookies, asked } = await begun(secure, slug)

  const unbound = await ended(secure, slug, cookie.replace('__Host-', ''), answer)
  const end = await ended(secure, slug, cookie, answer)

  assert.match(
    setCookies[0]!,
    /^__Host-deskline-sso-attempt-[0-9a-f]{16}=[^;]+; (?=.*Path=\/)(?=.*Secure)(?=.*HttpOnly)(?!.*Domain)/
  )
  assert.equal(asked.get('redirect_uri'), `https://desk.example/api/sso/${slug}/callback`)
  assert.deepEqual([unbound.error, end.error], ['expired', null])
  const session = end.cookies.find(each => each.startsWith('__Host-deskline-client='))
  assert.match(session!, /Path=\/.*HttpOnly.*Secure.*SameSite=Strict/)
})

test('O7: the answer of a provider to a sign-in that it never got begins no session', async () => {
  const twin = await anIdentityProvider()
  const { slug } = await aProvider(desk, admin, twin)
  const before = await desk.rowCounts()

  const forged = await ended(desk, slug, 'deskline-sso-attempt-made-up=made-up', { state: 'made-up', code: 'code' })
  const empty = await ended(desk, slug, '', {})

  assert.deepEqual([forged.error, empty.error], ['expired', 'expired'])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.ok(!twin.requests.includes('/token'))
})

test('O13: a subject that is too long for any provider is refused', async () => {
  const twin = await anIdentityProvider()
  const { slug } = await aProvider(desk, admin, twin)
  twin.claims = { sub: 'x'.repeat(4000), email: (await aClient(desk, verified)).email, email_verified: true }

  assert.equal((await signedInBy(desk, slug)).error, 'provider_error')
})

test('O7, O10: one returns to the page one came from, also after a refusal', async () => {
  const twin = await anIdentityProvider()
  const { slug } = await aProvider(desk, admin, twin)
  twin.claims = { sub: 'nobody', email: 'nobody@else.example', email_verified: true }

  const unknown = await signedInBy(desk, slug, '?return_to=%2Ftickets%2F7%3Fa%3Db')
  twin.isDown = true
  const down = await signedInBy(desk, slug, '?return_to=%2Fnew')

  const read = ({ location }: { location: string }) =>
    Object.fromEntries(new URL(location, desk.url).searchParams) as Record<string, string>
  assert.deepEqual([read(unknown).sso_error, read(unknown).return_to], ['account_unknown', '/tickets/7?a=b'])
  assert.deepEqual([read(down).sso_error, read(down).return_to], ['provider_error', '/new'])
})
