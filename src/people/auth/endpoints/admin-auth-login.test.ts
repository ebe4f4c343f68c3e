import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../../test/support/authenticator.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const path = '/api/admin/auth/login'

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

test('a supporter is shown with what was granted, with the fields of the contract and no others', async () => {
  const grace = await aSupporter(desk, 'tickets.reply', 'clients.view')
  await desk.db.updateTable('staff').set({ phone_number: '+14155550123' }).where('id', '=', grace.id).execute()

  const reply = await desk.post(path, undefined, { email: grace.email, password: grace.password })

  assert.equal(reply.status, 200)
  const { token, refresh_token, ...rest } = reply.data
  assert.ok(token && refresh_token)
  assert.deepEqual(rest, {
    expires_in: 86400,
    token_type: 'Bearer',
    user: {
      id: grace.id,
      first_name: 'Grace',
      last_name: 'Hopper',
      email: grace.email,
      role: 'supporter',
      user_type: 'staff',
      is_active: 1,
      permissions: ['tickets.reply', 'clients.view'],
      phone_number: '+14155550123',
      two_factor_enabled: 0
    }
  })
})

test('an admin is shown with * and without a phone number when there is none', async () => {
  const admin = await anAdmin(desk)

  const { data } = await desk.post(path, undefined, { email: admin.email, password: admin.password }, 'form')

  assert.deepEqual([data.user.role, data.user.permissions, data.user.phone_number], ['admin', ['*'], null])
})

test('a supporter without grants has an empty list', async () => {
  const grace = await aSupporter(desk)

  const { data } = await desk.post(path, undefined, { email: grace.email, password: grace.password })

  assert.deepEqual(data.user.permissions, [])
})

test('the short address is the same, and its token opens what is for staff', async () => {
  const grace = await aSupporter(desk, 'staff.view')

  const reply = await desk.post('/api/admin/login', undefined, { email: grace.email, password: grace.password })

  assert.equal(reply.status, 200)
  assert.equal((await desk.post('/api/admin/staff/list', reply.data)).status, 200)
  const records = await desk.db.selectFrom('refresh_tokens').selectAll().where('user_type', '=', 'staff').execute()
  assert.equal(records.at(-1)!.user_id, grace.id)
})

test('a client does not log in among staff, not even one with the e-mail address of a member of staff', async () => {
  const ada = await aClient(desk)
  const grace = await aSupporter(desk)
  const twin = await aClient(desk, { email: grace.email, password: sha256('the password of the client') })

  const stranger = await desk.post(path, undefined, { email: ada.email, password: ada.password })
  const reply = await desk.post(path, undefined, { email: twin.email, password: 'the password of the client' })

  assert.deepEqual([stranger.status, reply.status], [401, 401])
})

test('a wrong password and an unknown e-mail address are the same 401 and open nothing', async () => {
  const grace = await aSupporter(desk)
  const before = await desk.rowCounts()

  const wrong = await desk.post(path, undefined, { email: grace.email, password: 'wrong horse' })
  const unknown = await desk.post(path, undefined, { email: 'nobody', password: 'wrong horse' })

  assert.equal(wrong.status, 401)
  assert.deepEqual(unknown.body, wrong.body)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('an inactive member of staff is told so after the right password', async () => {
  const grace = await aSupporter(desk)
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', grace.id).execute()

  const reply = await desk.post(path, undefined, { email: grace.email, password: grace.password })

  assert.equal(reply.status, 403)
})

test('with the second factor on, staff get the same challenge as clients', async () => {
  const grace = await aSupporter(desk)
  await turnTwoFactorOn(desk, grace)

  const { data } = await desk.post(path, undefined, { email: grace.email, password: grace.password })

  assert.deepEqual(Object.keys(data), ['requires_2fa', 'temp_token', 'email'])
  assert.deepEqual([data.requires_2fa, data.email], [1, grace.email])
})

test('with the second factor on, a valid code logs staff in and a wrong one does not', async () => {
  const grace = await aSupporter(desk)
  const secret = await turnTwoFactorOn(desk, grace)
  const now = desk.clock.now()
  const logIn = (two_factor_code: string) =>
    desk.post(path, undefined, { email: grace.email, password: grace.password, two_factor_code })

  const wrong = await logIn(wrongCode(secret, now))
  const right = await logIn(codeAt(secret, now))
  const again = await logIn(codeAt(secret, now))

  assert.deepEqual([wrong.status, wrong.body.message], [401, 'Invalid 6-digit authenticator code'])
  assert.deepEqual([right.status, right.data.user.two_factor_enabled], [200, 1])
  assert.equal(again.status, 401)
})
