import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiToken } from '../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { listen } from '../../../test/support/streams.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { sweepExpired } from '../../mail/outbox/sweep.ts'

const desk = await bootDesk({ connections: 5 })
const aToken = (owner: Person, given: object = {}) => anApiToken(desk, owner, given)

const profile = '/api/account/profile'

test('a token ends when it is revoked, by its owner or an admin, and when it expires', async () => {
  const [owner, other, admin] = [await aClient(desk), await aClient(desk), await anAdmin(desk)]
  const [first, second] = [await aToken(owner), await aToken(owner)]
  const expires_at = new Date(desk.clock.now().getTime() + 3_600_000).toISOString()
  const third = await aToken(owner, { expires_at })

  const stranger = await desk.post('/api/account/tokens/revoke', other, { id: first.api_token.id })
  assert.deepEqual([stranger.status, stranger.body.reason], [404, 'token_not_found'])
  assert.equal((await desk.post('/api/account/tokens/revoke', owner, { id: first.api_token.id })).status, 200)
  assert.equal((await desk.post('/api/admin/tokens/revoke', admin, { id: second.api_token.id })).status, 200)
  assert.equal((await desk.post('/api/admin/tokens/revoke', admin, { id: second.api_token.id })).status, 404)

  assert.deepEqual([(await desk.post(profile, first)).status, (await desk.post(profile, second)).status], [401, 401])
  assert.equal((await desk.post(profile, third)).status, 200)
  desk.clock.turn(3601)
  assert.equal((await desk.post(profile, third)).status, 401)
})

test('a token ends with its owner: deactivated, deleted or erased', async () => {
  const admin = await anAdmin(desk)
  const [supporter, gone, client] = [await aSupporter(desk), await aSupporter(desk), await aClient(desk)]
  const tokens = [await aToken(supporter), await aToken(gone), await aToken(client)]

  await desk.post('/api/admin/staff/update', admin, { id: supporter.id, is_active: 0 })
  await desk.post('/api/admin/staff/update', admin, { id: supporter.id, is_active: 1 })
  await desk.post('/api/admin/staff/delete', admin, { id: gone.id })
  const erased = await desk.post('/api/admin/clients/delete', admin, {
    id: client.id,
    mode: 'cascade',
    confirm_email: client.email
  })

  assert.equal(erased.status, 200, JSON.stringify(erased.body))
  for (const each of tokens) assert.equal((await desk.post(profile, each)).status, 401)
  const left = await desk.db.selectFrom('api_tokens').select('id').execute()
  const ids = tokens.map(({ api_token }) => api_token.id)
  assert.deepEqual(
    left.filter(({ id }) => ids.slice(1).includes(id)),
    []
  )
})

test('tokens stay when their owner changes the password or ends the other sessions, and end when it is reset', async () => {
  const owner = await aClient(desk)
  const { token } = await aToken(owner)
  const change = { current_password: owner.password, new_password: 'battery staple' }

  assert.equal((await desk.post('/api/account/password', owner, change)).status, 200)
  assert.equal((await desk.post('/api/account/sessions/revoke', owner, { others: 1 })).status, 200)
  assert.equal((await desk.post(profile, { token })).status, 200)
  const { reset_token } = (await desk.post('/api/auth/forgot-password', undefined, { email: owner.email })).data
  const reset = { token: reset_token, new_password: 'staple battery' }
  assert.equal((await desk.post('/api/auth/reset-password', undefined, reset)).status, 200)

  assert.equal((await desk.post(profile, { token })).status, 401)
})

test('who signed in more than ten minutes ago gives the password to make a token', async () => {
  const owner = await aClient(desk)
  desk.clock.turn(601)
  const create = (given: object) => desk.post('/api/account/tokens/create', owner, { name: 'x', ...given })
  const before = await desk.rowCounts()

  const without = await create({})
  assert.deepEqual([without.status, without.body.reason], [403, 'reauthentication_required'])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.equal((await create({ password: 'wrong one' })).status, 401)
  assert.equal((await create({ password: owner.password })).status, 201)
})

test('the names of an account’s tokens differ, and there are at most twenty, also when they are made at once', async () => {
  const [owner, other] = [await aClient(desk), await aClient(desk)]
  const create = (person: Person, name: string) => desk.post('/api/account/tokens/create', person, { name })

  const twice = await Promise.all([create(owner, 'same'), create(owner, 'same')])
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [201, 409])
  for (let number = 0; number < 20; number++) await create(other, `n${number}`)
  const full = await create(other, 'one more')
  assert.deepEqual([full.status, full.body.reason], [409, 'too_many_tokens'])
})

test('a key of one token does not replay the answer given to another', async () => {
  const client = await aClient(desk)
  const { ticket_id } = await aTicket(desk, client)
  const [first, second] = [await aToken(client), await aToken(client)]
  const reply = (token: string) =>
    fetch(`${desk.url}/api/tickets/reply`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': 'k' },
      body: JSON.stringify({ id: ticket_id, message: 'Once' })
    })

  const answers = [await reply(first.token), await reply(first.token), await reply(second.token)]

  assert.deepEqual(
    answers.map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true', null]
  )
})

test('files are downloaded with a token by whoever it acts for', async () => {
  const [owner, other] = [await aClient(desk), await aClient(desk)]
  const { attachments } = await aTicket(desk, owner, {}, [aFile('a.txt')])
  const statusFor = async (person: Person) => {
    const { token } = await aToken(person)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(desk.url + attachments[0].file_path, { headers })
    await answer.body?.cancel()
    return answer.status
  }

  assert.deepEqual([await statusFor(owner), await statusFor(other)], [200, 404])
})

test('a token is looked up after the application secret was replaced, and under the new one from then on', async () => {
  const owner = await aClient(desk)
  const { token, api_token } = await aToken(owner)
  const digests = async () =>
    await desk.db.selectFrom('api_tokens').where('id', '=', api_token.id).select('digest').executeTakeFirst()
  const former = `${'x'.repeat(42)}0`
  const keys = { ...desk.services.keys, digests: () => [former, desk.services.keys.digest('api-token', token)] }
  await desk.db.updateTable('api_tokens').set({ digest: former }).where('id', '=', api_token.id).execute()
  const { authenticate } = await import('../../core/api-tokens/authenticate.ts')

  const session = await authenticate({ ...desk.services, keys }, `Bearer ${token}`, '192.0.2.77')

  assert.equal(session?.actor.id, owner.id)
  assert.deepEqual(await digests(), { digest: desk.services.keys.digest('api-token', token) })
})

test('a token listens to the event stream, and is cut off when it is revoked', async () => {
  const [admin, owner] = [await anAdmin(desk), await aSupporter(desk, 'tickets.view_all')]
  const { token, api_token } = await aToken(owner)
  const stream = await listen(desk.url, { token })
  const first = await aTicket(desk, await aClient(desk))
  await stream.first(({ data }) => data.ticket_id === first.ticket_id)

  await desk.post('/api/admin/tokens/revoke', admin, { id: api_token.id })
  await aTicket(desk, await aClient(desk))

  assert.equal(await stream.ended, 'ended')
  assert.equal(stream.told.filter(({ data }) => data.kind === 'ticket.created').length, 1)
})

test('an expired token is listed for a month and then removed; one that does not expire stays', async () => {
  const own = await bootDesk()
  const owner = await aClient(own)
  const expires_at = new Date(own.clock.now().getTime() + 3_600_000).toISOString()
  for (const given of [{ name: 'a day', expires_at }, { name: 'for ever' }])
    assert.equal((await own.post('/api/account/tokens/create', owner, given)).status, 201)
  const names = async () =>
    (await own.db.selectFrom('api_tokens').select('name').orderBy('id').execute()).map(({ name }) => name)
  const later = (days: number) => new Date(own.clock.now().getTime() + days * 86_400_000)

  await sweepExpired(own.db, later(29))
  assert.deepEqual(await names(), ['a day', 'for ever'])
  await sweepExpired(own.db, later(400))
  assert.deepEqual(await names(), ['for ever'])
})
