import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import { aProvider, begun, ended, signedInBy, whoIs } from '../../../test/support/identity-provider.ts'
import { untilLockWait } from '../../../test/support/lock-waits.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { bootSignOnDesk } from '../../../test/support/sign-on-desk.ts'
import { limitTo } from '../../../test/support/tickets.ts'

const { desk, admin, twin, clients, makers, says } = await bootSignOnDesk()
const verified = { is_email_verified: true }
const update = (given: object) => desk.post('/api/admin/sso/update', admin, given)
const ofStaff = (role_map: object) =>
  aProvider(desk, admin, twin, { population: 'staff', role_claim: 'groups', role_map })

async function deptidsOf(staff_id: number) {
  const rows = await desk.db
    .selectFrom('department_members')
    .innerJoin('departments', 'departments.id', 'department_members.department_id')
    .where('staff_id', '=', staff_id)
    .select('deptid')
    .orderBy('deptid')
    .execute()
  return rows.map(({ deptid }) => deptid)
}

test('O5: what a role gives is changed though no role is added, and the audit log has it', async () => {
  const provider = await ofStaff({ agents: { permissions: ['tickets.view_all'], deptids: [] } })
  const role_map = { agents: { permissions: ['tickets.reply'], deptids: [1] } }

  const reply = await update({ id: provider.id, role_map })

  assert.deepEqual([reply.data.provider.role_map, reply.data.provider.version], [role_map, provider.version + 1])
  const [event] = (await desk.post('/api/admin/audit/list', admin, { action: 'sso_provider.updated' })).data.entries
  assert.deepEqual(event.after.role_map, role_map)
})

test('O5: a role names only departments that are there', async () => {
  const role_map = { agents: { permissions: ['tickets.view_all'], deptids: [1, 4711] } }
  const provider = await ofStaff({})
  const before = await desk.rowCounts()

  const changed = await update({ id: provider.id, role_map })
  const made = await desk.post('/api/admin/sso/create', admin, {
    ...{ slug: 'unknown-department', name: 'x', population: 'staff', issuer: twin.issuer, client_id: 'deskline' },
    role_map
  })

  for (const { status, body } of [changed, made]) assert.deepEqual([status, body.errors], [400, ['role_map']])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('O5: roles of a department that is gone, and roles that nobody knows, open no other department', async () => {
  const grace = await aSupporter(desk)
  await limitTo(desk, grace.id, 1)
  const { department } = (await desk.post('/api/admin/departments/create', admin, { name: 'Brief' })).data
  const { deptid } = department
  const provider = await ofStaff({ brief: { permissions: ['tickets.view_all'], deptids: [deptid] } })
  const signsInWith = async (groups: string[]) => {
    says(grace.email, { groups, sub: 'of brief' })
    const user = (await whoIs(desk, await signedInBy(desk, provider.slug), 'staff'))?.user
    return [user?.permissions, await deptidsOf(grace.id)]
  }

  assert.deepEqual(await signsInWith(['brief']), [['tickets.view_all'], [deptid]])
  assert.deepEqual(await signsInWith(['of nobody']), [[], [deptid]])
  assert.deepEqual(await signsInWith([]), [[], [deptid]])
  const gone = await desk.post('/api/admin/departments/delete', admin, { id: deptid, move_to_department_id: 4 })
  assert.equal(gone.status, 200)
  assert.deepEqual(await signsInWith(['brief']), [[], [4]])
  // It can be turned off all the same, and renamed.
  for (const change of [{ name: 'Firm' }, { is_active: 0 }])
    assert.equal((await update({ id: provider.id, ...change })).status, 200)
})

test('O5: departments that follow a role are in the audit log, and in the version of the department', async () => {
  const grace = await aSupporter(desk)
  await limitTo(desk, grace.id, 1)
  const provider = await ofStaff({ billing: { permissions: [], deptids: [4] } })
  const versionOf = async (id: number) =>
    (await desk.post('/api/admin/departments/detail', admin, { id })).data.department.version
  const before = [await versionOf(1), await versionOf(4)]
  says(grace.email, { groups: ['billing'], sub: 'in billing' })

  for (let twice = 0; twice < 2; twice++) assert.equal((await signedInBy(desk, provider.slug)).error, null)

  assert.deepEqual(await deptidsOf(grace.id), [4])
  assert.deepEqual(
    [await versionOf(1), await versionOf(4)],
    before.map(version => version + 1)
  )
  const { entries } = (await desk.post('/api/admin/audit/list', admin, { action: 'department.members_changed' })).data
  const told = entries.filter(({ actor_id }: { actor_id: number }) => actor_id === grace.id)
  assert.deepEqual(told.map(({ target_id }: { target_id: number }) => target_id).toSorted(), [1, 4])
})

test('two admins change a provider at once: whoever turns it off is not overruled by a slower change of something else', async () => {
  const provider = await aProvider(desk, admin, twin)
  twin.whileAsked = async () => {
    assert.equal((await update({ id: provider.id, is_active: 0 })).status, 200)
  }

  const slower = await update({ id: provider.id, name: 'Other', scopes: 'openid email groups' })

  assert.deepEqual([slower.status, slower.body.reason], [409, 'version_conflict'])
  const { providers } = (await desk.post('/api/admin/sso/list', admin)).data
  const now = providers.find(({ id }: { id: number }) => id === provider.id)
  assert.deepEqual([now.is_active, now.name], [0, 'Nordlicht'])
})

test('a provider that is turned off or deleted while somebody is there lets nobody in, and fails in no other way', async () => {
  for (const verb of ['off', 'deleted', 'made anew'] as const) {
    const ada = await aClient(desk, verified)
    const provider = await aProvider(desk, admin, twin)
    says(ada.email)
    const { cookie, answer } = await begun(desk, provider.slug)

    if (verb === 'off') await update({ id: provider.id, is_active: 0 })
    else await desk.post('/api/admin/sso/delete', admin, { id: provider.id })
    if (verb === 'made anew') await aProvider(desk, admin, twin, { slug: provider.slug })
    const end = await ended(desk, provider.slug, cookie, answer)

    const error = { off: 'provider_error', deleted: null, 'made anew': 'expired' }[verb]
    assert.deepEqual([end.error, await whoIs(desk, end, 'client')], [error, undefined], verb)
  }
})

test('O15: whoever comes to a provider that is gone gets back to their own sign-in page, told so; a program gets a 404', async () => {
  for (const population of ['client', 'staff'] as const) {
    const page = `${population === 'staff' ? '/desk' : ''}/sign-in?sso_error=provider_gone`
    const off = await aProvider(desk, admin, twin, { population })
    await update({ id: off.id, is_active: 0 })
    const deleted = await aProvider(desk, admin, twin, { population })
    const { cookie, answer } = await begun(desk, deleted.slug)
    await desk.post('/api/admin/sso/delete', admin, { id: deleted.id })
    const comes = async (path: string, accept: string) => {
      const response = await fetch(`${desk.url}${path}`, { redirect: 'manual', headers: { accept, cookie } })
      return [response.status, response.headers.get('location')]
    }

    for (const path of [
      `/api/sso/${deleted.slug}/callback?${new URLSearchParams(answer)}`,
      `/api/sso/${deleted.slug}/start?population=${population}`,
      `/api/sso/${off.slug}/start?population=${population}`
    ]) {
      assert.deepEqual(await comes(path, 'text/html,*/*;q=0.8'), [302, page], path)
      assert.deepEqual(await comes(path, '*/*'), [404, null], path)
    }
  }
})

test('a provider that is deleted while its answer is being judged refuses, and connects nobody', async () => {
  const ada = await aClient(desk, verified)
  for (const isKnown of [true, false]) {
    const provider = await aProvider(desk, admin, twin)
    says(isKnown ? ada.email : 'nobody@else.example')
    const { cookie, answer } = await begun(desk, provider.slug)
    twin.whileAsked = async () => {
      assert.equal((await desk.post('/api/admin/sso/delete', admin, { id: provider.id })).status, 200)
    }

    const end = await ended(desk, provider.slug, cookie, answer)

    assert.equal(end.error, isKnown ? 'link_refused' : 'account_unknown')
    assert.equal(await whoIs(desk, end, 'client'), undefined)
  }
})

test('O14: who is asked for a code is not let in once the provider is off, or they are disconnected from it', async () => {
  for (const what of ['on', 'off', 'disconnected'] as const) {
    const grace = await aSupporter(desk)
    const secret = await turnTwoFactorOn(desk, grace)
    const provider = await aProvider(desk, admin, twin, { population: 'staff' })
    says(grace.email)
    const end = await signedInBy(desk, provider.slug)
    const cookie = end.cookies.map(each => each.split(';')[0]).join('; ')
    const headers = { cookie, 'x-deskline-session': 'staff', origin: desk.url }
    const asked = await fetch(`${desk.url}/api/sso/challenge`, { method: 'POST', headers })
    const { temp_token } = ((await asked.json()) as { data: { temp_token: string } }).data
    if (what === 'off') await update({ id: provider.id, is_active: 0 })
    if (what === 'disconnected') {
      const { identities } = (await desk.post('/api/account/identities', grace)).data
      await desk.post('/api/account/identities/unlink', grace, { id: identities[0].id })
    }

    const reply = await desk.post('/api/auth/2fa/verify-login', undefined, {
      temp_token,
      code: codeAt(secret, desk.clock.now(), 1)
    })

    assert.equal(reply.status, what === 'on' ? 200 : 401, what)
  }
})

test('O4: the first sign-in of somebody in two tabs at once makes one account, and lets both in', async () => {
  says('twice.at.once@firm.example')
  const tabs = [await begun(desk, makers.slug), await begun(desk, makers.slug), await begun(desk, makers.slug)]

  const ends = await Promise.all(tabs.map(({ cookie, answer }) => ended(desk, makers.slug, cookie, answer)))

  assert.deepEqual(
    ends.map(({ error }) => error),
    [null, null, null]
  )
  const rows = await desk.db
    .selectFrom('clients')
    .where('email', '=', 'twice.at.once@firm.example')
    .select('id')
    .execute()
  assert.equal(rows.length, 1)
})

test('O2: a no of the user info counts, whatever the token says of the address', async () => {
  for (const userInfo of [
    { email_verified: false },
    { email: 'other@case.example', email_verified: 'false' },
    { email: undefined, email_verified: false }
  ]) {
    const ada = await aClient(desk, verified)
    says(ada.email)
    twin.userInfo = userInfo
    const end = await signedInBy(desk, clients.slug)
    twin.userInfo = undefined

    assert.equal(end.error, 'link_refused')
  }
})

test('a password that is set while a sign-in by a provider is under way ends it', async () => {
  const ada = await aClient(desk, verified)
  says(ada.email)
  assert.equal((await signedInBy(desk, clients.slug)).error, null)
  const { cookie, answer } = await begun(desk, clients.slug)

  const end = await desk.db.transaction().execute(async db => {
    // The sign-in has read the account, and notes that it is used.
    await db.selectFrom('sso_identities').where('client_id', '=', ada.id).select('id').forUpdate().execute()
    const pending = ended(desk, clients.slug, cookie, answer)
    await untilLockWait(desk)
    await desk.db.updateTable('clients').set({ password: 'another' }).where('id', '=', ada.id).execute()
    return { pending }
  })

  assert.deepEqual([(await end.pending).error, await whoIs(desk, await end.pending, 'client')], ['expired', undefined])
})
