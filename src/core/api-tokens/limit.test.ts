import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'

const desk = await bootDesk({ config: { MAX_REQUESTS_PER_TOKEN: 3 } })

test('each token has a limit of its own, and every answer tells what is left of it', async () => {
  const owner = await aClient(desk)
  const make = async (name: string) => (await desk.post('/api/account/tokens/create', owner, { name })).data.token
  const [token, other] = [await make('one'), await make('two')]
  const ask = async (token: string) => {
    const { status, headers } = await fetch(`${desk.url}/api/account/profile`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` }
    })
    const [left, seconds] = (headers.get('ratelimit') ?? '').split(';t=')
    if (seconds !== undefined) assert.ok(Number(seconds) > 0 && Number(seconds) <= 60, seconds)
    return [status, headers.get('ratelimit-policy'), left]
  }

  const answers = [await ask(token), await ask(token), await ask(token), await ask(token)]

  const policy = '"api-token";q=3;w=60'
  assert.deepEqual(answers, [
    [200, policy, '"api-token";r=2'],
    [200, policy, '"api-token";r=1'],
    [200, policy, '"api-token";r=0'],
    [429, policy, '"api-token";r=0']
  ])
  assert.equal((await ask(other))[0], 200)
  assert.deepEqual((await ask(owner.token)).slice(0, 2), [200, null])
  desk.clock.turn(61)
  assert.equal((await ask(token))[0], 200)
})
