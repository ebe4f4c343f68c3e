import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import type { Asker } from '../../../../test/support/requests.ts'

const desk = await bootDesk()
const busy = await bootDesk({ connections: 10 })
const address = '/api/auth/verify-phone'
let serial = 1000

function aNumber(): string {
  return `+31 30 555 ${++serial}`
}

async function codeTo(phone_number: string, asker?: Asker, at: Desk = desk): Promise<string> {
  return (await at.post('/api/auth/send-phone-verification', asker, { phone_number })).data.code
}

async function phoneOf({ id }: { id: number }, at: Desk = desk) {
  return await at.db
    .selectFrom('clients')
    .where('id', '=', id)
    .select(['phone_number', 'is_phone_verified'])
    .executeTakeFirstOrThrow()
}

function wrong(code: string, by = 1): string {
  return code.slice(0, 5) + ((Number(code[5]) + by) % 10)
}

test('the code verifies the number of an account without a bearer', async () => {
  const phone_number = aNumber()
  const client = await aClient(desk, { phone_number })
  const code = await codeTo(phone_number)

  const reply = await desk.post(address, undefined, { phone_number, code })

  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data, { user_id: client.id, phone_number, is_phone_verified: 1 })
  assert.deepEqual(await phoneOf(client), { phone_number, is_phone_verified: true })
})

test("with the client's bearer a new number is stored once it is verified", async () => {
  const client = await aClient(desk, { phone_number: aNumber() })
  const phone_number = aNumber()
  const code = await codeTo(phone_number, client)

  const reply = await desk.post(address, client, { phone_number, code })

  assert.deepEqual(reply.data, { user_id: client.id, phone_number, is_phone_verified: 1 })
  assert.deepEqual(await phoneOf(client), { phone_number, is_phone_verified: true })
})

test('with a bearer alone the code is that for the number of the account', async () => {
  const phone_number = aNumber()
  const client = await aClient(desk, { phone_number })
  const code = await codeTo(phone_number, client)

  const reply = await desk.post(address, client, { code })

  assert.equal(reply.data.phone_number, phone_number)
})

test("a new number cannot be verified without the client's bearer, nor with another's", async () => {
  const phone_number = aNumber()
  const client = await aClient(desk)
  const code = await codeTo(phone_number, client)

  const statuses = [
    (await desk.post(address, undefined, { phone_number, code })).status,
    (await desk.post(address, await aSupporter(desk), { phone_number, code })).status,
    (await desk.post(address, await aClient(desk), { phone_number, code })).status
  ]

  assert.deepEqual(statuses, [404, 404, 400])
  assert.deepEqual(await phoneOf(client), { phone_number: '', is_phone_verified: false })
})

test("a new number that is another account's verifies neither of the two without a bearer", async () => {
  const phone_number = aNumber()
  const owner = await aClient(desk, { phone_number })
  const client = await aClient(desk)
  const code = await codeTo(phone_number, client)

  const reply = await desk.post(address, undefined, { phone_number, code })

  assert.equal(reply.status, 400)
  assert.equal((await phoneOf(owner)).is_phone_verified, false)
  assert.equal((await phoneOf(client)).is_phone_verified, false)
})

test('a code proves the number that it was sent to and no other', async () => {
  const client = await aClient(desk)
  const code = await codeTo(aNumber(), client)

  const reply = await desk.post(address, client, { phone_number: aNumber(), code })

  assert.equal(reply.status, 400)
  assert.equal((await phoneOf(client)).phone_number, '')
})

test('without a bearer a code brings back no number that the account had when it was sent', async () => {
  const phone_number = aNumber()
  const client = await aClient(desk, { phone_number })
  const other = await aClient(desk, { phone_number, is_phone_verified: true })
  const code = await codeTo(phone_number)
  await desk.db.updateTable('clients').set({ phone_number: aNumber() }).where('id', '=', client.id).execute()

  const reply = await desk.post(address, undefined, { phone_number, code })

  assert.equal(reply.status, 400)
  assert.notEqual((await phoneOf(client)).phone_number, phone_number)
  assert.equal((await phoneOf(other)).phone_number, phone_number)
})

test('among accounts that share a number the newest code decides whose it verifies', async () => {
  const phone_number = aNumber()
  const first = await aClient(desk, { phone_number })
  await aClient(desk, { phone_number })
  await codeTo(phone_number)
  const code = await codeTo(phone_number, first)

  const reply = await desk.post(address, undefined, { phone_number, code })

  assert.equal(reply.data.user_id, first.id)
})

test('what is missing is told all at once', async () => {
  const client = await aClient(desk, { phone_number: aNumber() })

  assert.deepEqual((await desk.post(address)).body.errors, ['phone_number', 'code'])
  assert.deepEqual((await desk.post(address, client)).body.errors, ['code'])
  assert.deepEqual((await desk.post(address, undefined, { code: '123456' })).body.errors, ['phone_number'])
  assert.deepEqual((await desk.post(address, await aClient(desk))).body.errors, ['phone_number', 'code'])
})

test("a number that is nobody's is 404", async () => {
  const reply = await desk.post(address, undefined, { phone_number: aNumber(), code: '123456' })

  assert.equal(reply.status, 404)
})

test('a wrong, a used, an expired, a voided and a never sent code are 400 in the same words', async () => {
  const phone_number = aNumber()
  const client = await aClient(desk, { phone_number })
  const never = await desk.post(address, client, { phone_number, code: '123456' })
  const voided = await codeTo(phone_number)
  const code = await codeTo(phone_number)
  const answers = [never, await desk.post(address, client, { code: wrong(code) })]
  // One in a million: both codes are the same.
  if (voided !== code) answers.push(await desk.post(address, client, { code: voided }))
  await desk.post(address, client, { code })
  answers.push(await desk.post(address, client, { code }))
  const expired = await codeTo(phone_number)
  desk.clock.turn(905)
  answers.push(await desk.post(address, undefined, { phone_number, code: expired }))

  assert.deepEqual(new Set(answers.map(each => each.status)), new Set([400]))
  assert.equal(new Set(answers.map(each => each.body.message)).size, 1)
})

test('five wrong tries spend a code', async () => {
  const client = await aClient(desk, { phone_number: aNumber() })
  const { data } = await desk.post('/api/auth/send-phone-verification', client)
  for (let by = 1; by <= 5; by++) await desk.post(address, client, { code: wrong(data.code, by) })

  const reply = await desk.post(address, client, { code: data.code })

  assert.equal(reply.status, 400)
  assert.equal((await phoneOf(client)).is_phone_verified, false)
})

test('wrong codes count for mail and phone together, and are 429 after twenty', async () => {
  const client = await aClient(desk, { phone_number: aNumber() })
  for (let tries = 0; tries < 10; tries++) {
    await desk.post(address, client, { code: '123456' })
    await desk.post('/api/auth/verify-email', client, { code: '123456' })
  }

  const reply = await desk.post(address, client, { code: '123456' })

  assert.equal(reply.status, 429)
})

test('one code used twenty times at once verifies exactly once', async () => {
  const client = await aClient(busy)
  const phone_number = aNumber()
  const code = await codeTo(phone_number, client, busy)

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => busy.post(address, client, { phone_number, code }))
  )

  assert.deepEqual(replies.map(each => each.status).sort(), [200, ...Array(19).fill(400)])
  assert.deepEqual(await phoneOf(client, busy), { phone_number, is_phone_verified: true })
})
