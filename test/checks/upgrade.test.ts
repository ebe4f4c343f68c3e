import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { migrations } from '../../migrations/index.ts'
import { makeIndex } from '../../migrations/make-index.ts'
import type { Migration } from '../../migrations/migration.ts'
import { migrate, migrateTo } from '../../src/platform/db/migrate.ts'
import { superuser } from '../../src/platform/postgres/cluster.ts'
import { eventually } from '../faults/eventually.ts'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { deskline, root, run, served } from '../support/program.ts'
import { post, requestPasswordReset, signUp } from '../support/requests-by-url.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskline-upgrade-'))
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const newest = Object.keys(migrations).at(-1)!

/** What the next version may bring to the tables that everybody uses. */
const later: Record<string, Migration> = {
  '9997-columns': {
    oldestCode: newest,
    async up(db) {
      await sql`alter table tickets add column later integer not null default 7`.execute(db)
      await sql`alter table ticket_messages add column later text`.execute(db)
      await sql`alter table clients add column later text`.execute(db)
      await sql`alter table sessions add column later text`.execute(db)
    }
  },
  '9998-index': {
    inTransaction: false,
    oldestCode: newest,
    up: db => makeIndex(db, 'ticket_messages_later_index', sql`ticket_messages (ticket_id, later)`)
  },
  '9999-trigger': {
    oldestCode: newest,
    async up(db) {
      await sql`create function later() returns trigger language plpgsql as $$ begin return new; end $$`.execute(db)
      await sql`create trigger tickets_later before update on tickets for each row execute function later()`.execute(db)
    }
  }
}

test('while the next version migrates, processes of this one answer, stay ready, and can be started', async t => {
  const { connection, db } = await testDatabase({ connections: 2 })
  const env = { DATA_DIR: join(folder, 'rolling'), DATABASE_URL: databaseUrl(connection) }
  const services = [await served(env), await served(env, '--no-worker')]
  t.after(() => Promise.all(services.map(service => service.stop('SIGKILL'))))
  const statuses = new Map<number, number>()
  let isOver = false
  const callers = services.map(async ({ url }, at) => {
    const { token } = await signUp(url, `ada${at}@example.com`)
    for (let number = 1; !isOver; number++) {
      const words = { deptid: 1, subject: `Number ${number}`, message: 'Hello' }
      const created = await post(url, '/api/tickets/create', words, token)
      const { data } = (await created.json()) as { data?: { ticket_id: number } }
      const answers = [
        created,
        await post(url, '/api/tickets/reply', { id: data?.ticket_id ?? 1, message: 'And more' }, token),
        await post(url, '/api/tickets/list', {}, token),
        await fetch(`${url}/readyz`)
      ]
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  await eventually(60, 'requests', async () => assert.ok((statuses.get(201) ?? 0) > 20))

  const ran: string[] = []
  for (let known = { ...migrations }, left = Object.entries(later); left.length > 0; left = left.slice(1)) {
    known = { ...known, [left[0]![0]]: left[0]![1] }
    ran.push(...(await migrate(db, known)))
    const enough = (statuses.get(201) ?? 0) + 10
    await eventually(60, 'requests', async () => assert.ok((statuses.get(201) ?? 0) > enough))
  }
  const started = await served(env, '--no-worker')
  const unready = await fetch(`${started.url}/readyz`)
  await started.stop()
  isOver = true
  await Promise.all(callers)

  assert.deepEqual(ran, Object.keys(later))
  assert.equal(unready.status, 200)
  assert.deepEqual([...statuses.keys()].sort(), [200, 201])
})

test('commands refuse an older schema and say what to do, a worker waits for it, and only migrate and serve change it', async t => {
  const { connection, db } = await testDatabase({ connections: 2, migrated: false })
  const env = { DATA_DIR: join(folder, 'older'), DATABASE_URL: databaseUrl(connection) }
  await migrateTo(db, migrations, '0001-baseline')
  const names = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(row => row.name)

  const refused = await run(['outbox'], env)
  const worker = deskline(['worker'], { ...env, LOG_LEVEL: 'info' })
  t.after(() => worker.stop('SIGKILL'))
  await worker.says(/waiting for \\?"deskline migrate/)
  const before = await names()
  const migrated = await run(['migrate'], { ...env, MIGRATE: 'never' })
  await worker.says(/"working"/)

  assert.equal(refused.code, 1)
  assert.match(refused.output, /has an older schema .*: run "deskline migrate", or start "deskline serve"\.\n$/)
  assert.equal(before.at(-1), '0001-baseline')
  assert.equal(migrated.code, 0, migrated.output)
  assert.deepEqual(await names(), Object.keys(migrations))
  assert.equal(await worker.stop(), 0)
})

test('with MIGRATE=never a role that can only read and write rows serves and works, once the owner has migrated', async t => {
  const { connection, pool } = await testDatabase({ connections: 1, migrated: false })
  const role = `desk_app_${randomBytes(4).toString('hex')}`
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  const operations = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const [makeRole, grants] = [...operations.matchAll(/```sql\n([\s\S]*?)```/g)]
    .map(([, statements]) => statements!)
    .filter(statements => statements.includes('desk_app'))
    .map(statements => statements.replaceAll('desk_app', role).replace('database desk', `database ${rows[0]!.name}`))
  const administrator = new Client(
    typeof connection === 'string' ? { connectionString: connection } : { ...connection, user: superuser }
  )
  await administrator.connect()
  t.after(async () => {
    await administrator.query(`drop owned by ${role}; drop role ${role}`)
    await administrator.end()
  })
  await administrator.query(makeRole!)
  await pool.query(grants!)
  const owner = { DATA_DIR: join(folder, 'roles'), DATABASE_URL: databaseUrl(connection) }
  const url = new URL(owner.DATABASE_URL)
  url.username = role
  url.password = 'another secret'
  const env = { ...owner, DATABASE_URL: url.href, MIGRATE: 'never', LOG_LEVEL: 'info' }

  const service = deskline(['serve'], { ...env, PORT: '0' })
  t.after(() => service.stop('SIGKILL'))
  await service.says(/waiting for/)
  const refused = await run(['outbox'], env)
  const migrated = await run(['migrate'], owner)
  const [, address] = await service.says(/listening on (http:\/\/[^"]+)/)
  await service.says(/"working"/)
  const { token } = await signUp(address!, 'ada@example.com')
  const ticket = { deptid: 1, subject: 'Roles', message: 'Hello' }
  const created = await post(address!, '/api/tickets/create', ticket, token)
  await requestPasswordReset(address!, 'ada@example.com')
  await service.says(/An e-mail was sent/)
  const ready = await fetch(`${address}/readyz`)
  const doctor = await run(['doctor'], env)
  const recounted = await run(['recount'], env)
  await service.stop()

  assert.match(refused.output, /has an older schema/)
  assert.equal(migrated.code, 0, migrated.output)
  assert.equal(created.status, 201)
  assert.equal(ready.status, 200)
  assert.match(doctor.output, /ok {3}schema: it is the newest/)
  assert.equal(recounted.code, 0, recounted.output)
  assert.doesNotMatch(service.output(), /permission denied/)
  await assert.rejects(async () => {
    const session = await pool.connect()
    try {
      await session.query(`set role ${role}`)
      await session.query('create table mine (id integer)')
    } finally {
      await session.query('reset role')
      session.release()
    }
  }, /permission denied/)
})
