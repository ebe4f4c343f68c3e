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

test('a database in recovery is as little available as a read-only one, and what it does not support otherwise is our bug', () => {
  const failureFor = (routine: string) =>
    failureOf(Object.assign(new Error('of the database'), { code: '0A000', routine }))

  const [unlogged, unsupported] = [failureFor('get_relation_info'), failureFor('transformSetOperationStmt')]

  assert.deepEqual([unlogged.status, unlogged.headers?.['retry-after'], unsupported.status], [503, '2', 500])
})

test('only what has too much to do is called busy; what is gone is not available', () => {
  const messageOf = (code: string) => failureOf(Object.assign(new Error('of the database'), { code })).message

  for (const code of ['53300', '55P03', '57014', '40001']) assert.match(messageOf(code), /busy/)
  for (const code of ['08006', '25006', '28P01', '57P01', '58030']) assert.match(messageOf(code), /is not available/)
})

test('a full disk of the database is a 507, and what is wrong with a statement of ours a 500', () => {
  const statusOf = (code: string) => failureOf(Object.assign(new Error('of the database'), { code })).status

  assert.deepEqual([statusOf('53100'), statusOf('42601'), statusOf('23505')], [507, 500, 500])
})
