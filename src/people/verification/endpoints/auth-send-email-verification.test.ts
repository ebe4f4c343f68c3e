import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const guarded = await bootDesk({ config: { production: true, DISCLOSE_CODES: false } })

const address = '/api/auth/send-email-verification'

async function codesOf(client: { id: number }) {
  return await desk.db.selectFrom('verification_codes').where('client_id', '=', client.id).selectAll().execute()
}

test('a code of six digits goes by mail to the address in the body, and the answer shows the same code', async () => {
  const client = await aClient(desk)

  const reply = await desk.post(address, undefined, { email: client.email })

  const { emails } = await desk.deliver()
  const mail = emails.find(each => each.to === client.email)!
  assert.equal(reply.status, 200)
  assert.equal(reply.data.email, client.email)
  assert.equal(reply.data.expires_in, 900)
  assert.match(reply.data.code, /^\d{6}$/)
  assert.equal(/\b\d{6}\b/.exec(mail.text)?.[0], reply.data.code)
  assert.equal(mail.subject.includes(reply.data.code), false)
})

test('the code is kept as a digest of 20 characters for 15 minutes, with its type and target', async () => {
  const client = await aClient(desk)

  const { data } = await desk.post(address, undefined, { email: client.email })

  const [row] = await codesOf(client)
  assert.equal(row!.code.length, 20)
  assert.equal(row!.code.includes(data.code), false)
  assert.equal(row!.type, 'email')
  assert.equal(row!.target, client.email)
  assert.equal(row!.expires_at.getTime() - row!.created_at.getTime(), 900_000)
})

test('a client with a bearer need not name the e-mail address', async () => {
  const client = await aClient(desk)

  const reply = await desk.post(address, client)

  assert.equal(reply.data.email, client.email)
  assert.equal((await codesOf(client)).length, 1)
})

test('the address in the body wins over the bearer', async () => {
  const asking = await aClient(desk)
  const named = await aClient(desk)

  const reply = await desk.post(address, asking, { email: named.email.toUpperCase() })

  assert.equal(reply.data.email, named.email)
  assert.equal((await codesOf(named)).length, 1)
  assert.equal((await codesOf(asking)).length, 0)
})

test('with neither, with a bad bearer or with that of a supporter the e-mail address is missing', async () => {
  const supporter = await aSupporter(desk)
  const before = await desk.rowCounts()

  for (const asker of [undefined, { token: 'bad' }, supporter]) {
    const reply = await desk.post(address, asker)

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['email'])
    assert.match(reply.body.message, /Missing required fields: email/)
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('an unknown e-mail address is 404 with or without a bearer, a malformed one 400, and neither leaves a trace', async () => {
  const client = await aClient(desk)
  const before = await desk.rowCounts()

  const statuses = [
    (await desk.post(address, undefined, { email: 'nobody@example.com' })).status,
    (await desk.post(address, client, { email: 'nobody@example.com' })).status,
    (await desk.post(address, client, { email: 'nobody' })).status
  ]

  assert.deepEqual(statuses, [404, 404, 400])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a verified address gets a code as well', async () => {
  const client = await aClient(desk, { is_email_verified: true })

  const reply = await desk.post(address, undefined, { email: client.email })

  assert.equal(reply.status, 200)
})

test('with DISCLOSE_CODES=false the code travels by mail alone', async () => {
  const client = await aClient(guarded)

  const reply = await guarded.post(address, undefined, { email: client.email })

  const { emails } = await guarded.deliver()
  const code = /\b\d{6}\b/.exec(emails.find(each => each.to === client.email)!.text)![0]
  const verified = await guarded.post('/api/auth/verify-email', undefined, { email: client.email, code })
  assert.deepEqual(reply.data, { email: client.email, expires_in: 900 })
  assert.equal(verified.status, 200)
})

test('twenty codes asked for at once are twenty answers, of which exactly one code is open', async () => {
  const client = await aClient(desk)

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => desk.post(address, undefined, { email: client.email }))
  )

  const codes = await codesOf(client)
  assert.deepEqual(new Set(replies.map(each => each.status)), new Set([200]))
  assert.equal(codes.length, 20)
  assert.equal(codes.filter(each => !each.is_used).length, 1)
})

test('the 21st code for an account in five minutes is refused, by mail and by text together, and written nowhere', async () => {
  const client = await aClient(desk, { phone_number: '+1 555 0121' })
  for (let sent = 0; sent < 10; sent++) {
    assert.equal((await desk.post(address, undefined, { email: client.email })).status, 200)
    assert.equal((await desk.post('/api/auth/send-phone-verification', client)).status, 200)
  }
  const before = await desk.rowCounts()

  const refused = await desk.post(address, client)
  const unharmed = await desk.post(address, await aClient(desk))

  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(unharmed.status, 200)
  assert.equal((await desk.rowCounts()).verification_codes, before.verification_codes! + 1)
})
