import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../../test/support/authenticator.ts'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aFile, aTicket } from '../../../../test/support/tickets.ts'

const path = '/api/admin/settings/update'

async function required(desk: Desk, admin: Person, require_staff_2fa: 0 | 1 = 1) {
  return await desk.post(path, admin, { require_staff_2fa })
}

test('a setting is as it is initially until it is changed, and what is left out stays', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)

  const before = await desk.post('/api/admin/settings', admin)
  const changed = await required(desk, admin)
  await turnTwoFactorOn(desk, admin)
  const unchanged = await desk.post(path, admin, {})
  const after = await desk.post('/api/admin/settings/detail', admin)

  assert.deepEqual(before.data, { settings: { ...before.data.settings, require_staff_2fa: 0 }, version: 1 })
  assert.equal(changed.data.settings.require_staff_2fa, 1)
  assert.deepEqual([unchanged.data, after.data], [changed.data, changed.data])
})

test('a version that is no longer the current one is a 409 that tells it', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)
  await turnTwoFactorOn(desk, admin)
  const { version } = (await required(desk, admin)).data

  const stale = await desk.post(path, admin, { require_staff_2fa: 0, expected_version: 1 })
  const current = await desk.post(path, admin, { require_staff_2fa: 0, expected_version: version })

  assert.deepEqual([stale.status, stale.data.current_version, current.status], [409, version, 200])
  assert.ok(current.data.version > version)
})

test('a change is in the audit log with what was before; no change is no entry', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)
  await turnTwoFactorOn(desk, admin)

  await required(desk, admin)
  await required(desk, admin)

  const { data } = await desk.post('/api/admin/audit', admin, { action: 'setting.' })
  assert.equal(data.total, 1)
  const { action, actor_id, target_type, before, after } = data.entries[0]
  assert.deepEqual(
    [action, actor_id, target_type, before, after],
    ['setting.changed', admin.id, 'setting', { require_staff_2fa: 0 }, { require_staff_2fa: 1 }]
  )
})

test('admins who change it at once each record what they found', async () => {
  const desk = await bootDesk({ connections: 10 })
  const admin = await anAdmin(desk)
  await turnTwoFactorOn(desk, admin)

  await Promise.all(Array.from({ length: 10 }, (_, at) => required(desk, admin, at % 2 ? 0 : 1)))

  const { entries } = (await desk.post('/api/admin/audit', admin, { action: 'setting.' })).data
  const steps = entries.toReversed().map(({ before, after }: Record<string, { require_staff_2fa: number }>) => {
    return [before!.require_staff_2fa, after!.require_staff_2fa]
  })
  assert.ok(steps.length > 0)
  for (const [at, [before, after]] of steps.entries()) assert.deepEqual([before, after], [at % 2, 1 - (at % 2)])
})

test('staff without a second factor are let in only to turn it on, as of the next request; then everywhere', async () => {
  const desk = await bootDesk()
  const [admin, grace] = [await anAdmin(desk), await aSupporter(desk, 'clients.view')]
  await required(desk, admin)

  for (const person of [admin, grace]) {
    const refused = await desk.post('/api/admin/clients/list', person)
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /two-factor/)
    for (const door of [
      '/api/tickets/list',
      '/api/account/sessions',
      '/api/auth/2fa/disable',
      '/api/account/password'
    ]) {
      assert.equal((await desk.post(door, person)).status, 403, door)
    }
    assert.equal((await desk.post('/api/account/profile', person)).data.profile.must_enable_2fa, 1)

    await turnTwoFactorOn(desk, person)

    assert.equal((await desk.post('/api/admin/clients/list', person)).status, 200)
    assert.equal((await desk.post('/api/account/profile', person)).data.profile.must_enable_2fa, 0)
  }
})

test('staff without a second factor log in as before, get no file, and may log out', async () => {
  const desk = await bootDesk()
  const [admin, ada] = [await anAdmin(desk), await aClient(desk)]
  const { attachments } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  await required(desk, admin)
  const { email, password } = admin

  const login = await desk.post('/api/admin/auth/login', undefined, { email, password })
  const download = async () =>
    await fetch(desk.url + attachments[0].file_path, { headers: { authorization: `Bearer ${login.data.token}` } })

  assert.equal(login.status, 200)
  assert.equal((await download()).status, 404)
  assert.match((await desk.post('/api/auth/logout', login.data)).body.message, /Grace/)
  assert.equal((await desk.post('/api/account/profile', login.data)).status, 401)
})

test('clients and staff who have a second factor notice nothing; turned off again, nobody does', async () => {
  const desk = await bootDesk()
  const [admin, grace, ada] = [await anAdmin(desk), await aSupporter(desk), await aClient(desk)]
  const secret = await turnTwoFactorOn(desk, admin)
  await required(desk, admin)

  const { email, password } = admin
  const two_factor_code = codeAt(secret, desk.clock.now())
  const login = await desk.post('/api/admin/auth/login', undefined, { email, password, two_factor_code })
  assert.equal(login.status, 200)
  assert.equal((await desk.post('/api/admin/staff/list', login.data)).status, 200)
  assert.equal((await desk.post('/api/tickets/list', ada)).status, 200)
  assert.equal((await desk.post('/api/tickets/list', grace)).status, 403)

  await required(desk, admin, 0)

  assert.equal((await desk.post('/api/tickets/list', grace)).status, 200)
})

test('a department that nobody has is refused, in any setting that names departments; a deleted one stays until it is taken out', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)
  const { deptid } = (await desk.post('/api/admin/departments/create', admin, { name: 'Fairs' })).data.department
  const chosen = await desk.post(path, admin, { csat_departments: [1, deptid] })
  const moved = await desk.post('/api/admin/departments/delete', admin, { id: deptid, move_to: 1 })
  const { settings } = (await desk.post('/api/admin/settings', admin)).data

  for (const given of [{ csat_departments: [1, 777] }, { mail_addresses: { 'fairs@example.com': 777 } }]) {
    const refused = await desk.post(path, admin, { ...given, csat_delay_minutes: 5 })
    assert.deepEqual([refused.status, refused.body.errors], [400, [Object.keys(given)[0]]])
  }
  const kept = await desk.post(path, admin, { csat_departments: [4, ...settings.csat_departments] })

  assert.deepEqual([chosen.status, moved.status, kept.status], [200, 200, 200], JSON.stringify(moved.body))
  assert.equal(kept.data.settings.csat_delay_minutes, settings.csat_delay_minutes)
})
