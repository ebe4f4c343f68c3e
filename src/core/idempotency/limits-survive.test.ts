import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnTwoFactorOn, wrongCode } from '../../../test/support/authenticator.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { maxCodeAttempts } from '../limits.ts'

// Attempts stay counted when the request is rolled back: otherwise the header would bypass every rate limit.

const most = 3
const desk = await bootDesk({
  config: { MAX_WRONG_PASSWORDS: most, MAX_WRONG_FACTORS: most, MAX_WRONG_CODES: most + maxCodeAttempts }
})
const opening = { department_id: 1, subject: 'The printer is on fire', message: 'Please hurry.' }

/** The statuses of this many requests, each with its own key. */
async function statusesOf(times: number, path: string, asker: Person | undefined, body: object): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) {
    statuses.push((await postWithKey(desk, newIdempotencyKey(), path, asker, body)).status)
  }
  return statuses
}

function emailsTo({ email }: Person) {
  return desk.outbox.emails.filter(({ to }) => to === email)
}

test('wrong passwords that come with keys are counted, and the owner is told of them', async () => {
  const ada = await aClient(desk)
  const guess = { current_password: 'wrong', new_password: 'battery staple' }

  const statuses = await statusesOf(most + 2, '/api/account/password', ada, guess)
  const withoutKey = await desk.post('/api/account/password', ada, { ...guess, current_password: ada.password })
  await desk.deliver()

  assert.deepEqual(statuses, [...Array(most).fill(401), 429, 429])
  assert.equal(withoutKey.status, 429)
  assert.equal(emailsTo(ada).length, 1)
})

test('right passwords that come with keys are forgiven', async () => {
  const ada = await aClient(desk)
  const change = { phone_number: '+14155550123', email: ada.email, current_password: ada.password }

  for (let time = 0; time < most + 2; time++) {
    const email = `ada.${time}.again@example.com`
    const reply = await postWithKey(desk, newIdempotencyKey(), '/api/account/profile/update', ada, { ...change, email })
    assert.equal(reply.status, 200)
  }
})

test('wrong codes of the second factor that come with keys are counted', async () => {
  const ada = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, ada)
  const body = { code: wrongCode(secret, desk.clock.now()) }

  const statuses = await statusesOf(most + 1, '/api/auth/2fa/disable', ada, body)

  assert.deepEqual(statuses, [...Array(most).fill(401), 429])
})

test('wrong codes for an e-mail address that come with keys spend the one that was sent', async () => {
  const ada = await aClient(desk)
  const sent = await postWithKey(desk, newIdempotencyKey(), '/api/auth/send-email-verification', ada, {})
  await desk.deliver()
  const [code] = /\b\d{6}\b/.exec(emailsTo(ada).at(-1)!.text)!
  const wrong = code === '000000' ? '111111' : '000000'

  const statuses = await statusesOf(maxCodeAttempts, '/api/auth/verify-email', ada, { code: wrong })
  const right = await postWithKey(desk, newIdempotencyKey(), '/api/auth/verify-email', ada, { code })

  assert.equal(sent.status, 200)
  assert.deepEqual(statuses, Array(maxCodeAttempts).fill(400))
  assert.equal(right.status, 400)
})

test('a code that is right is used up once, and whoever repeats the request hears so again', async () => {
  const ada = await aClient(desk)
  await desk.post('/api/auth/send-email-verification', ada, {})
  await desk.deliver()
  const [code] = /\b\d{6}\b/.exec(emailsTo(ada).at(-1)!.text)!
  const key = newIdempotencyKey()
  const verify = (key: string) => postWithKey(desk, key, '/api/auth/verify-email', ada, { code })

  const [first, again, anew] = [await verify(key), await verify(key), await verify(newIdempotencyKey())]

  assert.deepEqual([first.status, again.status, isReplayed(again), anew.status], [200, 200, true, 400])
})

test('what a client may do in an hour is counted with keys as without, and not for answers that were given before', async () => {
  const config = { MAX_TICKETS_PER_CLIENT: 2, MAX_SIGNUPS_PER_NETWORK: 1 }
  const desk = await bootDesk({ config })
  const ada = await aClient(desk)
  const open = (key: string) => postWithKey(desk, key, '/api/tickets/create', ada, opening)
  const person = { first_name: 'Mary', last_name: 'Shelley', password: 'correct horse' }
  const signUp = (email: string) =>
    postWithKey(desk, newIdempotencyKey(), '/api/auth/signup', undefined, { ...person, email })
  const key = newIdempotencyKey()

  const opened = [
    await open(key),
    await open(key),
    await open(key),
    await open(newIdempotencyKey()),
    await open(newIdempotencyKey())
  ]
  const signedUp = [await signUp('mary@example.com'), await signUp('percy@example.com')]

  assert.deepEqual(
    opened.map(reply => reply.status),
    [201, 201, 201, 201, 429]
  )
  assert.deepEqual(
    signedUp.map(reply => reply.status),
    [201, 429]
  )
})

test('links that staff have sent with keys are counted, whether they went out or not', async () => {
  const desk = await bootDesk({ config: { MAX_RESET_MAILS: 2 } })
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  const send = () => postWithKey(desk, newIdempotencyKey(), '/api/admin/clients/send_reset', admin, { id: ada.id })

  const statuses = [(await send()).status, (await send()).status, (await send()).status]

  assert.deepEqual(statuses, [200, 200, 429])
})
