import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anIdentityProvider, aProvider } from '../../../test/support/identity-provider.ts'
import { bootPasskeysDesk } from '../../../test/support/passkeys-desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aPasskey, made, signInWith } from '../../../test/support/software-authenticator.ts'
import { unusablePassword } from '../clients/unusable-password.ts'

const { desk, own, optionsFor, registered, eventsOf } = await bootPasskeysDesk()

test('W5: an account has at most twenty passkeys, also when they are added at once', async () => {
  const ada = await aClient(desk)
  for (let made = 0; made < 18; made++) await aPasskey(desk, ada, `no ${made}`)

  const last = await Promise.allSettled([1, 2, 3, 4].map(() => aPasskey(desk, ada)))

  assert.equal(last.filter(({ status }) => status === 'fulfilled').length, 2)
  assert.equal((await registered(ada)).length, 20)
  assert.equal((await desk.post(`${own}/options`, ada)).body.reason, 'too_many_passkeys')
})

test('W5: without a password the last passkey that works cannot be deleted', async () => {
  const ada = await aClient(desk)
  await aPasskey(desk, ada, 'one')
  await aPasskey(desk, ada, 'two')
  const [one, two] = await registered(ada)
  const password = await unusablePassword(desk.services.passwords)
  await desk.db.updateTable('clients').set({ password }).where('id', '=', ada.id).execute()

  const first = await desk.post(`${own}/delete`, ada, { id: one.id })
  const last = await desk.post(`${own}/delete`, ada, { id: two.id })
  const all = await desk.post('/api/account/sessions/revoke', ada, { others: 1, passkeys: 1 })

  assert.deepEqual([first.status, last.status, last.body.reason], [200, 409, 'last_way_in'])
  assert.deepEqual([all.status, (await registered(ada)).length], [409, 1])
})

test('W5: who deletes passkeys and disconnects accounts in several tabs at once keeps one way in without a password', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const provider = await aProvider(desk, admin, await anIdentityProvider())
  const identity = { provider_id: provider.id, subject: 'at once', user_type: 'client', user_id: ada.id } as const
  await desk.db
    .insertInto('sso_identities')
    .values({ ...identity, created_at: new Date() })
    .execute()
  for (const name of ['one', 'two', 'three']) await aPasskey(desk, ada, name)
  const password = await unusablePassword(desk.services.passwords)
  await desk.db.updateTable('clients').set({ password }).where('id', '=', ada.id).execute()
  const [{ id: connected }] = (await desk.post('/api/account/identities', ada)).data.identities

  const replies = await Promise.all([
    ...(await registered(ada)).map(({ id }: { id: number }) => desk.post(`${own}/delete`, ada, { id })),
    desk.post('/api/account/identities/unlink', ada, { id: connected }),
    desk.post('/api/account/sessions/revoke', ada, { others: 1, passkeys: 1 })
  ])

  const left = (await desk.post('/api/account/identities', ada)).data.identities.length + (await registered(ada)).length
  assert.equal(left, 1, replies.map(({ status }) => status).join())
})

test('W5: without a password the last of passkeys and connected accounts stays, and one at a provider that is off does not count', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const provider = await aProvider(desk, admin, await anIdentityProvider())
  const identity = { provider_id: provider.id, subject: 'ada', user_type: 'client', user_id: ada.id } as const
  await desk.db
    .insertInto('sso_identities')
    .values({ ...identity, created_at: new Date() })
    .execute()
  await aPasskey(desk, ada)
  const password = await unusablePassword(desk.services.passwords)
  await desk.db.updateTable('clients').set({ password }).where('id', '=', ada.id).execute()
  const [{ id }] = await registered(ada)
  const [{ id: connected }] = (await desk.post('/api/account/identities', ada)).data.identities

  await desk.post('/api/admin/sso/update', admin, { id: provider.id, is_active: 0 })
  const whileOff = await desk.post(`${own}/delete`, ada, { id })
  await desk.post('/api/admin/sso/update', admin, { id: provider.id, is_active: 1 })
  const whileOn = await desk.post(`${own}/delete`, ada, { id })
  const last = await desk.post('/api/account/identities/unlink', ada, { id: connected })

  assert.deepEqual([whileOff.body.reason, whileOn.status, last.body.reason], ['last_way_in', 200, 'last_way_in'])
  assert.equal((await desk.post('/api/account/identities', ada)).data.identities.length, 1)
})

test('W5: a new password leaves the passkeys, signing out everywhere may delete them', async () => {
  const ada = await aClient(desk)
  const passkey = await aPasskey(desk, ada)
  const changed = { current_password: ada.password, new_password: 'another horse' }
  assert.equal((await desk.post('/api/account/password', ada, changed)).status, 200)

  const { status, data } = await signInWith(desk, passkey)
  const revoked = await desk.post('/api/account/sessions/revoke', data, { others: 1, passkeys: 1 })

  assert.deepEqual([status, revoked.status], [200, 200])
  assert.equal((await signInWith(desk, passkey)).status, 401)
})

test('W6: when staff reset the two-factor authentication of a client, the passkeys go too', async () => {
  const ada = await aClient(desk)
  const passkey = await aPasskey(desk, ada)

  const reset = await desk.post('/api/admin/clients/reset_2fa', await anAdmin(desk), { id: ada.id, reason: 'Lost' })

  assert.deepEqual([reset.status, reset.body.message], [200, reset.body.message])
  assert.equal((await signInWith(desk, passkey)).status, 401)
})

test('a passkey that somebody added to an account in another’s name goes when its owner proves the address', async () => {
  const trap = await aClient(desk)
  const passkey = await aPasskey(desk, trap)
  await desk.post('/api/auth/forgot-password', undefined, { email: trap.email })
  const { emails } = await desk.deliver()
  const token = emails
    .findLast(mail => mail.to === trap.email && /token=/.test(mail.text))!
    .text.match(/token=([\w.-]+)/)![1]
  const reset = await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'mine alone now' })

  assert.equal(reset.status, 200)
  assert.equal((await signInWith(desk, passkey)).status, 401)
})

test('one renames and deletes one’s own passkeys, and nobody else’s exist', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const passkey = await aPasskey(desk, ada)
  const [{ id }] = await registered(ada)

  const others = [
    await desk.post(`${own}/rename`, eve, { id, name: 'mine' }),
    await desk.post(`${own}/delete`, eve, { id })
  ]
  const renamed = await desk.post(`${own}/${id}/rename`, ada, { name: 'Phone' })
  const deleted = await desk.post(`${own}/delete`, ada, { id })

  assert.deepEqual(
    others.map(({ status }) => status),
    [404, 404]
  )
  assert.deepEqual([renamed.data.passkey.name, deleted.status], ['Phone', 200])
  assert.equal((await signInWith(desk, passkey)).status, 401)
  assert.deepEqual(await eventsOf(ada), ['passkey.registered', 'passkey.renamed', 'passkey.deleted'])
})

test('a passkey is registered once, and what is no passkey writes nothing', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { options, challenge_id } = await optionsFor(ada)
  const { response } = made(options)
  assert.equal((await desk.post(`${own}/register`, ada, { challenge_id, response })).status, 201)
  const again = await optionsFor(eve)
  const before = await desk.rowCounts()
  const { passkey: _, ...other } = made(again.options)
  const nonsense = { ...other.response, response: { clientDataJSON: 'e30', attestationObject: '////' } }

  const refused = await desk.post(`${own}/register`, eve, { challenge_id: again.challenge_id, response: nonsense })

  assert.equal(refused.status, 400)
  assert.deepEqual(await desk.rowCounts(), before)
})
