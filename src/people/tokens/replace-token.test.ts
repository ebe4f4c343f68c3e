import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiToken } from '../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { notifyOfEnds } from './notify-of-ends.ts'

const desk = await bootDesk({ connections: 5 })
const day = 86_400
const profile = '/api/account/profile'
const inDays = (days: number) => new Date(desk.clock.now().getTime() + days * day * 1000).toISOString()
const daysBetween = (from: string, to: string) => Math.round(((Date.parse(to) - Date.parse(from)) / day) * 10) / 10_000
const replace = (owner: { token: string }, body: object) => desk.post('/api/account/tokens/replace', owner, body)
const works = async (token: string) => (await desk.post(profile, { token })).status

interface Listed {
  id: number
  replaced_by: number | null
  expires_at: string | null
}
async function listed(owner: Person): Promise<Listed[]> {
  return (await desk.post('/api/account/tokens/list', owner)).data.api_tokens
}

test('a replaced token has a new secret, name and rights stay, and both work for a day', async () => {
  const owner = await aSupporter(desk, 'clients.view')
  const given = { name: 'Nightly', permissions: ['clients.view'], departments: [1], read_only: 1 }
  const former = await anApiToken(desk, owner, { ...given, expires_at: inDays(90) })
  desk.clock.turn(300)

  const { status, data } = await replace(owner, { id: former.api_token.id })

  assert.equal(status, 201)
  const { id, created_at, expires_at, last_four, ...view } = data.api_token
  assert.notEqual(id, former.api_token.id)
  assert.equal(last_four, data.token.slice(-4))
  assert.deepEqual(view, {
    name: 'Nightly',
    permissions: ['clients.view'],
    departments: [{ deptid: 1, name: view.departments[0].name }],
    addresses: null,
    read_only: 1,
    last_used_on: null,
    last_used_network: null,
    replaced_by: null
  })
  assert.equal(daysBetween(created_at, expires_at), 90)
  assert.deepEqual([await works(former.token), await works(data.token)], [200, 200])
  const old = (await listed(owner)).find(each => each.id === former.api_token.id)!
  assert.deepEqual([old.replaced_by, daysBetween(created_at, old.expires_at!)], [id, 1])
  await notifyOfEnds(desk.services)
  assert.deepEqual((await desk.deliver()).emails, [])

  desk.clock.turn(day)
  assert.deepEqual([await works(former.token), await works(data.token)], [401, 200])
})

test('one without an end stays so; one that ends within the day does not live longer by being replaced', async () => {
  const owner = await aClient(desk)
  const [endless, short] = [await anApiToken(desk, owner), await anApiToken(desk, owner, { expires_at: inDays(0.5) })]

  const [first, second] = [
    await replace(owner, { id: endless.api_token.id }),
    await replace(owner, { id: short.api_token.id })
  ]

  assert.equal(first.data.api_token.expires_at, null)
  desk.clock.turn(day / 2)
  assert.deepEqual(
    [await works(endless.token), await works(short.token), await works(second.data.token)],
    [200, 401, 401]
  )
})

test('a token is replaced once, also at once, and by its owner alone', async () => {
  const [owner, other] = [await aClient(desk), await aClient(desk)]
  const { id } = (await anApiToken(desk, owner)).api_token

  const stranger = await replace(other, { id })
  const replies = await Promise.all([1, 2, 3].map(() => replace(owner, { id })))

  assert.deepEqual([stranger.status, stranger.body.reason], [404, 'token_not_found'])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal(replies.find(({ status }) => status === 409)!.body.reason, 'token_replaced')
  assert.equal((await listed(owner)).length, 2)
  const again = await desk.post('/api/account/tokens/revoke', owner, { id })
  assert.equal(again.status, 200, 'the former ends before the day is over')
  assert.equal((await replace(owner, { id })).status, 404)
})

test('replacing takes a fresh sign-in or the password, and no token does it', async () => {
  const owner = await aClient(desk)
  const { token, api_token } = await anApiToken(desk, owner)
  const { id } = api_token
  assert.equal((await replace({ token }, { id })).body.reason, 'sign_in_required')
  desk.clock.turn(601)

  const stale = await replace(owner, { id })
  const wrong = await replace(owner, { id, password: 'not this one' })
  const right = await replace(owner, { id, password: owner.password })

  assert.deepEqual([stale.status, stale.body.reason], [403, 'reauthentication_required'])
  assert.deepEqual([wrong.status, right.status], [401, 201])
})

test('an admin replaces a token of a service account, and nobody’s own', async () => {
  const [admin, supporter] = [await anAdmin(desk), await aSupporter(desk)]
  const post = (path: string, body: object) => desk.post(`/api/admin/service-accounts/${path}`, admin, body)
  const { service_account } = (await post('create', { name: 'Warehouse' })).data
  const former = (await post('tokens/create', { id: service_account.id, name: 'Server 1' })).data
  const own = await anApiToken(desk, supporter)

  const replaced = await post('tokens/replace', { id: former.api_token.id })
  const person = await post('tokens/replace', { id: own.api_token.id })

  assert.deepEqual([replaced.status, replaced.data.api_token.name], [201, 'Server 1'])
  assert.deepEqual([person.status, person.body.reason], [404, 'token_not_found'])
  assert.deepEqual([await works(former.token), await works(replaced.data.token)], [200, 200])
  const db = await sequencedDatabase(desk)
  const audited = db.selectFrom('audit_log').where('target_id', '=', service_account.id).selectAll()
  const { actor_id, after } = await audited.where('action', '=', 'api_token.replaced').executeTakeFirstOrThrow()
  assert.deepEqual([actor_id, (after as { name: string }).name], [admin.id, 'Server 1'])

  await post('update', { id: service_account.id, is_active: 0 })
  assert.deepEqual([await works(former.token), await works(replaced.data.token)], [401, 401])
  assert.equal((await post('tokens/replace', { id: replaced.data.api_token.id })).status, 404)
})
