import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../test/support/database.ts'
import { type Db, prepared, preparedByKind, transaction } from '../../core/db.ts'
import { nameOf } from './prepared.ts'

test('of many kinds of a query the hundred that were asked for last are prepared by name, and others are again when they come', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const byKind = preparedByKind<{ value: number }, { sum: number }>()
  const ask = (kind: number) =>
    byKind(db, { value: 1 }, String(kind), (db, p) =>
      db.selectNoFrom(sql<number>`${p.value}::int + ${sql.lit(kind)}`.as('sum'))
    )

  for (let kind = 1; kind <= 300; kind++) {
    assert.deepEqual(await ask(kind), [{ sum: kind + 1 }])
    await ask(1)
  }
  const named = (await statementsLike(db, '%::int + %')).filter(nameOf)
  const kinds = named.map(text => Number(/\+ (\d+)/.exec(text)![1])).sort((a, b) => a - b)
  const again = await ask(2)

  assert.deepEqual(kinds, [1, ...Array.from({ length: 99 }, (_, at) => 202 + at)])
  assert.deepEqual(again, [{ sum: 3 }])
})

test('a connection that has prepared five hundred statements is replaced, but not within a transaction', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const queries = Array.from({ length: 600 }, (_, at) =>
    prepared((db: Db, p: { value: number }) =>
      db.selectNoFrom([sql<number>`${p.value}::int * ${sql.lit(at)}`.as('product'), backend])
    )
  )
  const askAll = async (db: Db) => {
    const backends = new Set<number>()
    for (const [at, query] of queries.entries()) {
      const [row] = await query(db, { value: 2 })
      assert.equal(row!.product, 2 * at)
      backends.add(row!.backend)
    }
    return backends.size
  }

  assert.equal(await askAll(db), 2)
  assert.equal((await statementsLike(db, '%::int * %')).length, 99)
  assert.equal(await transaction(db, askAll), 1)
  assert.equal((await statementsLike(db, '%::int * %')).length, 0)
})

test('a query that failed is asked again under its name', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const quotient = prepared((db: Db, p: { value: number }) =>
    db.selectNoFrom(sql<number>`100 / ${p.value}::int`.as('quotient'))
  )

  await assert.rejects(quotient(db, { value: 0 }), { code: '22012' })
  assert.deepEqual(await quotient(db, { value: 1 }), [{ quotient: 100 }])
  assert.deepEqual(await quotient(db, { value: 4 }), [{ quotient: 25 }])
})

test('int8 and numeric are numbers, and timestamptz is a date, whether a query is prepared or not', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const one = (db: Db, p: { value: number }) =>
    db.selectNoFrom([
      sql<number>`${p.value}::int8`.as('eight'),
      sql<number>`1.5::numeric`.as('numeric'),
      sql<Date>`timestamptz '2026-11-20 08:28:31.123456+02'`.as('time')
    ])
  const expected = [{ eight: 7, numeric: 1.5, time: new Date('2026-11-20T06:28:31.123Z') }]

  assert.deepEqual(await prepared(one)(db, { value: 7 }), expected)
  assert.deepEqual(await one(db, { value: 7 }).execute(), expected)
})

const backend = sql<number>`pg_backend_pid()`.as('backend')

async function statementsLike(db: Db, pattern: string): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement like ${pattern} and statement not like '%pg_prepared%'`.execute(
    db
  )
  return rows.map(({ statement }) => statement)
}
