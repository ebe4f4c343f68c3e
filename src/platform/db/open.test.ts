import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { databaseUrl, testDatabase } from '../../../test/support/database.ts'
import { tcpProxy } from '../../../test/support/tcp-proxy.ts'
import { until } from '../../../test/support/until.ts'
import { type Db, prepared, transaction, transactionOnce } from '../../core/db.ts'
import { openDatabase } from './open.ts'
import { outerTransaction } from './outer-transaction.ts'

test('a connection whose server is gone without a word is given up, and a new one does its work', async t => {
  const { connection } = await testDatabase()
  const at = typeof connection === 'string' ? undefined : connection
  const url = at ? new URL(`postgres://${at.user}@127.0.0.1/${at.database}`) : new URL(connection as string)
  const socket = at && { path: join(at.host, `.s.PGSQL.${at.port}`) }
  const wire = await tcpProxy(socket ?? { host: url.hostname, port: Number(url.port || 5432) })
  url.host = `127.0.0.1:${wire.port}`
  const database = openDatabase({
    connection: url.href,
    maxConnections: 1,
    statementTimeoutMilliseconds: 10_000,
    connectTimeoutMilliseconds: 10_000,
    answerTimeoutMilliseconds: 1_000,
    onIdleError() {}
  })
  t.after(async () => {
    wire.close()
    await database.close()
  })
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(database.db)
  await ask()

  wire.cut()
  const unanswered = ask()
  await assert.rejects(unanswered, /Query read timeout/)
  wire.restore()

  assert.deepEqual((await ask()).rows, [{ one: 1 }])
})

test('a connection that tells of a server which cannot work is used to the end of its transaction and never again; others stay', async t => {
  const { db, close } = await testDatabase()
  t.after(close)
  const fail = (code: string) => sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid

  for (const code of ['25006', '53200', '53400', '57P04', '57P05', '58030']) {
    const before = await backend()
    const failed = transaction(db, async db => {
      await sql`select 1`.execute(db)
      await fail(code).execute(db)
    })
    await assert.rejects(failed, { code })
    const between = await backend()
    await assert.rejects(fail(code).execute(db), { code })
    assert.equal(new Set([before, between, await backend()]).size, 3, code)
  }

  const before = await backend()
  await assert.rejects(fail('23505').execute(db), { code: '23505' })
  assert.equal(await backend(), before)
})

test('a session that the server ends is given to nobody else, however soon the next one asks', async t => {
  const { db, close } = await testDatabase()
  t.after(close)
  const end = (db: Db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)

  for (let round = 0; round < 20; round++) {
    const [within, alone, next] = await Promise.allSettled([transaction(db, end), end(db), sql`select 1`.execute(db)])
    assert.deepEqual([within.status, alone.status, next.status], ['rejected', 'rejected', 'fulfilled'], `${round}`)
  }
})

test('options in the address of a database are kept beside our settings, which win', async t => {
  const { connection } = await testDatabase()
  const url = new URL(databaseUrl(connection))
  url.searchParams.set('options', '-c lock_timeout=1234 -c statement_timeout=34567 -c jit=on')
  url.searchParams.set('application_name', 'somebody else')
  const { db, close } = openDatabase({
    connection: url.href,
    maxConnections: 1,
    statementTimeoutMilliseconds: 12_000,
    connectTimeoutMilliseconds: 10_000,
    onIdleError() {}
  })
  t.after(close)

  const { rows } = await sql`
    select name, setting from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'jit', 'max_parallel_workers_per_gather', 'plan_cache_mode', 'TimeZone', 'application_name',
      'idle_in_transaction_session_timeout')`.execute(db)

  assert.deepEqual(Object.fromEntries(rows.map(row => Object.values(row as object))), {
    TimeZone: 'UTC',
    application_name: 'deskline',
    idle_in_transaction_session_timeout: '60000',
    jit: 'off',
    lock_timeout: '1234',
    max_parallel_workers_per_gather: '0',
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: '12000'
  })
})

test('a connection that breaks while idle is reported once', async t => {
  const { connection, db: other } = await testDatabase()
  const errors: Error[] = []
  const { db, pool, close } = openDatabase({
    connection,
    maxConnections: 1,
    statementTimeoutMilliseconds: 10_000,
    connectTimeoutMilliseconds: 10_000,
    onIdleError: error => errors.push(error)
  })
  t.after(close)
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)

  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(other)
  await until(() => pool.totalCount === 0)
  await sql`select 1`.execute(db)

  assert.deepEqual(
    errors.map(({ message }) => message),
    ['terminating connection due to administrator command']
  )
})

test('what waits for a connection of an outer transaction counts as waiting', async t => {
  const { connection } = await testDatabase()
  const { db, load, close } = openDatabase({
    connection,
    maxConnections: 1,
    statementTimeoutMilliseconds: 10_000,
    connectTimeoutMilliseconds: 10_000,
    onIdleError() {}
  })
  t.after(close)
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = async () => {
    begun.resolve()
    await over.promise
  }

  const first = outerTransaction(db, { isRepeatable: false }, work)
  await begun.promise
  const second = outerTransaction(db, { isRepeatable: false }, work)
  const { waitingCount, totalCount, idleCount } = load
  over.resolve()
  await Promise.all([first, second])

  assert.deepEqual({ waitingCount, totalCount, idleCount }, { waitingCount: 1, totalCount: 1, idleCount: 0 })
})

test('sslmode means what docs/operations.md says', () => {
  const tls = (query: string) => new pg.Client({ connectionString: `postgres://db/desk${query}` }).ssl
  const verified = {}

  assert.deepEqual([tls(''), tls('?sslmode=disable')], [false, false])
  assert.deepEqual(tls('?sslmode=no-verify'), { rejectUnauthorized: false })
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.deepEqual(tls(`?sslmode=${mode}`), verified)
  assert.deepEqual(tls('?sslmode=require&uselibpqcompat=true'), { rejectUnauthorized: false })
})

test('of transactions in one another’s way each is done in the end, and what gave way runs again', async () => {
  const { db } = await testDatabase({ connections: 4 })
  await twoRows(db)
  const both = Promise.withResolvers<void>()
  let waiting = 0
  let runs = 0
  const inOrder = (first: number, second: number) =>
    transaction(db, async db => {
      runs++
      await raise(db, first)
      if (++waiting === 2) both.resolve()
      await both.promise
      await raise(db, second)
    })

  await Promise.all([inOrder(1, 2), inOrder(2, 1)])

  assert.deepEqual(await valuesOf(db), [2, 2])
  assert.ok(runs > 2, `${runs} runs`)
})

test('a single statement that gave way is sent once more, named or not, and only once', async () => {
  const { db } = await testDatabase({ connections: 1 })
  await sql`create sequence tries`.execute(db)
  await sql`create function give_way(times integer, code text) returns bigint language plpgsql as $$
    begin
      if nextval('tries') <= times then raise exception 'in the way' using errcode = code; end if;
      return currval('tries');
    end $$`.execute(db)
  const again = () => sql`select setval('tries', 1, false)`.execute(db)
  const named = prepared((db, p: { code: string }) => db.selectNoFrom(sql<number>`give_way(1, ${p.code})`.as('tries')))
  const plain = (times: number, db: Db) =>
    sql<{ tries: number }>`select give_way(${times}, '40001') as tries`.execute(db)

  assert.deepEqual((await plain(1, db)).rows, [{ tries: 2 }])
  await again()
  assert.deepEqual(await named(db, { code: '40P01' }), [{ tries: 2 }])
  await again()
  await assert.rejects(plain(2, db), { code: '40001' })
  await again()
  const { rows } = await transaction(db, async db => await plain(1, db))
  assert.deepEqual(rows, [{ tries: 2 }])
})

test('what fails for another reason, or cannot be done twice, runs once', async () => {
  const { db } = await testDatabase({ connections: 1 })
  let runs = 0
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const failing = (error: Error) => async () => {
    runs++
    throw error
  }

  await assert.rejects(transaction(db, failing(new Error('a bug'))), /a bug/)
  await assert.rejects(transactionOnce(db, failing(deadlock)), /deadlock/)
  assert.equal(runs, 2)
  await assert.rejects(transaction(db, failing(deadlock)), /deadlock/)
  assert.equal(runs, 5)
})

async function twoRows(db: Db) {
  await sql`create table pair (id integer primary key, value integer not null)`.execute(db)
  await sql`insert into pair values (1, 0), (2, 0)`.execute(db)
}

async function raise(db: Db, id: number) {
  await sql`update pair set value = value + 1 where id = ${id}`.execute(db)
}

async function valuesOf(db: Db): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`select value from pair order by id`.execute(db)
  return rows.map(({ value }) => value)
}
