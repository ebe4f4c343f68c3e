import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from './failures.ts'

test('a database that cannot serve just now is a 503 that says when to come again', () => {
  const codes = [
    '08006',
    '25006',
    '28P01',
    '40001',
    '40P01',
    '53200',
    '53300',
    '53400',
    '55P03',
    '57P03',
    '57P04',
    '57P05',
    '58030'
  ]

  const failures = codes.map(code => failureOf(Object.assign(new Error('of the database'), { code })))

  assert.deepEqual(
    failures.map(({ status, headers }) => [status, headers?.['retry-after']]),
    codes.map(() => [503, '2'])
  )
})

test('a full disk of the database is a 507, and what is wrong with a statement of ours a 500', () => {
  const statusOf = (code: string) => failureOf(Object.assign(new Error('of the database'), { code })).status

  assert.deepEqual([statusOf('53100'), statusOf('42601'), statusOf('23505')], [507, 500, 500])
})
