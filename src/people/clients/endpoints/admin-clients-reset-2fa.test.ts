import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnTwoFactorOn } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'

const desk = await bootDesk()
const address = '/api/admin/clients/reset_2fa'
const reason = 'Lost the phone'

test('an admin takes a lost second factor away: the sessions end, the client is told, the password alone logs in', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  await turnTwoFactorOn(desk, ada)
  const login = () => desk.post('/api/auth/login', undefined, { email: ada.email, password: ada.password })
  const challenge = (await login()).data

  const reply = await desk.post(address, admin, { id: ada.id, reason })

  const { emails } = await desk.deliver()
  const row = await desk.db.selectFrom('clients').where('id', '=', ada.id).selectAll().executeTakeFirstOrThrow()
  const half = { temp_token: challenge.temp_token, code: '123456' }
  assert.deepEqual([reply.status, reply.data.client.two_factor_enabled], [200, 0])
  assert.deepEqual([row.two_factor_secret, row.two_factor_pending_secret, row.two_factor_last_step], [null, null, null])
  assert.equal((await desk.post('/api/tickets/list', ada)).status, 401)
  assert.equal((await desk.post('/api/auth/2fa/verify-login', undefined, half)).status, 401)
  assert.ok((await login()).data.token)
  assert.ok(emails.some(each => each.to === ada.email && /Two-factor authentication is off/.test(each.subject)))
  assert.ok(emails.every(each => !each.text.includes(reason)))
})

test('who did it and why is recorded', async () => {
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  await turnTwoFactorOn(desk, ada)

  await desk.post(`/api/admin/clients/${ada.id}/reset_2fa`, admin, { reason })

  const entry = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'client.two_factor_reset')
    .where('target_id', '=', ada.id)
    .select(['actor_id', 'before', 'after'])
    .executeTakeFirstOrThrow()
  assert.deepEqual(entry, {
    actor_id: admin.id,
    before: { two_factor_enabled: true },
    after: { two_factor_enabled: false, passkeys_deleted: 0, reason }
  })
})

test('without a reason, without a second factor, without a client and without being an admin nothing happens', async () => {
  const [ada, eve, admin] = [await aClient(desk), await aClient(desk), await anAdmin(desk)]
  const supporter = await aSupporter(desk, 'clients.edit', 'clients.delete', 'clients.view')
  await turnTwoFactorOn(desk, ada)
  const before = await desk.rowCounts()

  const replies = [
    await desk.post(address, admin, { id: ada.id, reason: ' ' }),
    await desk.post(address, admin, { id: eve.id, reason }),
    await desk.post(address, admin, { id: 987_654, reason }),
    await desk.post(address, supporter, { id: ada.id, reason })
  ]

  assert.deepEqual(
    replies.map(each => each.status),
    [400, 400, 404, 403]
  )
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await desk.post('/api/tickets/list', ada)).status, 200)
})
