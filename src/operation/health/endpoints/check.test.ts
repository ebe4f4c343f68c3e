import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'

const desk = await bootDesk()

test('check says that the service works, to anybody, without data', async () => {
  const reply = await desk.post('/api/check')

  assert.equal(reply.status, 200)
  assert.match(reply.body.message, /check API is working/)
  assert.equal('data' in reply.body, false)
})
