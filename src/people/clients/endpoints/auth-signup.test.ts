import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { verify } from '@node-rs/argon2'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'
import { makePasswords } from '../../../platform/secrets/passwords.ts'

const desk = await bootDesk({ services: { passwords: makePasswords() } })
const atOnce = await bootDesk({ connections: 10 })
const path = '/api/auth/signup'

function aPerson(email: string) {
  return { first_name: 'Ada', last_name: 'Lovelace', email, password: 'correct horse' }
}

async function clientWith(email: string) {
  return await desk.db.selectFrom('clients').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
}

test('signup answers 201 with id, names and e-mail, and nothing else', async () => {
  const reply = await desk.post(path, undefined, aPerson('ada@example.com'))

  assert.equal(reply.status, 201)
  const { id } = await clientWith('ada@example.com')
  assert.deepEqual(reply.data, { user_id: id, first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  assert.ok(!JSON.stringify(reply.body).includes('correct horse'))
})

test('what is optional becomes the empty text, and a new account is active and unverified', async () => {
  await desk.post(path, undefined, aPerson('plain@example.com'))

  const client = await clientWith('plain@example.com')
  const { phone_number, company_name, street_address, street_address_2, city, state, postcode } = client
  assert.deepEqual(
    [phone_number, company_name, street_address, street_address_2, city, state, postcode],
    ['', '', '', '', '', '', '']
  )
  assert.deepEqual(
    [client.is_active, client.is_email_verified, client.is_phone_verified, client.two_factor_enabled],
    [true, false, false, false]
  )
})

for (const encoding of ['json', 'form', 'multipart'] as const) {
  test(`every field is kept as it was sent as ${encoding}, trimmed but for the password`, async () => {
    const address = {
      phone_number: '+14155550123',
      company_name: 'Analytical Engines',
      street_address: '12 St James Square',
      street_address_2: 'Second floor',
      city: 'London',
      state: 'Greater London',
      postcode: 'SW1Y 4JH'
    }
    const email = `Full.${encoding}@Example.com`

    const reply = await desk.post(
      path,
      undefined,
      { ...aPerson(` ${email} `), ...address, first_name: ' Ada ', password: ' spaced out ' },
      encoding
    )

    assert.equal(reply.status, 201)
    assert.equal(reply.data.email, email)
    const client = await clientWith(email)
    assert.equal(client.first_name, 'Ada')
    for (const [name, value] of Object.entries(address)) assert.equal(client[name as keyof typeof address], value)
    assert.ok(await verify(client.password, createHash('sha256').update(' spaced out ').digest('hex')))
  })
}

test('a password is stored as argon2id over its SHA-256', async () => {
  await desk.post(path, undefined, aPerson('hashed@example.com'))

  const { password } = await clientWith('hashed@example.com')
  assert.match(password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.ok(await verify(password, createHash('sha256').update('correct horse').digest('hex')))
})

test('an account is as old as the clock says', async () => {
  desk.clock.turn(86_400)

  await desk.post(path, undefined, aPerson('tomorrow@example.com'))

  const { created_at, updated_at } = await clientWith('tomorrow@example.com')
  assert.ok(Math.abs(created_at.getTime() - desk.clock.now().getTime()) < 60_000)
  assert.deepEqual(updated_at, created_at)
})

test('missing fields are named all at once', async () => {
  const reply = await desk.post(path, undefined, { first_name: '  ', email: 'who@example.com' })

  assert.equal(reply.status, 400)
  assert.equal(reply.body.message, 'Missing required fields: first_name, last_name, password')
  assert.deepEqual(reply.body.errors, ['first_name', 'last_name', 'password'])
})

test('a malformed e-mail address and a password of five characters are refused, and nothing is written', async () => {
  const before = await desk.rowCounts()

  const malformed = await desk.post(path, undefined, aPerson('ada.example.com'))
  const short = await desk.post(path, undefined, { ...aPerson('short@example.com'), password: '12345' })

  assert.deepEqual([malformed.status, malformed.body.errors], [400, ['email']])
  assert.equal(malformed.body.message, 'Invalid e-mail format')
  assert.deepEqual([short.status, short.body.errors], [400, ['password']])
  assert.match(short.body.message, /at least 6 characters/)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('six characters are enough for a password, however many bytes they take', async () => {
  const reply = await desk.post(path, undefined, { ...aPerson('six@example.com'), password: '\u{1f40e}éñ123' })

  assert.equal(reply.status, 201)
})

test('an e-mail address that is registered in another case is a 409, and nothing is written', async () => {
  await desk.post(path, undefined, aPerson('Once@example.com'))
  const before = await desk.rowCounts()

  const reply = await desk.post(path, undefined, aPerson('oNCE@EXAMPLE.com'))

  assert.equal(reply.status, 409)
  assert.match(reply.body.message, /exists already/)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a member of staff has that e-mail address: that is another population, and no conflict', async () => {
  await desk.db
    .insertInto('staff')
    .values({ first_name: 'Grace', last_name: 'Hopper', email: 'both@example.com', password: '-' })
    .execute()

  const reply = await desk.post(path, undefined, aPerson('both@example.com'))

  assert.equal(reply.status, 201)
})

test('whoever follows the log of events hears of a sign-up, by the client; the audit log does not tell of it', async () => {
  const { data } = await desk.post(path, undefined, aPerson('told@example.com'))

  const event = desk.db.selectFrom('events').where('client_id', '=', data.user_id)
  assert.deepEqual(await event.select(['kind', 'actor_type', 'actor_id', 'actor_name', 'is_audited']).execute(), [
    {
      kind: 'client.created',
      actor_type: 'client',
      actor_id: data.user_id,
      actor_name: 'Ada Lovelace',
      is_audited: false
    }
  ])
})

test('nobody signs up with an id, a role or flags of their own choice', async () => {
  const reply = await desk.post(path, undefined, {
    ...aPerson('pushy@example.com'),
    id: 999,
    user_id: 999,
    role: 'admin',
    is_active: 0,
    is_email_verified: 1,
    two_factor_enabled: 1
  })

  assert.equal(reply.status, 201)
  const client = await clientWith('pushy@example.com')
  assert.notEqual(client.id, 999)
  assert.deepEqual([client.is_active, client.is_email_verified, client.two_factor_enabled], [true, false, false])
})

test('one e-mail address signed up thirty times at once makes one account and 29 conflicts', async () => {
  const emails = Array.from({ length: 30 }, (_, at) => (at % 2 ? 'race@example.com' : 'RACE@example.com'))

  const replies = await Promise.all(emails.map(email => atOnce.post(path, undefined, aPerson(email))))

  const statuses = replies.map(reply => reply.status).sort()
  assert.deepEqual(statuses, [201, ...Array.from({ length: 29 }, () => 409)])
  assert.equal((await atOnce.rowCounts()).clients, 1)
})

test('nobody gets an account with an address of the desk itself, which would write to itself', async () => {
  const admin = await anAdmin(desk)
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })
  const client = await aClient(desk)
  const before = await desk.rowCounts()

  const replies = [
    await desk.post(path, undefined, aPerson('Support+me@DESK.example')),
    await desk.post('/api/admin/clients/create', admin, { ...aPerson('support@desk.example'), password: undefined }),
    await desk.post('/api/admin/clients/update', admin, { id: client.id, email: 'support@desk.example' }),
    await desk.post('/api/account/profile/update', client, {
      email: 'support@desk.example',
      current_password: client.password
    })
  ]

  assert.deepEqual(
    replies.map(({ status, body }) => [status, body.reason]),
    Array(4).fill([409, 'email_taken'])
  )
  assert.deepEqual(await desk.rowCounts(), before)
})
