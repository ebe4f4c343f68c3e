import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { isSameEmail } from './same-email.ts'

const desk = await bootDesk()

test('two addresses are the same for all that compares them exactly where they cannot both have an account', async () => {
  const pairs = [
    ['ADA@example.com', 'ada@EXAMPLE.com'],
    ['INFO@example.com', 'info@example.com'],
    ['İ@example.com', 'i̇@example.com'],
    ['İz@example.com', 'iz@example.com'],
    ['straße@example.com', 'STRASSE@example.com'],
    ['ẞ@example.com', 'ß@example.com'],
    ['Ünal@example.com', 'ünal@example.com']
  ] as const

  for (const [one, other] of pairs) {
    const isSame = await isSameEmail(desk.db, one, other)
    await aClient(desk, { email: one })
    const second = aClient(desk, { email: other })
    if (isSame) await assert.rejects(second, { code: '23505' }, one)
    else await second
    await desk.db.deleteFrom('clients').execute()
  }
  assert.equal(await isSameEmail(desk.db, ...pairs[0]), true)
})

test('a login finds the account of exactly these', async () => {
  const ada = await aClient(desk, { email: 'iris@example.com' })

  for (const email of ['IRIS@Example.com', 'İris@example.com', 'ırıs@example.com', 'iriß@example.com']) {
    const { status } = await desk.post('/api/auth/login', undefined, { email, password: ada.password })
    assert.equal(status, (await isSameEmail(desk.db, email, ada.email)) ? 200 : 401, email)
  }
})

test('the time of the last change does not go back with a clock that does', async t => {
  const ada = await aClient(desk)
  const changedAt = async () =>
    (await desk.db.selectFrom('clients').where('id', '=', ada.id).select('updated_at').executeTakeFirstOrThrow())
      .updated_at
  await desk.post('/api/account/profile/update', ada, { city: 'London' })
  const before = await changedAt()
  t.after(() => desk.clock.turn(600))

  desk.clock.turn(-600)
  const { status } = await desk.post('/api/account/profile/update', ada, { city: 'Paris' })

  assert.equal(status, 200)
  assert.deepEqual(await changedAt(), before)
})
