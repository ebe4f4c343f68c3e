import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnTwoFactorOn } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const path = '/api/account/profile'

test('a client reads its whole profile', async () => {
  const ada = await aClient(desk, { company_name: 'Analytical Engines', street_address_2: 'Second floor' })

  const { status, data } = await desk.post(path, ada)

  const { created_at, created_at_iso, version, ...profile } = data.profile
  assert.equal(status, 200)
  assert.match(created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.equal(created_at_iso, `${created_at.replace(' ', 'T')}Z`)
  assert.ok(version > 0)
  assert.deepEqual(profile, {
    user_type: 'client',
    id: ada.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: ada.email,
    two_factor_enabled: 0,
    language: null,
    recovery_codes_left: 0,
    phone_number: '',
    company_name: 'Analytical Engines',
    street_address: '',
    street_address_2: 'Second floor',
    city: '',
    state: '',
    postcode: '',
    is_email_verified: 0,
    is_phone_verified: 0
  })
})

test('members of staff read theirs, with what they may do', async () => {
  const [grace, admin] = [await aSupporter(desk, 'tickets.reply'), await anAdmin(desk)]
  await turnTwoFactorOn(desk, admin)

  const [ofGrace, ofAdmin] = [await desk.post(path, grace), await desk.post(path, admin)]

  const { created_at: _, created_at_iso: __, version: ___, ...profile } = ofGrace.data.profile
  assert.deepEqual(profile, {
    user_type: 'staff',
    id: grace.id,
    first_name: 'Grace',
    last_name: 'Hopper',
    email: grace.email,
    two_factor_enabled: 0,
    language: null,
    recovery_codes_left: 0,
    phone_number: null,
    role: 'supporter',
    permissions: ['tickets.reply'],
    departments: null,
    must_enable_2fa: 0,
    away_until: null
  })
  const { role, permissions, two_factor_enabled } = ofAdmin.data.profile
  await limitTo(desk, grace.id, 4, 1)
  const limited = (await desk.post(path, grace)).data.profile
  assert.deepEqual(
    limited.departments.map(({ deptid }: { deptid: number }) => deptid),
    [1, 4]
  )
  assert.deepEqual([role, permissions, two_factor_enabled], ['admin', ['*'], 1])
})
