import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import { makeIndex } from '../migrations/make-index.ts'
import type { Migration } from '../migrations/migration.ts'
import { type Db, transaction } from '../src/core/db.ts'
import { migrate, SchemaBeforeRelease, SchemaTooNew } from '../src/platform/db/migrate.ts'
import { type DatabaseOptions, openDatabase } from '../src/platform/db/open.ts'
import { executedMigrations, schemaState } from '../src/platform/db/schema-state.ts'
import { eventually } from './faults/eventually.ts'
import { databaseUrl, testDatabase } from './support/database.ts'

const { connection, pool } = await testDatabase()
const newest = Object.keys(migrations).at(-1)!

/** What a later version may bring: a column that older code does not read. */
const column: Migration = {
  oldestCode: newest,
  up: async db => void (await sql`alter table tickets add column later integer`.execute(db))
}
/** And an index on what people write to. */
const index: Migration = {
  inTransaction: false,
  oldestCode: newest,
  up: db => makeIndex(db, 'tickets_later_index', sql`tickets (subject)`)
}

test('ten starters at once on an empty database run each migration once', async () => {
  const empty = `deskline_test_${randomBytes(6).toString('hex')}`
  await pool.query(`create database ${empty} template template0`)
  const starters = Array.from({ length: 10 }, () => openAt(empty))
  const all = { ...migrations, '9998-column': column, '9999-index': index }
  try {
    const ran = (await Promise.all(starters.map(({ db }) => migrate(db, all)))).flat()

    assert.deepEqual(ran.toSorted(), Object.keys(all))
    const { db, pool } = starters[0]!
    assert.equal((await pool.query('select from kysely_migration')).rowCount, ran.length)
    assert.deepEqual((await schemaState(db, all)).pending, [])
    assert.deepEqual(await migrate(db, all), [])
    assert.ok(await isComplete(db, 'tickets_later_index'))
  } finally {
    await Promise.all(starters.map(starter => starter.close()))
    await pool.query(`drop database ${empty} with (force)`)
  }
})

test('code from before works on with what says so, and refuses what does not', async () => {
  const { db } = await aDatabase()
  const strict: Migration = { up: async () => {} }

  await migrate(db, { ...migrations, '9998-column': column })
  const tolerated = { state: await schemaState(db, migrations), ran: await migrate(db, migrations) }
  await migrate(db, { ...migrations, '9998-column': column, '9999-strict': strict })

  assert.deepEqual(tolerated.state, {
    isEmpty: false,
    pending: [],
    unknown: ['9998-column'],
    isCompatible: true,
    isBeforeRelease: false
  })
  assert.deepEqual(tolerated.ran, [])
  assert.equal((await schemaState(db, migrations)).isCompatible, false)
  await assert.rejects(migrate(db, migrations), SchemaTooNew)
})

test('a migration that fails leaves those before it done, and the next start goes on there', async () => {
  const { db } = await aDatabase()
  const broken: Migration = {
    async up(db) {
      await sql`create table later (id integer)`.execute(db)
      throw new Error('out of order')
    }
  }
  const mended: Migration = { up: async db => void (await sql`create table later (id integer)`.execute(db)) }

  const failed = migrate(db, { ...migrations, '9998-column': column, '9999-table': broken })
  await assert.rejects(failed, /out of order/)
  const seen = await executedMigrations(db)

  assert.equal(seen.at(-1), '9998-column')
  assert.deepEqual(await migrate(db, { ...migrations, '9998-column': column, '9999-table': mended }), ['9999-table'])
})

test('a migration that finds its table in use lets others by, and comes again until it is free', async () => {
  const { db } = await aDatabase(3)
  const { promise: toldTwice, resolve: tell } = Promise.withResolvers<void>()
  let told = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const reading = transaction(db, async db => {
    await sql`select from tickets`.execute(db)
    read()
    await released
  })
  await isRead

  const migrating = migrate(db, { ...migrations, '9999-column': column }, { tell: () => ++told === 2 && tell() })
  await toldTwice
  // Would wait for the migration as long as that waits for its lock.
  await transaction(db, async db => {
    await sql`set local lock_timeout = '5s'`.execute(db)
    await sql`update tickets set subject = 'New'`.execute(db)
  })
  release()
  await reading

  assert.deepEqual(await migrating, ['9999-column'])
})

test('an index is made while people write; one that was cut off is made anew', async () => {
  const { db } = await aDatabase(3)
  const all = { ...migrations, '9999-index': index }

  const begin = () => assert.rejects(migrate(db, all), /terminat/)
  await duringIndex(db, begin, async cutOff => {
    await sql`update tickets set subject = 'New'`.execute(db)
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'create%index concurrently%' and datname = current_database()`.execute(db)
    assert.equal(rows.length, 1)
    await cutOff
  })
  const left = await isComplete(db, 'tickets_later_index')
  const ran = await migrate(db, all)

  assert.equal(left, false)
  assert.deepEqual(ran, ['9999-index'])
  assert.ok(await isComplete(db, 'tickets_later_index'))
})

test('a process that is killed while it makes an index leaves nothing in the way of the next', async () => {
  const { db, connection } = await aDatabase(3)
  const all = { ...migrations, '9999-index': index }
  const begin = () =>
    spawn(process.execPath, ['--input-type=module', '-e', starterThatMakesTheIndex(connection)], { stdio: 'inherit' })

  await duringIndex(db, begin, async child => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  assert.deepEqual(await migrate(db, all), ['9999-index'])
  assert.ok(await isComplete(db, 'tickets_later_index'))
})

test('within a transaction, as a restore is, all of it is made and taken back together', async () => {
  const { db } = await aDatabase()
  const all = { ...migrations, '9998-column': column, '9999-index': index }

  const refused = transaction(db, async db => {
    assert.deepEqual(await migrate(db, all), ['9998-column', '9999-index'])
    assert.ok(await isComplete(db, 'tickets_later_index'))
    throw new Error('changed my mind')
  })

  await assert.rejects(refused, /changed my mind/)
  assert.deepEqual((await schemaState(db, all)).pending, ['9998-column', '9999-index'])
})

test('a database from before the first release is refused in one sentence and left as it is', async () => {
  const { db } = await aDatabase()
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrate(db, {
    '0001-people': { up: async db => void (await sql`create table people (id integer)`.execute(db)) }
  })

  const state = await schemaState(db, migrations)

  await assert.rejects(migrate(db, migrations), SchemaBeforeRelease)
  assert.equal(state.isBeforeRelease, true)
  assert.deepEqual(await executedMigrations(db), ['0001-people'])
})

test('each migration from the next version on says which code it leaves working', () => {
  const silent = Object.entries(migrations).filter(([name, { oldestCode }]) => name > '0002-search' && !oldestCode)

  assert.deepEqual(silent, [])
})

/** Holds what an index on tickets has to wait for, begins to make one, runs `work` once it waits, and lets go of it. */
async function duringIndex<T>(db: Db, begin: () => T, work: (begun: T) => Promise<unknown>): Promise<void> {
  await transaction(db, async holder => {
    await sql`lock table tickets in row exclusive mode`.execute(holder)
    const begun = begin()
    await eventually(60, 'an index that is being made', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where query like 'create%index concurrently%' and wait_event_type = 'Lock' and datname = current_database()`.execute(
        db
      )
      assert.equal(rows.length, 1)
    })
    await work(begun)
  })
}

async function isComplete(db: Kysely<never> | Db, name: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_complete: boolean }>`
    select indisvalid as is_complete from pg_index where indexrelid = to_regclass(${name})`.execute(db as Db)
  return rows[0]?.is_complete
}

function starterThatMakesTheIndex(connection: DatabaseOptions['connection']): string {
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  return `
    import { sql } from ${JSON.stringify(import.meta.resolve('kysely'))}
    import { migrations } from ${at('../migrations/index.ts')}
    import { makeIndex } from ${at('../migrations/make-index.ts')}
    import { migrate } from ${at('../src/platform/db/migrate.ts')}
    import { openDatabase } from ${at('../src/platform/db/open.ts')}
    const { db } = openDatabase({ connection: ${JSON.stringify(databaseUrl(connection))}, maxConnections: 1,
      statementTimeoutMilliseconds: 0, connectTimeoutMilliseconds: 20_000, onIdleError() {} })
    const index = { inTransaction: false, up: db => makeIndex(db, 'tickets_later_index', sql\`tickets (subject)\`) }
    await migrate(db, { ...migrations, '9999-index': index })`
}

async function aDatabase(connections = 1) {
  const database = await testDatabase({ connections })
  after(database.close)
  return database
}

function openAt(name: string) {
  const at =
    typeof connection === 'string'
      ? Object.assign(new URL(connection), { pathname: `/${name}` }).href
      : { ...connection, database: name }
  return openDatabase({
    connection: at as DatabaseOptions['connection'],
    maxConnections: 2,
    statementTimeoutMilliseconds: 60_000,
    connectTimeoutMilliseconds: 20_000,
    onIdleError() {}
  })
}
