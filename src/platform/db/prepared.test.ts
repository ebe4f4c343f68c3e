import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { testDatabase } from '../../../test/support/database.ts'
import { type Db, prepared, preparedByKind } from '../../core/db.ts'
import { types } from './open.ts'
import { nameOf } from './prepared.ts'
import { rowReaderOf } from './row-reader.ts'

test('of many kinds of a query the hundred that were asked for last stay prepared, on the server too', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const byKind = preparedByKind<{ value: number }, { sum: number }>()
  const ask = (kind: number) =>
    byKind(db, { value: 1 }, String(kind), (db, p) =>
      db.selectNoFrom(sql<number>`${p.value}::int + ${sql.lit(kind)}`.as('sum'))
    )
  const preparedKinds = async () => {
    const names = await statementsLike(db, '%::int + %')
    return names.map(text => Number(/\+ (\d+)/.exec(text)![1])).sort((a, b) => a - b)
  }

  for (let kind = 1; kind <= 300; kind++) {
    assert.deepEqual(await ask(kind), [{ sum: kind + 1 }])
    await ask(1)
  }
  const kept = await preparedKinds()
  const again = await ask(2)

  assert.deepEqual(kept, [1, ...Array.from({ length: 99 }, (_, at) => 202 + at)])
  assert.deepEqual(again, [{ sum: 3 }])
  assert.ok((await preparedKinds()).includes(2))
})

test('a connection keeps three hundred statements at most, those used last, and prepares others again when they come', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const queries = Array.from({ length: 350 }, (_, at) =>
    prepared((db: Db, p: { value: number }) =>
      db.selectNoFrom(sql<number>`${p.value}::int * ${sql.lit(at)}`.as('product'))
    )
  )
  const askAll = async () => {
    for (const [at, query] of queries.entries()) assert.deepEqual(await query(db, { value: 2 }), [{ product: 2 * at }])
  }

  await askAll()
  await askAll()

  assert.equal((await statementsLike(db, '%::int * %')).length, 300)
})

test('a query that fails while others are put away leaves the connection as it was', async () => {
  const { db } = await testDatabase({ connections: 1 })
  const byKind = preparedByKind<{ value: number }, { quotient: number }>()
  const ask = (kind: number, value: number) =>
    byKind(db, { value }, String(kind), (db, p) =>
      db.selectNoFrom(sql<number>`${sql.lit(kind)} / ${p.value}::int`.as('quotient'))
    )

  for (let kind = 1; kind <= 250; kind++) await assert.rejects(ask(kind, 0), { code: '22012' })
  for (let kind = 1; kind <= 250; kind++) assert.deepEqual(await ask(kind, 1), [{ quotient: kind }])
})

test('the columns of a statement are described once on each connection, and what reads its rows is the same on all', async () => {
  const { db, pool } = await testDatabase({ connections: 2 })
  const query = prepared((db: Db, p: { value: number }) => db.selectNoFrom(sql<number>`${p.value}::bigint`.as('eight')))
  assert.deepEqual(await query(db, { value: 1 }), [{ eight: 1 }])
  const [text] = await statementsLike(db, '%eight%')
  const clients = [await pool.connect(), await pool.connect()]
  const described: pg.FieldDef[][] = []
  for (const { connection } of clients) connection.on('rowDescription', ({ fields }) => described.push(fields))

  const answers: unknown[] = []
  for (const value of [2, 3]) {
    for (const client of clients) answers.push(...(await client.query(text!, [value])).rows)
  }
  const read = rowReaderOf(nameOf(text!)!, described[0]!, types)
  for (const client of clients) answers.push(...(await client.query(text!, [4])).rows)
  for (const client of clients) client.release()

  assert.deepEqual(
    answers,
    [2, 2, 3, 3, 4, 4].map(eight => ({ eight }))
  )
  // The first connection knew them from the first query.
  assert.equal(described.length, 1)
  assert.equal(rowReaderOf(nameOf(text!)!, described[0]!, types), read)
})

async function statementsLike(db: Db, pattern: string): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement like ${pattern} and statement not like '%pg_prepared%'`.execute(
    db
  )
  return rows.map(({ statement }) => statement)
}
