import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const path = '/api/admin/auth/reset-password'
const next = 'battery staple'

/** The token in the newest e-mail to this staff member. */
async function tokenFor({ email }: Person): Promise<string> {
  await desk.post('/api/admin/auth/forgot-password', undefined, { email })
  const { emails } = await desk.deliver()
  return emails.findLast(message => message.to === email)!.text.match(/token=([\w.-]+)/)![1]!
}

function reset(token: string, new_password = next) {
  return desk.post(path, undefined, { token, new_password })
}

function logIn({ email }: Person, password: string) {
  return desk.post('/api/admin/auth/login', undefined, { email, password })
}

test('the password is replaced, every session ends, half-done logins too, and the token is used', async () => {
  for (const member of [await aSupporter(desk), await anAdmin(desk)]) {
    const token = await tokenFor(member)

    const reply = await reset(token)
    const again = await reset(token)

    assert.deepEqual([reply.status, reply.data, again.status], [200, undefined, 401])
    assert.equal((await desk.post('/api/account/profile', member)).status, 401)
    assert.equal((await desk.post('/api/auth/refresh', undefined, { refresh_token: member.refresh_token })).status, 401)
    assert.deepEqual([(await logIn(member, member.password)).status, (await logIn(member, next)).status], [401, 200])
  }
})

test('a token works for an hour, and not once a newer one was sent', async () => {
  const [grace, mary] = [await aSupporter(desk), await aSupporter(desk)]
  const former = await tokenFor(grace)
  const latter = await tokenFor(grace)

  assert.deepEqual([(await reset(former)).status, (await reset(latter)).status], [401, 200])
  const old = await tokenFor(mary)
  desk.clock.turn(3601)
  assert.equal((await reset(old)).status, 401)
})

test('a client’s token is none here, nor is one of staff there, and nonsense is none', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  const { reset_token } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data
  const ofStaff = await tokenFor(grace)

  assert.deepEqual([(await reset(reset_token)).status, (await reset('nonsense')).status], [401, 401])
  const crossed = await desk.post('/api/auth/reset-password', undefined, { token: ofStaff, new_password: next })
  assert.equal(crossed.status, 401)
  assert.equal((await reset(ofStaff)).status, 200)
})

test('a member who has been deactivated meanwhile cannot use the token', async () => {
  const grace = await aSupporter(desk)
  const token = await tokenFor(grace)
  await desk.post('/api/admin/staff/update', await anAdmin(desk), { id: grace.id, is_active: 0 })

  assert.equal((await reset(token)).status, 401)
})

test('one token used twenty times at once changes the password exactly once', async () => {
  const grace = await aSupporter(desk)
  const token = await tokenFor(grace)

  const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => reset(token, `password ${at}`)))

  const won = replies.findIndex(({ status }) => status === 200)
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(401)])
  assert.equal((await logIn(grace, `password ${won}`)).status, 200)
})

test('resets by e-mail are in the audit log, of staff and of clients', async () => {
  const [ada, grace, admin] = [await aClient(desk), await aSupporter(desk), await anAdmin(desk)]
  const { reset_token } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data
  await desk.post('/api/auth/reset-password', undefined, { token: reset_token, new_password: next })
  await reset(await tokenFor(grace))

  for (const [actor_type, { id }] of [
    ['client', ada],
    ['staff', grace]
  ] as const) {
    const { entries } = (await desk.post('/api/admin/audit', admin, { actor_type, actor_id: id })).data

    assert.deepEqual(
      entries.map(({ action, after }: { action: string; after: object }) => [action, after]),
      [['password.changed', { by: 'reset-link', sessions_ended: 1 }]]
    )
  }
})
