import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'

const desk = await bootDesk({ connections: 5 })
const address = '/api/admin/clients/create'
const day = 86_400
let serial = 0

const person = (given: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: `invited.${++serial}@example.com`,
  ...given
})

async function emailTo(email: string) {
  const { emails } = await desk.deliver()
  return emails.filter(each => each.to === email).at(-1)!
}

async function tokenOf(email: string): Promise<string> {
  return /token=([\w.-]+)&/.exec((await emailTo(email)).text)![1]!
}

test('a client is created as at sign-up, but without a password: nobody is told a token, and an e-mail invites', async () => {
  const grace = await aSupporter(desk, 'clients.create')
  const given = person({ phone_number: '+14155550123', company_name: 'Engines', street_address_2: 'Second floor' })

  const reply = await desk.post(address, grace, { ...given, password: 'chosen by staff', is_active: 0 })

  const message = await emailTo(given.email)
  const { client } = reply.data
  assert.equal(reply.status, 201)
  assert.deepEqual({ ...client, ...given }, client)
  assert.deepEqual([client.city, client.is_active, client.is_email_verified, client.role], ['', 1, 0, 'client'])
  assert.match(message.text, /http:\/\/localhost:3000\/reset-password\?token=[\w.-]+&email=invited/)
  assert.match(message.text, /within 7 days/)
  assert.doesNotMatch(message.text, /Ada|Engines/)
  assert.doesNotMatch(JSON.stringify(reply.body), /token|eyJ/)
  const login = await desk.post('/api/auth/login', undefined, { email: given.email, password: 'chosen by staff' })
  assert.equal(login.status, 401)
})

test('the invitation chooses the first password, on the seventh day as well, and once', async t => {
  const { email } = (await desk.post(address, await aSupporter(desk, 'clients.create'), person())).data.client
  const token = await tokenOf(email)
  t.after(() => desk.clock.turn(-(7 * day - 60)))
  desk.clock.turn(7 * day - 60)

  const chosen = await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'correct horse' })
  const again = await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'battery staple' })

  const login = await desk.post('/api/auth/login', undefined, { email, password: 'correct horse' })
  assert.deepEqual([chosen.status, again.status, login.status], [200, 401, 200])
})

test('after seven days the invitation is over, and forgot-password goes on from there', async t => {
  const { email } = (await desk.post(address, await aSupporter(desk, 'clients.create'), person())).data.client
  const token = await tokenOf(email)
  t.after(() => desk.clock.turn(-7 * day))
  desk.clock.turn(7 * day)

  const late = await desk.post('/api/auth/reset-password', undefined, { token, new_password: 'correct horse' })
  const forgot = await desk.post('/api/auth/forgot-password', undefined, { email })

  assert.deepEqual([late.status, forgot.status], [401, 200])
})

test('an e-mail address that has an account, in whatever case, is a 409 that writes nothing', async () => {
  const grace = await aSupporter(desk, 'clients.create')
  const { email } = await aClient(desk)
  const before = await desk.rowCounts()

  const reply = await desk.post(address, grace, person({ email: email.toUpperCase() }))

  assert.equal(reply.status, 409)
  assert.deepEqual(reply.body.errors, ['email'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('of several at once for one address, and a sign-up among them, one succeeds and one e-mail goes out', async () => {
  const grace = await aSupporter(desk, 'clients.create')
  const given = person()

  const replies = await Promise.all([
    ...Array.from({ length: 4 }, () => desk.post(address, grace, given)),
    desk.post('/api/auth/signup', undefined, { ...given, password: 'correct horse' })
  ])

  const { emails } = await desk.deliver()
  const isInvited = replies.slice(0, 4).some(each => each.status === 201)
  assert.deepEqual(replies.map(each => each.status).sort(), [201, 409, 409, 409, 409])
  assert.equal(emails.filter(each => each.to === given.email).length, isInvited ? 1 : 0)
})

test('who created it is recorded, without anything of the person', async () => {
  const grace = await aSupporter(desk, 'clients.create')

  const { client } = (await desk.post(address, grace, person())).data

  const entry = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'client.created')
    .where('target_id', '=', client.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([entry.actor_id, entry.actor_name, entry.after], [grace.id, 'Grace Hopper', null])
})
