import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const path = '/api/account/password'
const next = 'battery staple'

function logIn({ email }: Person, password: string, door = '/api/auth/login', at: Desk = desk) {
  return at.post(door, undefined, { email, password })
}

async function isIn(person: { token: string }): Promise<boolean> {
  return (await desk.post('/api/account/profile', person)).status === 200
}

test('the password changes, this session stays, every other one ends, and an e-mail tells of it', async () => {
  for (const [person, door] of [
    [await aClient(desk), '/api/auth/login'],
    [await aSupporter(desk), '/api/admin/auth/login']
  ] as const) {
    const other = (await logIn(person, person.password, door)).data

    const reply = await desk.post(path, person, { current_password: person.password, new_password: next })

    assert.deepEqual([reply.status, reply.data], [200, { sessions_ended: 1 }])
    assert.deepEqual([await isIn(person), await isIn(other)], [true, false])
    const refresh = (refresh_token: string) => desk.post('/api/auth/refresh', undefined, { refresh_token })
    assert.equal((await refresh(other.refresh_token)).status, 401)
    assert.equal((await refresh(person.refresh_token)).status, 200)
    assert.deepEqual(
      [(await logIn(person, person.password, door)).status, (await logIn(person, next, door)).status],
      [401, 200]
    )
    const { emails } = await desk.deliver()
    const told = emails.filter(message => message.to === person.email)
    assert.deepEqual(
      told.map(message => message.subject),
      ['Your password was changed']
    )
  }
})

test('a wrong current password is a 401, a short new one a 400, and nothing is written', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  const wrong = await desk.post(path, ada, { current_password: 'wrong horse', new_password: next })
  const short = await desk.post(path, ada, { current_password: ada.password, new_password: '12345' })

  assert.deepEqual([wrong.status, short.status, short.body.errors], [401, 400, ['new_password']])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await logIn(ada, ada.password)).status, 200)
})

test('wrong current passwords are bounded for the session alone', async () => {
  const strict = await bootDesk({ config: { MAX_WRONG_PASSWORDS: 2 } })
  const ada = await aClient(strict)
  const attempt = (current_password: string) => strict.post(path, ada, { current_password, new_password: next })

  const statuses = [await attempt('one'), await attempt('two'), await attempt(ada.password)].map(each => each.status)
  const login = await logIn(ada, ada.password, undefined, strict)

  assert.deepEqual([...statuses, login.status], [401, 401, 429, 200])
})

test('links to choose a new password that were sent before are void, for staff too', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  const { reset_token } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data
  await desk.post('/api/admin/auth/forgot-password', undefined, { email: grace.email })
  const { emails } = await desk.deliver()
  const link = emails.findLast(message => message.to === grace.email)!.text.match(/token=([\w.-]+)/)![1]!

  for (const person of [ada, grace]) {
    await desk.post(path, person, { current_password: person.password, new_password: next })
  }

  const body = { new_password: 'stolen it' }
  assert.equal((await desk.post('/api/auth/reset-password', undefined, { token: reset_token, ...body })).status, 401)
  assert.equal((await desk.post('/api/admin/auth/reset-password', undefined, { token: link, ...body })).status, 401)
})

test('of ten changes at once from the same password one succeeds', async () => {
  const ada = await aClient(desk)
  const tries = Array.from({ length: 10 }, (_, at) => `password ${at}`)

  const replies = await Promise.all(
    tries.map(new_password => desk.post(path, ada, { current_password: ada.password, new_password }))
  )

  const won = replies.findIndex(({ status }) => status === 200)
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)])
  assert.equal((await logIn(ada, tries[won]!)).status, 200)
})

test('the change is in the audit log, without a word of the password', async () => {
  const grace = await aSupporter(desk)
  await desk.post(path, grace, { current_password: grace.password, new_password: next })

  const { data } = await desk.post('/api/admin/audit', await anAdmin(desk), {
    target_type: 'staff',
    target_id: grace.id
  })

  const [{ action, after }] = data.entries
  assert.deepEqual([action, after], ['password.changed', { by: 'password', sessions_ended: 0 }])
})
