import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePasswords } from './passwords.ts'

test('a crowd that signs up, or tries passwords from one network, waits in its own line, and a login does not wait behind it', async () => {
  const passwords = makePasswords()
  const stored = await passwords.hash('correct horse')
  let done = 0
  const signUps = Array.from({ length: 40 }, () =>
    passwords.hash('correct horse', { lane: 'sign-up', group: '203.0.113.9' }).then(() => done++)
  )
  const attempts = Array.from({ length: 40 }, () =>
    passwords.fits('wrong', stored, { turn: { lane: 'client', group: '203.0.113.9' } }).then(() => done++)
  )

  const before = done
  const fits = await Promise.all(
    ['192.0.2.1', '198.51.100.1'].map(group =>
      passwords.fits('correct horse', stored, { turn: { lane: 'client', group } })
    )
  )

  assert.deepEqual(fits, [true, true])
  assert.ok(done - before < 20, `${done - before} of the crowd came first`)
  await Promise.all([...signUps, ...attempts])
})
