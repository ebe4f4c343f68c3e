import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { wakeAfterErrors } from './wake-after-errors.ts'

test('workers are woken with the first look after the database is back, until the listener is surely back as well', async t => {
  const { waking, looks, database, wokenTimes } = watched(t)
  await looks(3)
  assert.equal(wokenTimes(), 0, 'nothing is done where there was no error')

  waking.onError()
  await looks(200)
  assert.equal(wokenTimes(), 0, 'nobody is woken for a database that is away')
  database.isBack = true
  await looks(1)
  assert.equal(wokenTimes(), 1)
  await looks(200)
  const woken = wokenTimes()
  assert.ok(woken > 60 && woken < 80, `${woken} times`)

  waking.onError()
  await looks(1)
  assert.equal(wokenTimes(), woken + 1, 'the next error begins it anew')
})

test('nobody is woken once they are to stop', async t => {
  const { waking, looks, database, wokenTimes } = watched(t)
  database.isBack = true
  waking.onError()
  waking.stop()
  await looks(5)
  assert.equal(wokenTimes(), 0)
})

function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const database = { isBack: false }
  let woken = 0
  const waking = wakeAfterErrors({
    isWritable: async () => {
      if (!database.isBack) throw new Error('away')
      return true
    },
    wake: () => {
      woken++
    }
  })
  const looks = async (count: number) => {
    for (let i = 0; i < count; i++) {
      t.mock.timers.tick(500)
      await setImmediate()
    }
  }
  return { waking, looks, database, wokenTimes: () => woken }
}
