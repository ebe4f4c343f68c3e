import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Db } from '../../src/core/db.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'
import { eventually } from '../faults/eventually.ts'
import { databaseUrl, quiet, testDatabase } from '../support/database.ts'
import { deskline, root, run, served } from '../support/program.ts'
import { check, post, requestPasswordReset, signUp } from '../support/requests-by-url.ts'
import { copyTemplateCluster } from '../support/template-cluster.ts'

type Service = Awaited<ReturnType<typeof served>>

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskline-processes-'))
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

describe('several processes', { concurrency: 2 }, () => {
  describe('on one database', { concurrency: 1 }, () => {
    const maxWrong = 4
    let db: Db
    let env: NodeJS.ProcessEnv
    let services: [Service, Service]
    before(async () => {
      const database = await testDatabase({ connections: 2 })
      db = database.db
      env = {
        DATA_DIR: join(folder, 'one-database'),
        DATABASE_URL: databaseUrl(database.connection),
        MAX_WRONG_PASSWORDS: String(maxWrong)
      }
      await sql`drop schema public cascade`.execute(db)
      await sql`create schema public`.execute(db)
      await sql`drop schema pgboss cascade`.execute(db)
      // All at once on an empty database.
      const both = [served(env, '--no-worker'), served(env, '--no-worker')] as const
      services = await Promise.all(both)
    })
    after(() => Promise.all(services.map(service => service.stop('SIGKILL'))))

    test('who logs in at one is known to the other, and out everywhere when out at one', async () => {
      const [one, other] = services
      const { token } = await signUp(one.url, 'ada@example.com')

      const known = await post(other.url, '/api/tickets/list', {}, token)
      await post(other.url, '/api/auth/logout', {}, token)
      const gone = await post(one.url, '/api/tickets/list', {}, token)

      assert.deepEqual([known.status, gone.status], [200, 401])
    })

    test('guesses at one account are counted together', async () => {
      await signUp(services[0].url, 'grace@example.com')
      const wrong = { email: 'grace@example.com', password: 'not this one' }

      const answers = await Promise.all(
        Array.from({ length: 2 * maxWrong }, (_, at) => post(services[at % 2]!.url, '/api/auth/login', wrong))
      )

      assert.equal(answers.filter(answer => answer.status === 401).length, maxWrong)
      assert.equal(answers.filter(answer => answer.status === 429).length, maxWrong)
    })

    test('an e-mail that a worker had sent but not recorded when it was killed is recorded by another, and there once', async t => {
      await signUp(services[0].url, 'mary@example.com')
      await sql`create function stand_still() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); return new; end'`.execute(db)
      await sql`create trigger stand_still before update on outbox_messages for each row when (new.state = 'sent')
        execute function stand_still()`.execute(db)
      const first = deskline(['worker'], env)
      t.after(() => first.stop('SIGKILL'))
      const { promise: killed, resolve: kill } = Promise.withResolvers<void>()
      const { promise: held, resolve: hold } = Promise.withResolvers<void>()
      const standing = db.transaction().execute(async db => {
        // It stands still while programs start, which takes a slow machine minutes.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
        await sql`select pg_advisory_xact_lock(4711)`.execute(db)
        hold()
        await killed
        // With the process its connections go, sooner or later.
        await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`.execute(
          db
        )
      })
      await held

      await requestPasswordReset(services[0].url, 'mary@example.com')
      await first.says(/An e-mail was written to the outbox folder/)
      const second = deskline(['worker'], env)
      t.after(() => second.stop('SIGKILL'))
      await second.says(/"msg":"working"/)
      await first.stop('SIGKILL')
      kill()
      await standing
      await sql`drop trigger stand_still on outbox_messages`.execute(db)
      await missTheDead(db)
      // A new e-mail makes the worker look, long before it would by itself.
      await requestPasswordReset(services[1].url, 'mary@example.com')
      await eventually(60, 'the sending of all e-mails', async () => {
        assert.ok((await emailsIn(db)).every(message => message.state === 'sent'))
      })
      const code = await second.stop()

      assert.deepEqual(await emailsIn(db), [
        { state: 'sent', attempts: 2 },
        { state: 'sent', attempts: 1 }
      ])
      const folder = join(env.DATA_DIR!, 'outbox')
      const texts = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'utf8')))
      assert.equal(texts.filter(text => text.includes('mary@example.com')).length, 2)
      assert.equal(code, 0)
    })

    test('a database made by a newer version is one sentence and exit code 1', async () => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2027-01-01')`.execute(db)
      await sql`update schema_compatibility set oldest_code = '9999-later'`.execute(db)

      const runs = await Promise.all([run(['serve'], { ...env, PORT: '0' }), run(['worker'], env)])

      for (const { code, output } of runs) {
        assert.equal(code, 1)
        assert.match(output, /^The database was made by a newer version of Deskline: [^\n]*\n$/)
      }
    })
  })

  test('a worker beside no service and no DATABASE_URL is told so in one sentence', async () => {
    const dataDir = join(folder, 'alone')

    const { code, output } = await run(['worker'], { DATA_DIR: dataDir })

    assert.equal(code, 1)
    assert.equal(output, `No Deskline serves ${dataDir}: start "deskline serve" first, or set DATABASE_URL.\n`)
  })

  test('a database that loses connections, goes away and comes back costs 503s with Retry-After, and no restart', async t => {
    const dataDir = join(folder, 'database')
    await copyTemplateCluster(dataDir)
    const database = await startEmbedded({ dataDir, log: quiet, durable: false })
    const env = { DATA_DIR: join(folder, 'heals'), DATABASE_URL: databaseUrl(database.connection), LOG_LEVEL: 'info' }
    const service = await served(env)
    t.after(() => service.stop('SIGKILL'))
    const seen = new Set<number>()
    const question = async () => {
      const answer = await post(service.url, '/api/user/check-by-email', { email: 'nobody@example.com' })
      seen.add(answer.status)
      return answer
    }

    const { db, close } = openDatabase({
      connection: database.connection,
      maxConnections: 1,
      statementTimeoutMilliseconds: 15_000,
      connectTimeoutMilliseconds: 15_000,
      onIdleError() {}
    })
    for (let round = 1; round <= 5; round++) {
      const asked = Array.from({ length: 20 }, question)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'deskline%' and pid <> pg_backend_pid()`.execute(
        db
      )
      await Promise.all(asked)
    }
    await close()
    // A connection may be handed out before the news of its end has arrived.
    await eventually(60, 'an answer', async () => assert.equal((await question()).status, 200))
    await database.stop()
    const refused = await question()
    const unready = await fetch(`${service.url}/readyz`)
    const again = await startEmbedded({ dataDir, log: quiet, durable: false })
    await eventually(60, 'an answer again', async () => assert.equal((await question()).status, 200))
    await signUp(service.url, 'heals@example.com')
    await requestPasswordReset(service.url, 'heals@example.com')
    await service.says(/An e-mail was sent/)
    const code = await service.stop()
    await again.stop()

    assert.equal(refused.status, 503)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(((await refused.json()) as { status: string }).status, 'error')
    assert.equal(unready.status, 503)
    assert.deepEqual([...seen].sort(), [200, 503])
    assert.equal(code, 0)
  })

  test('with OTEL_* variables requests and jobs are spans of the SDK that the operator brings; without them there are none', async t => {
    const sdk = pathToFileURL(join(root, 'test/support/console-spans.ts')).href
    const { connection } = await testDatabase()
    const env = {
      DATA_DIR: join(folder, 'traced'),
      DATABASE_URL: databaseUrl(connection),
      NODE_OPTIONS: `--import=${sdk}`
    }
    const [silent, traced] = await Promise.all([
      served(env, '--no-worker'),
      served({ ...env, OTEL_SERVICE_NAME: 'deskline' })
    ])
    t.after(() => Promise.all([silent.stop('SIGKILL'), traced.stop('SIGKILL')]))

    await check(silent.url, 'silent')
    await signUp(traced.url, 'traced@example.com')
    const trace = '0af7651916cd43dd8448eb211c80319c'
    await requestPasswordReset(traced.url, 'traced@example.com', { traceparent: `00-${trace}-b7ad6b7169203331-01` })
    await traced.says(/name: 'job deliver-message'/)
    await Promise.all([silent.stop(), traced.stop()])

    const output = traced.output()
    assert.doesNotMatch(silent.output(), /traceId/)
    assert.match(output, new RegExp(`traceId: '${trace}'[^}]*}?[^}]*name: 'POST /api/auth/forgot-password'`))
    assert.match(output, /'http\.route': '\/api\/auth\/forgot-password'/)
    assert.match(output, /'http\.response\.status_code': 200/)
  })
})

/** Lets the time pass after which a dead worker's jobs are missed, and has a look, as each worker does every 15 s. */
async function missTheDead(db: Db): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`.execute(db)
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`.execute(db)
  await new PgBoss({ db: fromKysely(db) }).supervise('deliver-message')
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(db)
}

async function emailsIn(db: Db) {
  const toMary = db.selectFrom('outbox_messages').where('recipient', '=', 'mary@example.com')
  return await toMary.select(['state', 'attempts']).orderBy('id').execute()
}
