import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const guarded = await bootDesk({ config: { production: true, DISCLOSE_CODES: false } })

const address = '/api/auth/send-phone-verification'
let serial = 1000

function aNumber(): string {
  return `+31 20 555 ${++serial}`
}

async function aClientWithPhone(at = desk, given: { is_phone_verified?: boolean } = {}) {
  const phone_number = aNumber()
  return { ...(await aClient(at, { ...given, phone_number })), phone_number }
}

async function openCodesOf(client: { id: number }) {
  return await desk.db
    .selectFrom('verification_codes')
    .where('client_id', '=', client.id)
    .where('is_used', '=', false)
    .selectAll()
    .execute()
}

test('a code of six digits goes by text to a number that some client has, and the answer shows the same code', async () => {
  const client = await aClientWithPhone()

  const reply = await desk.post(address, undefined, { phone_number: ` ${client.phone_number} ` })

  const { messages } = await desk.deliver()
  const message = messages.find(each => each.to === client.phone_number)!
  assert.equal(reply.status, 200)
  assert.equal(reply.data.phone_number, client.phone_number)
  assert.equal(reply.data.expires_in, 900)
  assert.match(reply.data.code, /^\d{6}$/)
  assert.equal(/\b\d{6}\b/.exec(message.text)?.[0], reply.data.code)
})

test('a client with a bearer may name a new number, which is not stored with the account yet', async () => {
  const client = await aClientWithPhone(desk, { is_phone_verified: true })
  const phone_number = aNumber()

  const reply = await desk.post(address, client, { phone_number })

  const row = await desk.db.selectFrom('clients').where('id', '=', client.id).selectAll().executeTakeFirstOrThrow()
  const [code] = await openCodesOf(client)
  assert.equal(reply.data.phone_number, phone_number)
  assert.equal(code!.target, phone_number)
  assert.equal(row.phone_number, client.phone_number)
  assert.equal(row.is_phone_verified, true)
})

test('a client with a bearer who names no number gets a code to that of the account', async () => {
  const client = await aClientWithPhone()

  const reply = await desk.post(address, client)

  assert.equal(reply.data.phone_number, client.phone_number)
})

test('the number is missing for strangers, for supporters, and for clients whose account has none to send to', async () => {
  const askers = [
    undefined,
    { token: 'bad' },
    await aSupporter(desk),
    await aClient(desk),
    await aClient(desk, { phone_number: 'ask my secretary' })
  ]
  const before = await desk.rowCounts()

  for (const asker of askers) {
    const reply = await desk.post(address, asker)

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['phone_number'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test("a number that is nobody's is 404 without a client's bearer and leaves no trace", async () => {
  const supporter = await aSupporter(desk)
  const before = await desk.rowCounts()

  for (const asker of [undefined, { token: 'bad' }, supporter]) {
    assert.equal((await desk.post(address, asker, { phone_number: aNumber() })).status, 404)
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

for (const phone_number of ['abc', '12', '+1 555 CALL', '555;0100', '+1\n555\u00a00100', '1'.repeat(31)]) {
  test(`${JSON.stringify(phone_number)} is no phone number: 400`, async () => {
    const client = await aClient(desk)

    const reply = await desk.post(address, client, { phone_number })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['phone_number'])
  })
}

for (const phone_number of ['112', '+15550100', '(020) 555-01.00/2', '1'.repeat(30)]) {
  test(`${phone_number} is a phone number`, async () => {
    const client = await aClient(desk)

    const reply = await desk.post(address, client, { phone_number })

    assert.equal(reply.data.phone_number, phone_number)
  })
}

test('a number that no text can reach is refused before a code is made; a stored one is as it was given', async () => {
  const desk = await bootDesk({
    services: { texts: { reaches: number => number.startsWith('+'), send: async () => 'taken' } }
  })
  const client = await aClient(desk, { phone_number: '020 555 1001' })
  const before = await desk.rowCounts()

  for (const [asker, body] of [
    [client, { phone_number: '112' }],
    [client, {}],
    [undefined, { phone_number: '020 555 1001' }],
    [undefined, { phone_number: '112' }]
  ] as const) {
    const reply = await desk.post(address, asker, body)

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['phone_number'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal(
    (await desk.post(address, client, { phone_number: '+31 20 555 1001' })).data.phone_number,
    '+31 20 555 1001'
  )
})

test('without a bearer a number that several have is the newest account that has not verified it, else the newest', async () => {
  const phone_number = aNumber()
  const older = await aClient(desk, { phone_number })
  const newer = await aClient(desk, { phone_number })
  const newest = await aClient(desk, { phone_number, is_phone_verified: true })

  const told: number[] = []
  for (let round = 0; round < 3; round++) {
    const { data } = await desk.post(address, undefined, { phone_number })
    const verified = await desk.post('/api/auth/verify-phone', undefined, { phone_number, code: data.code })
    told.push(verified.data.user_id)
  }

  assert.deepEqual(told, [newer.id, older.id, newest.id])
})

test('codes to the phone and to the mail do not void one another', async () => {
  const client = await aClientWithPhone()

  await desk.post(address, client)
  await desk.post('/api/auth/send-email-verification', client)

  const types = (await openCodesOf(client)).map(each => each.type).sort()
  assert.deepEqual(types, ['email', 'phone'])
})

test('with DISCLOSE_CODES=false the code travels by text alone', async () => {
  const client = await aClientWithPhone(guarded)

  const reply = await guarded.post(address, client)

  const { messages } = await guarded.deliver()
  const code = /\b\d{6}\b/.exec(messages.find(each => each.to === client.phone_number)!.text)![0]
  const verified = await guarded.post('/api/auth/verify-phone', client, { code })
  assert.deepEqual(reply.data, { phone_number: client.phone_number, expires_in: 900 })
  assert.equal(verified.status, 200)
})

test('twenty codes asked for at once for several numbers are twenty answers, of which exactly one code is open', async () => {
  const client = await aClient(desk)
  const numbers = Array.from({ length: 20 }, aNumber)

  const replies = await Promise.all(numbers.map(phone_number => desk.post(address, client, { phone_number })))

  assert.deepEqual(new Set(replies.map(each => each.status)), new Set([200]))
  assert.equal((await openCodesOf(client)).length, 1)
})
