import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'

test('one phone gets no more texts than MAX_TEXTS_PER_NUMBER from any number of accounts, however its number is written', async () => {
  const desk = await bootDesk({ config: { MAX_TEXTS_PER_NUMBER: 3 } })
  const spellings = ['+31 6 1234 5678', '+31612345678', '+31-6-12345678', '+31 (6) 12 34 56 78', '+31612345678']
  const statuses = []

  for (const phone_number of spellings) {
    statuses.push((await desk.post('/api/auth/send-phone-verification', await aClient(desk), { phone_number })).status)
  }
  const other = await desk.post('/api/auth/send-phone-verification', await aClient(desk), {
    phone_number: '+31687654321'
  })

  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  assert.equal(other.status, 200)
  assert.equal((await desk.deliver()).messages.length, 4)
})
