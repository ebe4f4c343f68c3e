import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootPasskeysDesk } from '../../../test/support/passkeys-desk.ts'
import { aSupporter, type Person } from '../../../test/support/people.ts'
import { aPasskey, type SoftwarePasskey, signed } from '../../../test/support/software-authenticator.ts'

const { desk } = await bootPasskeysDesk()
const create = '/api/account/tokens/create'

async function proofWith(passkey: SoftwarePasskey) {
  const { options, challenge_id } = (await desk.post('/api/admin/auth/passkey/options')).data
  return { challenge_id, response: signed(passkey, options) }
}

const make = (person: Person, given: object) => desk.post(create, person, { name: 'x', ...given })

test('W7: who signed in long ago proves with a passkey that it is they, once for each token', async () => {
  const grace = await aSupporter(desk)
  const passkey = await aPasskey(desk, grace, 'Key', 1)
  desk.clock.turn(601)
  assert.equal((await make(grace, {})).body.reason, 'reauthentication_required')

  passkey.counter = 2
  const proof = await proofWith(passkey)
  const made = await make(grace, { passkey: proof })
  const again = await make(grace, { name: 'y', passkey: proof })
  passkey.counter = 3
  const replaced = await desk.post('/api/account/tokens/replace', grace, {
    id: made.data.api_token.id,
    passkey: await proofWith(passkey)
  })

  assert.equal(made.status, 201)
  assert.deepEqual([again.status, again.body.reason], [401, 'invalid_passkey'])
  assert.equal(replaced.status, 201)
})

test('W4, W7: a passkey of somebody else proves nothing, and a counter that went back blocks the passkey', async () => {
  const [grace, other] = [await aSupporter(desk), await aSupporter(desk)]
  const [own, theirs] = [await aPasskey(desk, grace, 'Key', 5), await aPasskey(desk, other)]
  desk.clock.turn(601)

  const refused = await make(grace, { passkey: await proofWith(theirs) })
  own.counter = 4
  const copied = await make(grace, { passkey: await proofWith(own) })
  own.counter = 9
  const blocked = await make(grace, { passkey: await proofWith(own) })

  assert.deepEqual([refused.status, refused.body.reason], [401, 'invalid_passkey'])
  for (const { status, body } of [copied, blocked]) assert.deepEqual([status, body.reason], [401, 'passkey_blocked'])
  assert.equal((await desk.post('/api/account/tokens/list', grace)).data.total ?? 0, 0)
})
