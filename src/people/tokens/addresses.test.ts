import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiToken } from '../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 5 })
const call = (token: string) => desk.post('/api/account/profile', { token })

test('a token is refused from addresses that it was not given, and says so; what replaces it as well', async () => {
  const owner = await aSupporter(desk)
  const near = await anApiToken(desk, owner, { addresses: ['2001:db8::/32', ' 127.0.0.0/8 '] })
  const far = await anApiToken(desk, owner, { addresses: ['198.51.100.7'] })

  const [taken, refused] = [await call(near.token), await call(far.token)]
  const replaced = await desk.post('/api/account/tokens/replace', owner, { id: far.api_token.id })
  const again = await call(replaced.data.token)

  assert.equal(taken.status, 200)
  assert.deepEqual([refused.status, refused.body.reason], [403, 'address_not_allowed'])
  assert.deepEqual([again.status, replaced.data.api_token.addresses], [403, ['198.51.100.7']])
  const { api_tokens } = (await desk.post('/api/account/tokens/list', owner)).data
  const listed = api_tokens.find(({ id }: { id: number }) => id === near.api_token.id)
  assert.deepEqual(listed.addresses, ['2001:db8::/32', '127.0.0.0/8'])
})

test('what is no address or network is refused, and no list means anywhere', async () => {
  const owner = await aClient(desk)
  for (const addresses of [
    [],
    ['x.example'],
    ['10.0.0.0/33'],
    ['0.0.0.0/0'],
    [''],
    'all',
    Array(21).fill('10.0.0.1')
  ]) {
    const { status, body } = await desk.post('/api/account/tokens/create', owner, { name: 'x', addresses })
    assert.deepEqual([status, body.errors], [400, ['addresses']], JSON.stringify(addresses))
  }
  const { token } = await anApiToken(desk, owner, { addresses: null })
  assert.equal((await call(token)).status, 200)
})
