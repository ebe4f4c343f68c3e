import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxConnections } from '../../platform/postgres/server.ts'
import { embeddedPoolOf } from './serve-as-worker.ts'

test('the embedded server has connections for the pools of any number of workers, and some for jobs and commands', () => {
  const mostWorkers = 64
  const others = 40

  for (let workers = 1; workers <= mostWorkers; workers++) {
    const pool = embeddedPoolOf(workers)
    const outerTransactions = Math.ceil(pool / 2)
    const listener = 1
    const total = workers * (pool + outerTransactions + listener)
    assert.ok(total + others <= maxConnections, `${workers} workers have ${total} connections`)
  }
})
