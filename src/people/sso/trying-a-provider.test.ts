import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { anIdentityProvider, aProvider, ended } from '../../../test/support/identity-provider.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 8 })
const admin = await anAdmin(desk)
const twin = await anIdentityProvider()
const clients = await aProvider(desk, admin, twin)

/** How a test of the provider ends for its admin when somebody refuses there. */
async function failingTest(): Promise<[string, string]> {
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ id: clients.id })
  const response = await fetch(`${desk.url}/api/admin/sso/test`, { method: 'POST', headers, body })
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
  const { url, test_id } = ((await response.json()) as any).data
  const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!
  const state = new URL(url).searchParams.get('state')!
  const { location } = await ended(desk, clients.slug, cookie, { state, error: 'access_denied' })
  assert.match(location, /^\/desk\/settings\/sign-in\?tested=1&sso_error=access_denied/)
  const { steps } = (await desk.post('/api/admin/sso/test', admin, { id: clients.id, test_id })).data
  return [steps[0].state, steps[0].detail]
}

test('a test shows each claim and what it would do, and saves nothing', async () => {
  const ada = await aClient(desk, { is_email_verified: true })
  twin.claims = { sub: 'ada', email: ada.email, email_verified: true }
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
  const response = await fetch(`${desk.url}/api/admin/sso/test`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id: clients.id })
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
  const { data } = (await response.json()) as any
  const asked = new URL(data.url).searchParams
  const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!
  await ended(desk, clients.slug, cookie, { state: asked.get('state')!, code: asked.get('nonce')! })

  const { findings } = (await desk.post('/api/admin/sso/test', admin, { id: clients.id, test_id: data.test_id })).data

  assert.ok(findings.claims.some((claim: { name: string }) => claim.name === 'email_verified'))
  assert.match(findings.outcome[0], /^Finds Ada Lovelace/)
  assert.deepEqual(await failingTest(), ['failed', 'The provider said access_denied'])
  assert.deepEqual((await desk.post('/api/account/identities', ada)).data.identities, [])
})

test('a provider is saved only if it is there, with its scopes; its secret is sealed and never shown', async () => {
  const body = {
    slug: 'half',
    name: 'Half',
    population: 'client',
    issuer: twin.issuer,
    client_id: 'x',
    client_secret: 'top s3cret'
  }
  const scopes = await desk.post('/api/admin/sso/create', admin, { ...body, scopes: 'openid' })
  const elsewhere = await desk.post('/api/admin/sso/create', admin, { ...body, issuer: `${twin.issuer}/other` })
  const made = await desk.post('/api/admin/sso/create', admin, body)
  const taken = await desk.post('/api/admin/sso/create', admin, body)
  const shown = JSON.stringify([made.body, (await desk.post('/api/admin/sso/list', admin)).body])
  const row = await desk.db
    .selectFrom('sso_providers')
    .where('slug', '=', 'half')
    .select('sealed_secret')
    .executeTakeFirstOrThrow()

  assert.deepEqual([scopes.body.errors, elsewhere.body.errors], [['scopes'], ['issuer']])
  assert.deepEqual([made.status, taken.status], [201, 409])
  assert.ok(!shown.includes('top s3cret') && !row.sealed_secret!.includes('top s3cret'))
  assert.equal(
    (await desk.post('/api/sso/providers')).data.providers.some((each: { slug: string }) => each.slug === 'half'),
    false
  )
})

test('a provider that was changed meanwhile is not changed by whoever has read it before', async () => {
  const { providers } = (await desk.post('/api/admin/sso/list', admin)).data
  const { id, version } = providers.find((each: { id: number }) => each.id === clients.id)
  const change = (name: string) => desk.post('/api/admin/sso/update', admin, { id, name, expected_version: version })

  const [first, second] = [await change('First'), await change('Second')]

  assert.deepEqual([first.status, second.status, second.body.reason], [200, 409, 'version_conflict'])
  const { providers: after } = (await desk.post('/api/admin/sso/list', admin)).data
  assert.equal(after.find((each: { id: number }) => each.id === id).name, 'First')
})
