import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePasswords } from './passwords.ts'

test('a crowd that signs up waits in its own line, and a login does not wait behind it', async () => {
  const passwords = makePasswords()
  const stored = await passwords.hash('correct horse')
  let signedUp = 0
  const crowd = Array.from({ length: 40 }, () => passwords.hash('correct horse', 'stranger').then(() => signedUp++))

  const fits = await passwords.fits('correct horse', stored)

  assert.equal(fits, true)
  assert.ok(signedUp < 20, `${signedUp} sign-ups came first`)
  await Promise.all(crowd)
})
