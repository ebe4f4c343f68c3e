import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillModuleOf } from '../bench/against-revision.ts'
import { bareRequest, bareSteps } from '../bench/bare-writes.ts'
import { readOptions } from '../bench/options.ts'
import { faultsIn } from '../bench/query-plans.ts'
import { parametersOf, type RecordedRequest, replayStepsOf } from '../bench/replay-steps.ts'
import { isBeyondNoise, ratios, summary } from '../bench/statistics.ts'
import { root } from './support/program.ts'

test('the median and the quartiles of rounds are those of the sorted values, and a round without a value counts for nothing', () => {
  assert.deepEqual(summary([5, 1, 4, 2, 3]), { median: 3, low: 2, high: 4, rounds: 5 })
  assert.deepEqual(summary([2, Number.NaN, 1]), { median: 1.5, low: 1.25, high: 1.75, rounds: 2 })
  assert.deepEqual(summary([7]), { median: 7, low: 7, high: 7, rounds: 1 })
  assert.ok(Number.isNaN(summary([]).median))
})

test('what slows both of two for the same rounds does not change their ratio', () => {
  const floor = [100, 50, 200, 100, 25]

  assert.deepEqual(
    ratios(
      floor.map(value => value * 0.8),
      floor
    ),
    [0.8, 0.8, 0.8, 0.8, 0.8]
  )
})

test('a difference is beyond noise when every round shows it and it is larger than what lies between the rounds', () => {
  assert.equal(isBeyondNoise([1.1, 1.12, 1.11, 1.1, 1.13]), true)
  assert.equal(isBeyondNoise([0.7, 0.75, 0.72, 0.8, 0.71]), true)
  assert.equal(isBeyondNoise([1.1, 1.12, 0.99, 1.1, 1.13]), false)
  assert.equal(isBeyondNoise([1.01, 1.3, 1.02, 1.2, 1.05]), false)
  assert.equal(isBeyondNoise([1.5, 1.5]), false)
})

test('a revision of another schema is compared with what it fills itself, and refused in a sentence where it has nothing to', () => {
  assert.equal(fillModuleOf(root), join(root, 'bench/fill.ts'))
  assert.throws(
    () => fillModuleOf(join(root, 'docs')),
    /has other migrations and no bench\/fill\.ts.*: name a later one/
  )
})

const now = Date.parse('2026-11-20T12:00:00Z')

function recorded(fields: Record<string, unknown>, values: unknown[], row: Record<string, unknown>): RecordedRequest {
  return {
    fields,
    at: new Date(now),
    statements: [
      { text: 'select 1', values: [fields.session], rows: [row] },
      { text: 'select 2', values, rows: [] }
    ]
  }
}

test('the floor learns from two requests what the parameters of a statement are made of', () => {
  const id = (last: string) => `00000000-0000-4000-8000-00000000000${last}`
  const one = recorded(
    { session: 7, email: 'Ada@x.test' },
    [7, '%ada@x.test%', 'Ada Byron', new Date(now), 20, id('1'), ["'Ada@x.test':*"], 31, ['31', '310']],
    { first_name: 'Ada', last_name: 'Byron', id: 31, ids: ['31', '310'] }
  )
  const other = recorded(
    { session: 8, email: 'Bob@y.test' },
    [8, '%bob@y.test%', 'Bob Carr', new Date(now), 20, id('2'), ["'Bob@y.test':*"], 32, ['32', '320']],
    { first_name: 'Bob', last_name: 'Carr', id: 32, ids: ['32', '320'] }
  )
  const rows = [{ first_name: 'Eve', last_name: 'Dale', id: '33', ids: ['33'] }]

  const [, step] = replayStepsOf('any', one, other)
  const values = parametersOf(step!, {
    fields: { session: 9, email: 'Eve@z.test' },
    results: [{ rows }],
    files: '[]',
    now: now + 5
  })

  const [session, pattern, name, time, limit, chance, list, result, found] = values
  assert.deepEqual([session, pattern, name], [9, '%eve@z.test%', 'Eve Dale'])
  assert.deepEqual([time, limit, list, result], [new Date(now + 5), 20, ["'Eve@z.test':*"], '33'])
  assert.deepEqual(found, ['33'])
  assert.match(String(chance), /^[0-9a-f-]{36}$/)
})

test('a parameter of unknown origin, and requests that send different statements, stop the bench', () => {
  const one = recorded({ session: 7 }, ['some'], {})
  const other = recorded({ session: 8 }, ['thing'], {})
  const longer = { ...one, statements: [...one.statements, { text: 'select 3', values: [], rows: [] }] }

  assert.throws(() => replayStepsOf('any', one, other), /nobody knows where "some" comes from/)
  assert.throws(() => replayStepsOf('any', one, longer), /different statements/)
})

test('a plan is at fault when it reads a whole table that grows or sorts more than a page', () => {
  const scan = { 'Node Type': 'Seq Scan', 'Relation Name': 'tickets', 'Actual Rows': 500 }
  const sort = { 'Node Type': 'Sort', 'Sort Key': ['updated_at'], 'Actual Rows': 20, Plans: [scan] }
  const small = new Set(['departments'])

  assert.deepEqual(faultsIn(sort, small, 100), ['500 rows are sorted by updated_at', 'all of tickets is read'])
  assert.deepEqual(faultsIn({ ...scan, 'Relation Name': 'departments' }, small, 100), [])
  assert.deepEqual(faultsIn({ ...sort, Plans: [{ 'Node Type': 'Index Scan', 'Actual Rows': 21 }] }, small, 100), [])
})

test('the short form is one size and few rounds, the full one three sizes; numbers are checked', () => {
  assert.deepEqual(readOptions(['--short']).sizes, [1_000])
  assert.deepEqual(readOptions([]).sizes, [1_000, 100_000, 1_000_000])
  assert.ok(readOptions([]).rounds >= 5)
  assert.deepEqual(readOptions(['--sizes', '10,20', '--concurrency', '4']).concurrency, [4])
  assert.throws(() => readOptions(['--sizes', 'many']), /many is not a number/)
})

test('the second floor looks up who asks as Deskline does, and writes what the request says into bare tables', async () => {
  const steps = ['select 1', 'with "t" as (insert into "tickets" …) select 2'].map(text => ({
    text,
    name: text,
    sources: []
  }))

  const [lookUp, write, ...others] = bareSteps('create', steps)
  const fields = { account: 7, subject: 'Fire', message: 'It burns' }
  const values = parametersOf(write!, { fields, results: [], files: '[]', now })

  assert.deepEqual([lookUp, others], [steps[0], []])
  assert.match(write!.text, /insert into bare\.tickets/)
  assert.deepEqual(values, [7, 'It burns', new Date(now), 'Fire'])
  assert.equal(
    bareRequest(Buffer.from('POST /api/tickets/create HTTP/1.1')).toString(),
    'POST /bare/api/tickets/create HTTP/1.1'
  )
})
