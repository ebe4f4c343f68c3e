import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import { aProvider, signedInBy, whoIs } from '../../../test/support/identity-provider.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { bootSignOnDesk } from '../../../test/support/sign-on-desk.ts'
import { aPasskey, signInWith } from '../../../test/support/software-authenticator.ts'
import { listen } from '../../../test/support/streams.ts'

const { desk, admin, twin, staff, says } = await bootSignOnDesk()
const isIn = async (token: string) => (await desk.post('/api/account/profile', { token })).status === 200
const only = (require_sso_staff: 0 | 1) => desk.post('/api/admin/settings/update', admin, { require_sso_staff })
const door = '/api/admin/auth/passkey'

const logIn = (email: string, password: string, more: object = {}) =>
  desk.post('/api/admin/auth/login', undefined, { email, password, ...more })

test('O14: turning it on ends what was opened by a password that no longer lets in, also streams, and nothing else', async () => {
  const [grace, joan, boss, ada] = [
    await aSupporter(desk, 'tickets.view_all'),
    await aSupporter(desk),
    await anAdmin(desk),
    await aClient(desk)
  ]
  const other = await anAdmin(desk)
  const [byPasskey, secret] = [await aPasskey(desk, joan), await turnTwoFactorOn(desk, boss)]
  await turnTwoFactorOn(desk, joan)
  const withPasskey = (await signInWith(desk, byPasskey, { door })).data
  says(grace.email)
  const bySso = await whoIs(desk, await signedInBy(desk, staff.slug), 'staff')
  const second = await logIn(grace.email, grace.password)
  const halfDone = await logIn(joan.email, joan.password)
  const stream = await listen(desk.url, { token: grace.token })

  assert.equal((await only(1)).status, 200)

  const ended = [grace.token, second.data.token, joan.token, other.token].map(isIn)
  const kept = [withPasskey.token, bySso!.token, boss.token, admin.token, ada.token].map(isIn)
  assert.deepEqual([await Promise.all(ended), await Promise.all(kept)], [Array(4).fill(false), Array(5).fill(true)])
  assert.equal(await stream.ended, 'ended')
  const { refresh_token } = second.data
  assert.equal((await desk.post('/api/auth/refresh', undefined, { refresh_token })).status, 401)
  const { temp_token } = halfDone.data
  assert.equal((await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token, code: '000000' })).status, 401)
  const byCode = await logIn(boss.email, boss.password, { two_factor_code: codeAt(secret, desk.clock.now(), 1) })
  assert.equal(byCode.status, 200)
  await only(0)
})

test('O11, O14: a password that is set by e-mail and a recovery code let nobody in whose password does not', async () => {
  const [grace, joan] = [await aSupporter(desk), await aSupporter(desk)]
  await turnTwoFactorOn(desk, joan)
  const { recovery_codes } = (await desk.post('/api/account/2fa/recovery-codes', joan, { password: joan.password }))
    .data
  await only(1)

  await desk.post('/api/admin/auth/forgot-password', undefined, { email: grace.email })
  const mail = (await desk.deliver()).emails.findLast(({ to }) => to === grace.email)!
  const token = /token=([\w.-]+)/.exec(mail.text)![1]
  const new_password = 'staple battery 7'
  const reset = await desk.post('/api/admin/auth/reset-password', undefined, { token, new_password })
  const byReset = await logIn(grace.email, new_password)
  const byRecovery = await logIn(joan.email, joan.password, { two_factor_code: recovery_codes[0] })

  await only(0)
  assert.equal(reset.status, 200)
  for (const { status, body } of [byReset, byRecovery]) assert.deepEqual([status, body.reason], [403, 'sso_required'])
})

test('W5, O14: a password that does not let in is no way in: the last passkey and the last connected account stay', async () => {
  const lastOf = async (person: Person, signedIn: { token: string }) => {
    const { passkeys, has_password } = (await desk.post('/api/account/passkeys/list', signedIn)).data
    const { identities } = (await desk.post('/api/account/identities', signedIn)).data
    const reply = passkeys[0]
      ? await desk.post('/api/account/passkeys/delete', signedIn, { id: passkeys[0].id })
      : await desk.post('/api/account/identities/unlink', signedIn, { id: identities[0].id })
    return [person.email, has_password, reply.status, reply.body.reason]
  }
  const [grace, joan, boss] = [await aSupporter(desk), await aSupporter(desk), await anAdmin(desk)]
  const passkey = await aPasskey(desk, grace)
  await aPasskey(desk, boss)
  await turnTwoFactorOn(desk, boss)
  await only(1)
  says(joan.email)
  const bySso = await whoIs(desk, await signedInBy(desk, staff.slug), 'staff')

  const told = [
    await lastOf(grace, (await signInWith(desk, passkey, { door })).data),
    await lastOf(joan, bySso!),
    await lastOf(boss, boss)
  ]

  await only(0)
  assert.deepEqual(told, [
    [grace.email, 0, 409, 'last_way_in'],
    [joan.email, 0, 409, 'last_way_in'],
    [boss.email, 1, 200, undefined]
  ])
})

test('O9: who could not sign in is told by name, also those whose passkeys are of a former address of the desk', async () => {
  const [grace, joan] = [await aSupporter(desk), await aSupporter(desk)]
  await aPasskey(desk, grace)
  await aPasskey(desk, joan)
  await desk.db.updateTable('passkeys').set({ host: 'former.example' }).where('staff_id', '=', joan.id).execute()

  const { locked_out } = (await desk.post('/api/admin/sso/list', admin)).data

  const ids = locked_out.map(({ id }: { id: number }) => id)
  assert.deepEqual([ids.includes(grace.id), ids.includes(joan.id)], [false, true])
})

test('O6: a stream of a session that ends after twelve hours does not go on after it', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  says(grace.email)
  const session = await whoIs(desk, await signedInBy(desk, staff.slug), 'staff')
  desk.clock.turn(12 * 3600 - 2)
  const stream = await listen(desk.url, { token: session!.token })

  assert.equal(await Promise.race([stream.ended, new Promise(done => setTimeout(done, 8_000))]), 'ended')
})

test('an API token changes neither providers nor how staff sign in, and reads both', async () => {
  const provider = await aProvider(desk, admin, twin)
  const { token } = (await desk.post('/api/account/tokens/create', await anAdmin(desk), { name: 'all' })).data
  const before = await desk.rowCounts()

  for (const [path, body] of [
    ['sso/create', { slug: 'mine', name: 'x', population: 'staff', issuer: twin.issuer, client_id: 'deskline' }],
    ['sso/update', { id: provider.id, email_trust: 'issuer' }],
    ['sso/delete', { id: provider.id }],
    ['settings/update', { require_staff_2fa: 0 }],
    ['settings/update', { require_sso_staff: 1 }],
    ['settings/update', { staff_tokens: 1, name: 'Mine' }],
    ['settings/update', { token_longest_days: null }]
  ] as const) {
    const reply = await desk.post(`/api/admin/${path}`, { token }, body)
    assert.deepEqual([reply.status, reply.body.reason], [403, 'sign_in_required'], path)
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await desk.post('/api/admin/sso/list', { token })).status, 200)
  assert.equal((await desk.post('/api/admin/settings/update', { token }, { name: 'Ours' })).status, 200)
})
