import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { anApiToken } from '../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)
const day = 86_400
const inDays = (days: number) => new Date(desk.clock.now().getTime() + days * day * 1000).toISOString()
const works = async (token: string) => (await desk.post('/api/account/profile', { token })).status
const create = (owner: Person, given: object) => desk.post('/api/account/tokens/create', owner, { name: 'x', ...given })
const replace = (owner: Person, id: number) => desk.post('/api/account/tokens/replace', owner, { id })

async function set(settings: object) {
  const { status, body } = await desk.post('/api/admin/settings/update', admin, settings)
  assert.equal(status, 200, JSON.stringify(body))
}

async function aServiceToken(given: object = {}) {
  const post = (path: string, body: object) => desk.post(`/api/admin/service-accounts/${path}`, admin, body)
  const { service_account } = (await post('create', { name: 'Warehouse' })).data
  return await post('tokens/create', { id: service_account.id, name: 'Server', ...given })
}

afterEach(() => set({ staff_tokens: 1, token_longest_days: null }))

test('where staff may make no tokens, theirs stop at the next call and go on later; clients and programs go on', async () => {
  const [supporter, client] = [await aSupporter(desk), await aClient(desk)]
  const [own, of, program] = [await anApiToken(desk, supporter), await anApiToken(desk, client), await aServiceToken()]
  const before = (await desk.post('/api/account/tokens/list', supporter)).data
  assert.deepEqual([before.may_make, before.longest_days], [1, null])

  await set({ staff_tokens: 0 })

  assert.deepEqual([await works(own.token), await works(of.token), await works(program.data.token)], [401, 200, 200])
  for (const refused of [await create(supporter, {}), await replace(supporter, own.api_token.id)]) {
    assert.deepEqual([refused.status, refused.body.reason], [403, 'staff_tokens_off'])
  }
  assert.deepEqual([(await create(client, {})).status, (await aServiceToken()).status], [201, 201])
  const { may_make, api_tokens } = (await desk.post('/api/account/tokens/list', supporter)).data
  assert.deepEqual([may_make, api_tokens.length], [0, 1])
  const ended = await desk.post('/api/account/tokens/revoke', supporter, { id: own.api_token.id })
  assert.equal(ended.status, 200)

  await set({ staff_tokens: 1 })
  const another = await create(supporter, {})
  assert.equal(await works(another.data.token), 200)
})

test('a person’s token lives no longer than the desk allows; those that are there stay, and service accounts', async () => {
  const [supporter, client] = [await aSupporter(desk), await aClient(desk)]
  const endless = await anApiToken(desk, supporter)

  await set({ token_longest_days: 90 })

  for (const person of [supporter, client]) {
    for (const expires_at of [undefined, null, inDays(91)]) {
      const { status, body } = await create(person, { expires_at })
      assert.deepEqual([status, body.errors], [400, ['expires_at']], String(expires_at))
      assert.match(body.message, /within 90 days/)
    }
    assert.equal((await create(person, { expires_at: inDays(90) })).status, 201)
  }
  assert.equal((await desk.post('/api/account/tokens/list', client)).data.longest_days, 90)
  assert.equal(await works(endless.token), 200)
  assert.equal((await aServiceToken()).data.api_token.expires_at, null)
  const { expires_at, created_at } = (await replace(supporter, endless.api_token.id)).data.api_token
  assert.equal(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / day / 10) / 100, 90)
})

test('a longest life that is none is refused', async () => {
  for (const token_longest_days of [0, -1, 1.5, 3651, 'x']) {
    const { status, body } = await desk.post('/api/admin/settings/update', admin, { token_longest_days })
    assert.deepEqual([status, body.errors], [400, ['token_longest_days']], String(token_longest_days))
  }
})
