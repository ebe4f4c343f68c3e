import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aProvider, begun, ended, whoIs } from '../../../test/support/identity-provider.ts'
import { openIdProvider, signInThere } from '../../../test/support/openid-provider.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 8 })
const admin = await anAdmin(desk)
const real = await openIdProvider()
after(() => real.stop())

/** The real provider as one of this desk's. */
async function known(given: object) {
  const provider = await aProvider(desk, admin, real, given)
  real.allow(`http://localhost:3000/api/sso/${provider.slug}/callback`)
  return provider
}

const clients = await known({ create_accounts: 1 })
const staff = await known({
  population: 'staff',
  role_claim: 'realm_access.roles',
  role_map: { leads: { permissions: ['tickets.view_all'], deptids: [1] } }
})

/** What the browser brings back from there. */
async function answerFor(login: string, location: string): Promise<Record<string, string>> {
  const back = await signInThere(location, login)
  assert.equal(back.origin, 'http://localhost:3000')
  return Object.fromEntries(back.searchParams) as Record<string, string>
}

test('O7: a client signs in at a real provider, with code, PKCE, state and nonce, and comes back to the page', async () => {
  real.people.mira = { email: 'mira@firm.example', email_verified: true, name: 'Mira Özdemir' }
  const { location, cookie, asked } = await begun(desk, clients.slug, '?population=client&return_to=%2Fnew')

  const answer = await answerFor('mira', location)
  const end = await ended(desk, clients.slug, cookie, answer)
  const person = await whoIs(desk, end, 'client')

  assert.deepEqual([asked.get('response_type'), asked.get('code_challenge_method')], ['code', 'S256'])
  assert.equal(answer.iss, real.issuer)
  assert.deepEqual([end.error, end.location, person?.user.email], [null, '/new', 'mira@firm.example'])
})

test('O1, O5: staff sign in at a real provider, get the roles of their claim, and are known by their subject again', async () => {
  const [grace, other] = [await aSupporter(desk), await aSupporter(desk)]
  real.people.grace = { email: grace.email, email_verified: true, realm_access: { roles: ['leads', 'offline_access'] } }
  const signIn = async () => {
    const { location, cookie } = await begun(desk, staff.slug)
    return await whoIs(desk, await ended(desk, staff.slug, cookie, await answerFor('grace', location)), 'staff')
  }

  const first = await signIn()
  real.people.grace.email = other.email
  const again = await signIn()

  assert.deepEqual([first?.user.id, again?.user.id], [grace.id, grace.id])
  assert.deepEqual(first?.user.permissions, ['tickets.view_all'])
})

test('O2: a real provider that has not verified the address connects nobody', async () => {
  const ada = await aClient(desk, { is_email_verified: true })
  real.people.eve = { email: ada.email, email_verified: false }
  const { location, cookie } = await begun(desk, clients.slug)

  const end = await ended(desk, clients.slug, cookie, await answerFor('eve', location))

  assert.deepEqual([end.error, await whoIs(desk, end, 'client')], ['link_refused', undefined])
})

test('O7: a code that was used signs nobody in, neither with its own state nor in the sign-in of somebody else', async () => {
  real.people.jonas = { email: 'jonas@firm.example', email_verified: true }
  const own = await begun(desk, clients.slug)
  const answer = await answerFor('jonas', own.location)
  assert.equal((await ended(desk, clients.slug, own.cookie, answer)).error, null)

  const again = await ended(desk, clients.slug, own.cookie, answer)
  const injected = await begun(desk, clients.slug)
  const inOther = await ended(desk, clients.slug, injected.cookie, { ...answer, state: injected.answer.state })

  assert.deepEqual([again.error, inOther.error], ['expired', 'provider_error'])
  assert.equal(await whoIs(desk, inOther, 'client'), undefined)
})

test('O7: a code that was caught before it was used is of no use in another sign-in, since PKCE binds it', async () => {
  real.people.lena = { email: 'lena@firm.example', email_verified: true }
  const victim = await begun(desk, clients.slug)
  const caught = await answerFor('lena', victim.location)
  const attacker = await begun(desk, clients.slug)

  const end = await ended(desk, clients.slug, attacker.cookie, { ...caught, state: attacker.answer.state })

  assert.deepEqual([end.error, await whoIs(desk, end, 'client')], ['provider_error', undefined])
})
