import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../../src/platform/db/open.ts'
import { eventually } from '../faults/eventually.ts'
import { isReplayed, postWithKey } from '../support/idempotency-keys.ts'
import { pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres.ts'
import { run, served } from '../support/program.ts'
import { poster } from '../support/requests.ts'

/** Since then it passes prepared statements on in transaction mode. */
const tracksStatements = 1.21

const version = await pgbouncerVersion()
const server = version === undefined ? undefined : await startPostgres()

describe('behind PgBouncer', { skip: server ? false : 'PgBouncer or PostgreSQL is not installed here' }, () => {
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'deskline-pgbouncer-'))
  })
  after(async () => {
    await rm(dataDir, { recursive: true, force: true })
    await server?.remove()
  })

  test('in session mode the service works, jobs included, and its sessions have our settings, though options are dropped', async t => {
    const pooler = await startPgbouncer(server!, { pool_mode: 'session', ignore_startup_parameters: 'options' })
    t.after(() => pooler.stop())
    const url = `${pooler.url}?options=-c%20jit%3Don`

    const service = await served({ DATA_DIR: dataDir, DATABASE_URL: url })
    t.after(() => service.stop('SIGKILL'))
    await worksWithJobs(service.url)
    const settings = await settingsThrough(url)
    const looked = await run(['doctor'], { DATA_DIR: dataDir, DATABASE_URL: url })

    assert.deepEqual(settings, {
      TimeZone: 'UTC',
      idle_in_transaction_session_timeout: '60000',
      jit: 'off',
      max_parallel_workers_per_gather: '0',
      plan_cache_mode: 'force_generic_plan',
      statement_timeout: '15000'
    })
    assert.equal(looked.code, 0, looked.output)
    assert.equal(await service.stop(), 0)
  })

  test('it need not be told to ignore options', async t => {
    const pooler = await startPgbouncer(server!, { pool_mode: 'session' })
    t.after(() => pooler.stop())

    assert.equal((await settingsThrough(pooler.url)).jit, 'off')
  })

  test('in transaction mode the start and doctor ask for a direct address', async t => {
    const pooler = await startPgbouncer(server!, { pool_mode: 'transaction' })
    t.after(() => pooler.stop())
    const environment = { DATA_DIR: dataDir, DATABASE_URL: pooler.url }

    const started = await run(['serve'], { ...environment, PORT: '0' })
    const looked = await run(['doctor'], environment)

    const sentence =
      /DATABASE_URL \S+ is a pooler in transaction mode: set DATABASE_DIRECT_URL to the address of the server itself/
    assert.deepEqual([started.code, looked.code], [1, 1])
    assert.match(started.output, sentence)
    assert.match(looked.output, sentence)
  })

  test('in transaction mode with a direct address it works where prepared statements are tracked and the role has our settings, and else says what is missing', async t => {
    const isTracking = version! >= tracksStatements
    const settings: Record<string, string> = isTracking ? { max_prepared_statements: '200' } : {}
    const pooler = await startPgbouncer(server!, { pool_mode: 'transaction', ...settings })
    t.after(() => pooler.stop())
    const environment = { DATA_DIR: dataDir, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server!.url, PORT: '0' }

    const refused = await run(['serve'], environment)

    assert.equal(refused.code, 1)
    if (!isTracking) return assert.match(refused.output, /that does not track prepared statements: use PgBouncer 1\.21/)
    const [, statements] = /where sessions keep no settings: run \\?"(alter role .*?)\\?"\./.exec(refused.output) ?? []
    assert.ok(statements, refused.output)
    await direct(statements)
    const again = await startPgbouncer(server!, { pool_mode: 'transaction', ...settings })
    t.after(() => again.stop())
    const service = await served({ ...environment, DATABASE_URL: again.url })
    t.after(() => service.stop('SIGKILL'))
    await worksWithJobs(service.url)
  })
})

let serial = 0

async function worksWithJobs(url: string): Promise<void> {
  const post = poster(url)
  const people = Array.from({ length: 30 }, () => ({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada.${++serial}@example.com`,
    password: 'correct horse'
  }))
  const answers = await Promise.all(people.map(person => post('/api/auth/signup', undefined, person)))
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([201]))
  const mary = { ...people[0]!, email: `mary.${serial}@example.com` }
  const once = () => postWithKey({ url }, 'one-key', '/api/auth/signup', undefined, mary)
  const [first, again] = [await once(), await once()]
  assert.deepEqual([first.status, again.body, isReplayed(again)], [201, first.body, true])
  assert.equal((await post('/api/auth/forgot-password', undefined, { email: people[0]!.email })).status, 200)
  await eventually(30, 'the delivery of an e-mail', async () =>
    assert.deepEqual(await direct('select state from outbox_messages order by id desc limit 1'), [{ state: 'sent' }])
  )
}

async function direct(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server!.url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function settingsThrough(url: string): Promise<Record<string, string>> {
  const { db, close } = openDatabase({
    connection: url,
    maxConnections: 1,
    statementTimeoutMilliseconds: 15_000,
    connectTimeoutMilliseconds: 10_000,
    onIdleError() {}
  })
  try {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings
      where name in ('statement_timeout', 'jit', 'max_parallel_workers_per_gather', 'plan_cache_mode', 'TimeZone', 'idle_in_transaction_session_timeout')`.execute(
      db
    )
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  } finally {
    await close()
  }
}
