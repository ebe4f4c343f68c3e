import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dataLoader } from './data-loader.ts'

test('Keys that are asked for in one turn of the event loop are loaded by one call, and nothing is kept for the next', async () => {
  const calls: (readonly number[])[] = []
  const load = dataLoader(async (keys: readonly number[]) => {
    calls.push(keys)
    return new Map(keys.filter(key => key !== 3).map(key => [key, `value ${key} of call ${calls.length}`]))
  })

  const first = await Promise.all([load(1), load(2), load(1), load(3)])
  await nextTurn()
  const second = await load(1)

  assert.deepEqual(first, ['value 1 of call 1', 'value 2 of call 1', 'value 1 of call 1', undefined])
  assert.equal(second, 'value 1 of call 2')
  assert.deepEqual(calls, [[1, 2, 3], [1]])
})

test('A key that is asked for while a batch is being loaded is in the next one', async () => {
  const first = Promise.withResolvers<Map<string, string>>()
  const calls: (readonly string[])[] = []
  const load = dataLoader((keys: readonly string[]) => {
    calls.push(keys)
    return calls.length === 1 ? first.promise : Promise.resolve(new Map([['a', 'new']]))
  })

  const former = load('a')
  await nextTurn()
  const latter = load('a')
  assert.equal(await latter, 'new')
  first.resolve(new Map([['a', 'old']]))

  assert.equal(await former, 'old')
  assert.deepEqual(calls, [['a'], ['a']])
})

test('If a batch cannot be loaded, all of it fails, and the next one is loaded anew', async () => {
  let calls = 0
  const load = dataLoader(async (keys: readonly number[]) => {
    if (++calls === 1) throw new Error('The database is away')
    return new Map(keys.map(key => [key, key]))
  })

  const outcomes = await Promise.allSettled([load(1), load(2)])
  const after = await load(1)

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected']
  )
  assert.equal(after, 1)
})
