import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aProvider, signedInBy, whoIs } from '../../../test/support/identity-provider.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { bootSignOnDesk } from '../../../test/support/sign-on-desk.ts'

const { desk, admin, twin, clients, makers, staff, says } = await bootSignOnDesk()
const verified = { is_email_verified: true }

test('O1: the account is the provider’s subject; the e-mail address only connects it once', async () => {
  const [ada, eve] = [await aClient(desk, verified), await aClient(desk, verified)]
  says(ada.email)
  const first = await whoIs(desk, await signedInBy(desk, clients.slug), 'client')
  twin.claims.email = eve.email
  const again = await whoIs(desk, await signedInBy(desk, clients.slug), 'client')
  says(ada.email)
  const stranger = await signedInBy(desk, clients.slug)

  assert.deepEqual([first?.user.id, again?.user.id], [ada.id, ada.id])
  assert.equal(stranger.error, 'link_refused')
})

test('O2: an account is connected if email_verified is true or "true"; false, "false" and nothing are refused', async () => {
  for (const [claim, error] of [
    [true, null],
    ['true', null],
    [false, 'link_refused'],
    ['false', 'link_refused'],
    [undefined, 'link_refused'],
    [1, 'link_refused'],
    [null, 'link_refused']
  ] as const) {
    const ada = await aClient(desk, verified)
    says(ada.email, { email_verified: claim })

    const end = await signedInBy(desk, clients.slug)

    assert.deepEqual(
      [end.error, (await whoIs(desk, end, 'client'))?.user.id],
      [error, error ? undefined : ada.id],
      String(claim)
    )
  }
})

test('O2, O12: an issuer that is trusted connects addresses of its domains alone, and never one that it says is not verified', async () => {
  const trusted = await aProvider(desk, admin, twin, { email_trust: 'issuer', domains: ['Firm.example'] })
  const openHearted = await aProvider(desk, admin, twin, { email_trust: 'issuer' })
  const [mira, other] = [
    await aClient(desk, { ...verified, email: 'mira@firm.example' }),
    await aClient(desk, { ...verified, email: 'mira@else.example' })
  ]
  const results: unknown[] = []
  for (const [slug, email, email_verified] of [
    [trusted.slug, mira.email, false],
    [openHearted.slug, mira.email, undefined],
    [trusted.slug, other.email, undefined],
    [trusted.slug, other.email, true],
    [trusted.slug, 'mira@firm.example.evil.example', undefined],
    [trusted.slug, mira.email, undefined]
  ] as const) {
    says(email, { email_verified })
    results.push((await signedInBy(desk, slug)).error)
  }

  assert.deepEqual(results, ['link_refused', 'link_refused', 'link_refused', 'link_refused', 'link_refused', null])
})

test('O12: a domain is one however it is written, and what is none is refused at saving', async () => {
  const provider = await aProvider(desk, admin, twin, { email_trust: 'issuer', domains: ['München.example'] })
  const update = (domains: unknown) => desk.post('/api/admin/sso/update', admin, { id: provider.id, domains })
  const spellings = ['mira@münchen.example', 'otto@xn--mnchen-3ya.example', 'eve@munchen.example']
  const results: unknown[] = []
  for (const email of spellings) {
    await aClient(desk, { ...verified, email })
    says(email, { email_verified: undefined })
    results.push((await signedInBy(desk, provider.slug)).error)
  }

  const refused = []
  for (const none of ['@firm.example', 'https://firm.example', 'not a domain', 'firm', 'ada@firm.example', ''])
    refused.push(await update(['firm.example', none]))
  const { version } = (await update(['xn--mnchen-3ya.example', 'münchen.example'])).data.provider

  assert.deepEqual(results, [null, null, 'link_refused'])
  for (const { status, body } of refused) assert.deepEqual([status, body.errors], [400, ['domains']], body.message)
  assert.equal(version, provider.version)
})

test('O2, O12: an issuer for many tenants is refused at saving, and a token of another tenant at signing in', async () => {
  for (const tenant of ['common', 'organizations']) {
    const body = {
      slug: 'entra',
      name: 'Entra',
      population: 'staff',
      issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
      client_id: 'x'
    }
    const reply = await desk.post('/api/admin/sso/create', admin, body)
    assert.deepEqual([reply.status, reply.body.errors], [400, ['issuer']])
  }
  says((await aClient(desk, verified)).email, { iss: 'http://127.0.0.1:1/other-tenant' })
  assert.equal((await signedInBy(desk, clients.slug)).error, 'wrong_tenant')
})

test('O3: a client whose own address is not proven is not connected, but asked to prove it first', async () => {
  const trap = await aClient(desk)
  says(trap.email)

  const end = await signedInBy(desk, clients.slug)

  assert.equal(end.error, 'verify_first')
  assert.equal(await whoIs(desk, end, 'client'), undefined)
})

test('O4: accounts are made only where the provider may, staff as supporters without permissions, never as admins', async () => {
  const makesStaff = await aProvider(desk, admin, twin, {
    population: 'staff',
    create_accounts: 1,
    role_claim: 'realm_access.roles',
    role_map: { agents: { permissions: ['tickets.view_all', 'tickets.reply'], deptids: [1] } }
  })
  says('nobody.knows@firm.example')
  assert.equal((await signedInBy(desk, clients.slug)).error, 'account_unknown')
  const made = await whoIs(desk, await signedInBy(desk, makers.slug), 'client')
  says('no.role@firm.example', { role: 'admin', roles: ['admin'] })
  const plain = await whoIs(desk, await signedInBy(desk, makesStaff.slug), 'staff')
  says('agent@firm.example', { realm_access: { roles: ['agents', 'unknown'] } })
  const agent = await whoIs(desk, await signedInBy(desk, makesStaff.slug), 'staff')

  assert.equal(made?.user.email, 'nobody.knows@firm.example')
  assert.deepEqual(
    [plain?.user.permissions, agent?.user.permissions?.toSorted()],
    [[], ['tickets.reply', 'tickets.view_all']]
  )
  const members = await desk.db
    .selectFrom('department_members')
    .where('staff_id', '=', agent!.user.id)
    .select('department_id')
    .execute()
  assert.equal(members.length, 1)
})

test('O5, O14: roles follow the claim if it is there; an absent one changes nothing, and an admin stays what they are', async () => {
  const roles = await aProvider(desk, admin, twin, {
    population: 'staff',
    role_claim: 'groups',
    role_map: { view: { permissions: ['tickets.view_all'], deptids: [] } }
  })
  const [grace, boss] = [await aSupporter(desk, 'clients.view'), await anAdmin(desk)]
  const permissionsWith = async (email: string, more: object) => {
    says(email, more)
    twin.claims.sub = `roles of ${email}`
    return (await whoIs(desk, await signedInBy(desk, roles.slug), 'staff'))?.user.permissions
  }

  assert.deepEqual(await permissionsWith(grace.email, {}), ['clients.view'])
  assert.deepEqual(await permissionsWith(grace.email, { groups: ['view'] }), ['tickets.view_all'])
  assert.deepEqual(await permissionsWith(grace.email, { groups: [] }), [])
  assert.deepEqual(await permissionsWith(boss.email, { groups: [] }), ['*'])
})

test('O6: deactivated stays deactivated, and sessions of staff end after twelve hours, however often they are renewed', async () => {
  const [grace, gone] = [await aSupporter(desk), await aSupporter(desk)]
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', gone.id).execute()
  says(gone.email)
  assert.equal((await signedInBy(desk, staff.slug)).error, 'deactivated')
  says(grace.email)

  const session = await whoIs(desk, await signedInBy(desk, staff.slug), 'staff')

  assert.ok(session!.expires_in <= 12 * 3600 && session!.expires_in > 11 * 3600)
  const [{ expires_at, created_at }] = (await desk.db
    .selectFrom('refresh_tokens')
    .where('user_type', '=', 'staff')
    .where('user_id', '=', grace.id)
    .where('is_revoked', '=', false)
    .select(['expires_at', 'created_at'])
    .orderBy('id', 'desc')
    .execute()) as [{ expires_at: Date; created_at: Date }]
  assert.ok(expires_at.getTime() - created_at.getTime() <= 12 * 3600 * 1000)
})
