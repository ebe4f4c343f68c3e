import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFairQueue, type Turn } from './fair-queue.ts'

/** A queue whose works end when they are told to; `done` has the names of the works in the order of their turns. */
function queueOf(options: { longestGroup?: number; longestLane?: number } = {}) {
  const queue = makeFairQueue({
    atOnce: 1,
    longestGroup: 100,
    longestLane: 100,
    refusal: () => new Error('too many'),
    ...options
  })
  const done: string[] = []
  const refused: string[] = []
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const all: Promise<void>[] = []
  const add = (name: string, turn: Turn) => {
    const work = () => opened.then(() => void done.push(name))
    all.push(queue.run(turn, work).catch(() => void refused.push(name)))
  }
  return {
    add,
    async finish() {
      open()
      await Promise.all(all)
      return { done, refused }
    }
  }
}

test('groups take turns, so that one waits for one work of each other, not for a whole crowd', async () => {
  const { add, finish } = queueOf()
  for (let at = 1; at <= 50; at++) add(`crowd ${at}`, { lane: 'clients', group: 'crowd' })
  add('ada', { lane: 'clients', group: 'ada' })

  const { done } = await finish()

  assert.equal(done.indexOf('ada'), 2)
  assert.equal(done.length, 51)
})

test('lanes take turns, so that a hundred groups of one delay another lane by one work', async () => {
  const { add, finish } = queueOf()
  for (let at = 1; at <= 100; at++) add(`stranger ${at}`, { lane: 'strangers', group: String(at) })
  for (const at of [1, 2]) add(`known ${at}`, { lane: 'known', group: 'office' })

  const { done } = await finish()

  assert.deepEqual([done.indexOf('known 1'), done.indexOf('known 2')], [2, 4])
})

test('a group has its bound, and in a full lane the last of the largest group gives way to smaller ones', async () => {
  const { add, finish } = queueOf({ longestGroup: 4, longestLane: 6 })
  add('running', { lane: 'clients', group: 'large' })
  for (let at = 1; at <= 5; at++) add(`large ${at}`, { lane: 'clients', group: 'large' })
  for (let at = 1; at <= 2; at++) add(`small ${at}`, { lane: 'clients', group: 'small' })
  add('ada', { lane: 'clients', group: 'ada' })
  add('mary', { lane: 'known', group: 'mary' })

  const { done, refused } = await finish()

  assert.deepEqual(refused, ['large 5', 'large 4'])
  assert.deepEqual(done, ['running', 'large 1', 'mary', 'small 1', 'ada', 'large 2', 'small 2', 'large 3'])
})

test('a work that fails makes room like any other', async () => {
  const queue = makeFairQueue({ atOnce: 1, longestGroup: 1, longestLane: 1, refusal: () => new Error('too many') })
  const turn = { lane: 'clients', group: 'ada' }

  const failed = queue.run(turn, () => Promise.reject(new Error('of the work')))
  const next = queue.run(turn, async () => 'done')

  await assert.rejects(failed, { message: 'of the work' })
  assert.equal(await next, 'done')
})
