import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { readConfig } from '../../core/config.ts'
import { createAdmin, replaceAdminPassword } from '../staff/first-admin.ts'

const common = ['password1', 'QWERTY123']

test('staff get none of the commonest passwords, however they come by one; clients what the contract says', async () => {
  const desk = await bootDesk({ config: { REFUSE_COMMON_PASSWORDS: true } })
  const [admin, grace, ada] = [await anAdmin(desk), await aSupporter(desk), await aClient(desk)]
  await desk.post('/api/admin/auth/forgot-password', undefined, { email: grace.email })
  const [, token] = /token=([\w.-]+)/.exec((await desk.deliver()).emails.at(-1)!.text)!
  const passwords = await desk.db.selectFrom('staff').select(['id', 'password']).orderBy('id').execute()

  for (const password of common) {
    const person = { first_name: 'Mary', last_name: 'Jackson', email: 'mary@example.com', password }
    const named = { firstName: 'Mary', lastName: 'Jackson', ...person }
    const replies = [
      await desk.post('/api/admin/staff/create', admin, person),
      await desk.post('/api/admin/staff/update', admin, { id: grace.id, password }),
      await desk.post('/api/admin/auth/reset-password', undefined, { token, new_password: password }),
      await desk.post('/api/account/password', grace, { current_password: grace.password, new_password: password })
    ]

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.errors, /commonest/.test(body.message)]),
      ['password', 'password', 'new_password', 'new_password'].map(field => [400, [field], true])
    )
    await assert.rejects(createAdmin(desk.services, named), /commonest/)
    await assert.rejects(replaceAdminPassword(desk.services, { email: admin.email, password }), /commonest/)
  }

  assert.deepEqual(await desk.db.selectFrom('staff').select(['id', 'password']).orderBy('id').execute(), passwords)
  const ofClient = { current_password: ada.password, new_password: common[0] }
  assert.equal((await desk.post('/api/account/password', ada, ofClient)).status, 200)
  const uncommon = { token, new_password: 'battery staple' }
  assert.equal((await desk.post('/api/admin/auth/reset-password', undefined, uncommon)).status, 200)
})

test('it is so in production, and a setting says otherwise', () => {
  const production = { NODE_ENV: 'production' }

  assert.equal(readConfig({}).REFUSE_COMMON_PASSWORDS, false)
  assert.equal(readConfig(production).REFUSE_COMMON_PASSWORDS, true)
  assert.equal(readConfig({ ...production, REFUSE_COMMON_PASSWORDS: 'false' }).REFUSE_COMMON_PASSWORDS, false)
})
