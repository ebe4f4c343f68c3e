import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const busy = await bootDesk({ connections: 10 })
const address = '/api/auth/verify-email'

async function codeFor(client: Person, at: Desk = desk): Promise<string> {
  return (await at.post('/api/auth/send-email-verification', undefined, { email: client.email })).data.code
}

async function isVerified(client: Person, at: Desk = desk): Promise<boolean> {
  const row = await at.db
    .selectFrom('clients')
    .where('id', '=', client.id)
    .select('is_email_verified')
    .executeTakeFirstOrThrow()
  return row.is_email_verified
}

/** The same first five digits, and another last one. */
function wrong(code: string, by = 1): string {
  return code.slice(0, 5) + ((Number(code[5]) + by) % 10)
}

test('the code verifies the address, whatever its case and whatever blanks came along', async () => {
  const client = await aClient(desk)
  const code = await codeFor(client)

  const reply = await desk.post(address, undefined, { email: client.email.toUpperCase(), code: ` ${code} ` })

  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data, { user_id: client.id, email: client.email, is_email_verified: 1 })
  assert.equal(await isVerified(client), true)
})

test('forms carry codes with leading zeros as they are', async () => {
  const client = await aClient(desk)
  let code = await codeFor(client)
  // One code in ten begins with a zero: request codes until one does, without the rate limit.
  while (!code.startsWith('0')) {
    await desk.db.deleteFrom('rate_limits').execute()
    code = await codeFor(client)
  }

  const reply = await desk.post(address, undefined, { email: client.email, code }, 'form')

  assert.equal(reply.status, 200)
})

test('a client with a bearer need not name the address', async () => {
  const client = await aClient(desk)
  const code = await codeFor(client)

  const reply = await desk.post(address, client, { code })

  assert.equal(reply.data.user_id, client.id)
  assert.equal(await isVerified(client), true)
})

test('the address in the body wins over the bearer', async () => {
  const asking = await aClient(desk)
  const named = await aClient(desk)
  const code = await codeFor(named)

  const reply = await desk.post(address, asking, { email: named.email, code })

  assert.equal(reply.data.user_id, named.id)
  assert.equal(await isVerified(asking), false)
})

test('what is missing is told all at once; a supporter stands in for no address', async () => {
  const client = await aClient(desk)
  const supporter = await aSupporter(desk)

  assert.deepEqual((await desk.post(address)).body.errors, ['email', 'code'])
  assert.deepEqual((await desk.post(address, supporter)).body.errors, ['email', 'code'])
  assert.deepEqual((await desk.post(address, client)).body.errors, ['code'])
  assert.deepEqual((await desk.post(address, supporter, { code: '123456' })).body.errors, ['email'])
})

for (const code of ['12345', '1234567', '12345a', '１２３４５６', '']) {
  test(`"${code}" is no code: 400`, async () => {
    const client = await aClient(desk)

    const reply = await desk.post(address, undefined, { email: client.email, code })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['code'])
  })
}

test('an unknown e-mail address is 404', async () => {
  const reply = await desk.post(address, undefined, { email: 'nobody@example.com', code: '123456' })

  assert.equal(reply.status, 404)
})

test('a wrong, a used, an expired, a voided and a never sent code are 400 in the same words, and verify nothing', async () => {
  const [wrongly, late, twice, never] = [
    await aClient(desk),
    await aClient(desk),
    await aClient(desk),
    await aClient(desk)
  ]
  const voided = await codeFor(twice)
  const newer = await codeFor(twice)
  const right = await codeFor(wrongly)
  const expired = await codeFor(late)
  const answers = [
    await desk.post(address, undefined, { email: wrongly.email, code: wrong(right) }),
    await desk.post(address, undefined, { email: never.email, code: '123456' })
  ]
  // One in a million: both codes are the same.
  if (voided !== newer) answers.push(await desk.post(address, undefined, { email: twice.email, code: voided }))
  await desk.post(address, undefined, { email: twice.email, code: newer })
  answers.push(await desk.post(address, undefined, { email: twice.email, code: newer }))
  desk.clock.turn(905)
  answers.push(await desk.post(address, undefined, { email: late.email, code: expired }))

  assert.deepEqual(new Set(answers.map(each => each.status)), new Set([400]))
  assert.equal(new Set(answers.map(each => each.body.message)).size, 1)
  for (const client of [wrongly, late, never]) assert.equal(await isVerified(client), false)
})

test('a code works for 15 minutes', async () => {
  const client = await aClient(desk)
  const code = await codeFor(client)
  desk.clock.turn(890)

  const reply = await desk.post(address, undefined, { email: client.email, code })

  assert.equal(reply.status, 200)
})

test('after four wrong tries the right code works, after five it is spent', async () => {
  for (const [tries, status] of [
    [4, 200],
    [5, 400]
  ] as const) {
    const client = await aClient(desk)
    const code = await codeFor(client)
    for (let by = 1; by <= tries; by++) {
      assert.equal((await desk.post(address, undefined, { email: client.email, code: wrong(code, by) })).status, 400)
    }

    const reply = await desk.post(address, undefined, { email: client.email, code })

    assert.equal(reply.status, status)
  }
})

test('a new code brings five new tries', async () => {
  const client = await aClient(desk)
  const code = await codeFor(client)
  for (let by = 1; by <= 5; by++) await desk.post(address, undefined, { email: client.email, code: wrong(code, by) })

  const reply = await desk.post(address, undefined, { email: client.email, code: await codeFor(client) })

  assert.equal(reply.status, 200)
})

test('the code of one client, or of the phone, verifies no other address', async () => {
  const client = await aClient(desk, { phone_number: '+1 555 0190' })
  const other = await aClient(desk)
  const [own, others] = [await codeFor(client), await codeFor(other)]
  const phone: string = (await desk.post('/api/auth/send-phone-verification', client)).data.code

  for (const code of [others, phone].filter(each => each !== own)) {
    assert.equal((await desk.post(address, undefined, { email: client.email, code })).status, 400)
  }
})

test('the 21st wrong code for an account in five minutes is 429, however many codes were sent', async () => {
  const client = await aClient(desk)
  for (let sent = 0; sent < 4; sent++) {
    const code = await codeFor(client)
    for (let by = 1; by <= 5; by++) await desk.post(address, undefined, { email: client.email, code: wrong(code, by) })
  }
  const code = await codeFor(client)

  const refused = await desk.post(address, undefined, { email: client.email, code })
  desk.clock.turn(301)
  const later = await desk.post(address, undefined, { email: client.email, code })

  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(later.status, 200)
})

test('a right code clears the count of wrong ones', async () => {
  const client = await aClient(desk)
  for (let round = 0; round < 6; round++) {
    const code = await codeFor(client)
    for (let by = 1; by <= 4; by++) await desk.post(address, undefined, { email: client.email, code: wrong(code, by) })

    assert.equal((await desk.post(address, undefined, { email: client.email, code })).status, 200)
  }
})

test('one code used twenty times at once verifies exactly once', async () => {
  const client = await aClient(busy)
  const code = await codeFor(client, busy)

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => busy.post(address, undefined, { email: client.email, code }))
  )

  assert.deepEqual(replies.map(each => each.status).sort(), [200, ...Array(19).fill(400)])
  assert.equal(await isVerified(client, busy), true)
})

test('of a hundred guesses at once no more than five are judged', async () => {
  const client = await aClient(busy)
  const code = await codeFor(client, busy)

  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      busy.post(address, undefined, { email: client.email, code: wrong(code, 1 + (at % 9)) })
    )
  )

  const { attempts } = await busy.db
    .selectFrom('verification_codes')
    .where('client_id', '=', client.id)
    .select('attempts')
    .executeTakeFirstOrThrow()
  assert.equal(attempts, 5)
  assert.equal(replies.filter(each => each.status === 429).length, 80)
})

test('sending and verifying at once all end well', async () => {
  const client = await aClient(busy)
  let code = await codeFor(client, busy)

  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      if (at % 2) return (await busy.post(address, undefined, { email: client.email, code })).status
      const sent = await busy.post('/api/auth/send-email-verification', undefined, { email: client.email })
      code = sent.data?.code ?? code
      return sent.status
    })
  )

  assert.ok(statuses.every(status => status === 200 || status === 400))
})
