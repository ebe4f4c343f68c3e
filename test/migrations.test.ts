import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { migrations } from '../migrations/index.ts'
import { migrate, pendingMigrations, SchemaTooNew } from '../src/platform/db/migrate.ts'
import { type DatabaseOptions, openDatabase } from '../src/platform/db/open.ts'
import { testDatabase } from './support/database.ts'

const { connection, pool } = await testDatabase()

test('ten starters at once on an empty database run each migration once', async () => {
  const empty = `deskline_test_${randomBytes(6).toString('hex')}`
  await pool.query(`create database ${empty} template template0`)
  const starters = Array.from({ length: 10 }, () => openAt(empty))
  try {
    const ran = (await Promise.all(starters.map(({ db }) => migrate(db, migrations)))).flat()

    assert.deepEqual(ran.toSorted(), Object.keys(migrations))
    const { db, pool } = starters[0]!
    assert.equal((await pool.query('select from kysely_migration')).rowCount, ran.length)
    assert.deepEqual(await pendingMigrations(db, migrations), [])
    const older = Object.fromEntries(Object.entries(migrations).slice(0, -1))
    await assert.rejects(migrate(db, older), SchemaTooNew)
    assert.deepEqual(await migrate(db, migrations), [])
  } finally {
    await Promise.all(starters.map(starter => starter.close()))
    await pool.query(`drop database ${empty} with (force)`)
  }
})

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
