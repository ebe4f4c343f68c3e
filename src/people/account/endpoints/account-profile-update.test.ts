import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 5 })
const path = '/api/account/profile/update'
let serial = 0
const anAddress = () => `new.${++serial}@example.com`

async function profileOf(person: Person) {
  return (await desk.post('/api/account/profile', person)).data.profile
}

async function messagesTo(email: string): Promise<string[]> {
  const { emails } = await desk.deliver()
  return emails.filter(message => message.to === email).map(message => message.subject)
}

test('what is given is changed, the rest stays, and null empties what need not be there', async () => {
  const ada = await aClient(desk, { company_name: 'Analytical Engines', city: 'London' })

  const reply = await desk.post(path, ada, { first_name: 'Augusta', company_name: null, postcode: 'SW1Y 4JH' })

  assert.equal(reply.status, 200)
  const { first_name, last_name, company_name, city, postcode } = reply.data.profile
  assert.deepEqual(
    [first_name, last_name, company_name, city, postcode],
    ['Augusta', 'Lovelace', '', 'London', 'SW1Y 4JH']
  )
  assert.deepEqual(reply.data.profile, await profileOf(ada))
})

test('a form empties a field with an empty text', async () => {
  const ada = await aClient(desk, { city: 'London' })

  const reply = await desk.post(path, ada, { city: '' }, 'form')

  assert.equal(reply.data.profile.city, '')
})

test('a new phone number is not verified, and the same one stays so', async () => {
  const ada = await aClient(desk, { phone_number: '+14155550123', is_phone_verified: true })

  const same = await desk.post(path, ada, { phone_number: '+14155550123', city: 'Paris' })
  const other = await desk.post(path, ada, { phone_number: '+14155550124' })

  assert.deepEqual(
    [same, other].map(({ data }) => data.profile.is_phone_verified),
    [1, 0]
  )
})

test('a new e-mail address needs the password, is not verified, and the former address is told', async () => {
  const ada = await aClient(desk, { is_email_verified: true })
  const email = anAddress()
  const before = await desk.rowCounts()

  const without = await desk.post(path, ada, { email })
  const wrong = await desk.post(path, ada, { email, current_password: 'wrong horse' })

  assert.deepEqual([without.status, without.body.errors, wrong.status], [400, ['current_password'], 401])
  assert.deepEqual(await desk.rowCounts(), before)
  const { status, data } = await desk.post(path, ada, { email, current_password: ada.password })
  assert.deepEqual([status, data.profile.email, data.profile.is_email_verified], [200, email, 0])
  assert.deepEqual(await messagesTo(ada.email), ['Your e-mail address was changed'])
  assert.deepEqual(await messagesTo(email), [])
  const login = await desk.post('/api/auth/login', undefined, { email, password: ada.password })
  assert.equal(login.status, 200)
})

test('the e-mail to the former address does not name the new one', async () => {
  const ada = await aClient(desk)
  const email = anAddress()

  await desk.post(path, ada, { email, current_password: ada.password })

  const { emails } = await desk.deliver()
  const message = emails.find(each => each.to === ada.email)!
  assert.ok(!`${message.text}${message.html}`.includes(email))
})

test('the address as it is, or in another case, is no new one', async () => {
  const ada = await aClient(desk, { is_email_verified: true })

  const same = await desk.post(path, ada, { email: ada.email, city: 'Paris' })
  const shouted = await desk.post(path, ada, { email: ada.email.toUpperCase(), current_password: ada.password })

  assert.deepEqual([same.status, shouted.status], [200, 200])
  assert.deepEqual([shouted.data.profile.email, shouted.data.profile.is_email_verified], [ada.email.toUpperCase(), 1])
  assert.deepEqual(await messagesTo(ada.email), [])
})

test('links and codes that went to the former address are void', async () => {
  const ada = await aClient(desk)
  const { reset_token } = (await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })).data

  await desk.post(path, ada, { email: anAddress(), current_password: ada.password })

  const reset = await desk.post('/api/auth/reset-password', undefined, {
    token: reset_token,
    new_password: 'stolen it'
  })
  assert.equal(reset.status, 401)
})

test('an e-mail address that another client has is a 409 in any case of letters, and changes nothing', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]

  const body = { first_name: 'Eve', email: ada.email.toUpperCase(), current_password: eve.password }
  const reply = await desk.post(path, eve, body)

  assert.deepEqual([reply.status, reply.body.errors], [409, ['email']])
  const { first_name, email } = await profileOf(eve)
  assert.deepEqual([first_name, email], ['Ada', eve.email])
})

test('of two clients who take the same free address at once one gets it', async () => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => aClient(desk)))
  const email = anAddress()

  const replies = await Promise.all(
    clients.map(client => desk.post(path, client, { email, current_password: client.password }))
  )

  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
})

test('staff change their names and number, and nothing else', async () => {
  const grace = await aSupporter(desk)

  const right = await desk.post(path, grace, { first_name: 'Amazing', phone_number: '+14155550123' })
  const emptied = await desk.post(path, grace, { phone_number: null })
  const wrong = await desk.post(path, grace, { last_name: 'X', email: anAddress(), city: 'Arlington' })

  assert.deepEqual(
    [right.data.profile.first_name, right.data.profile.phone_number, emptied.data.profile.phone_number],
    ['Amazing', '+14155550123', null]
  )
  assert.deepEqual([wrong.status, wrong.body.errors], [400, ['email', 'city']])
  const { last_name, email } = await profileOf(grace)
  assert.deepEqual([last_name, email], ['Hopper', grace.email])
})

test('a version that is no longer the current one is a 409 that tells it', async () => {
  for (const person of [await aClient(desk), await aSupporter(desk)]) {
    const { version } = await profileOf(person)

    const first = await desk.post(path, person, { first_name: 'One', expected_version: version })
    const second = await desk.post(path, person, { first_name: 'Two', expected_version: version })

    assert.deepEqual([first.status, second.status], [200, 409])
    assert.equal(second.data.current_version, first.data.profile.version)
    assert.ok(first.data.profile.version > version)
    assert.equal((await profileOf(person)).first_name, 'One')
  }
})

test('the audit log says which fields were changed, and nothing of what is in them; no change is no entry', async () => {
  const ada = await aClient(desk)
  await desk.post(path, ada, { city: 'Paris', last_name: 'King' })
  await desk.post(path, ada, { city: 'Paris' })

  const { data } = await desk.post('/api/admin/audit', await anAdmin(desk), {
    target_type: 'client',
    target_id: ada.id
  })

  assert.equal(data.total, 1)
  const { action, actor_type, actor_id, before, after } = data.entries[0]
  assert.deepEqual(
    [action, actor_type, actor_id, before, after],
    ['profile.changed', 'client', ada.id, null, { fields: ['last_name', 'city'] }]
  )
})
