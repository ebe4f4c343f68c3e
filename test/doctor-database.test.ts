import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '../src/core/config.ts'
import { checkDatabase } from '../src/operation/cli/doctor-checks.ts'
import type { Finding } from '../src/operation/cli/finding.ts'
import { databaseUrl, quiet, type TestDatabase, testDatabase } from './support/database.ts'
import { run } from './support/program.ts'

const database = await testDatabase()

test('a database with another encoding than UTF-8 is refused by the start and by doctor, in a sentence that says what to do', async t => {
  const name = `deskline_test_${randomBytes(6).toString('hex')}`
  await sql`create database ${sql.id(name)} encoding 'SQL_ASCII' locale 'C' template template0`.execute(database.db)
  t.after(() => sql`drop database ${sql.id(name)}`.execute(database.db))
  const url = new URL(databaseUrl(database.connection))
  url.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-encoding-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))

  const started = await run(['serve'], { DATA_DIR: dataDir, DATABASE_URL: url.href, PORT: '0' })
  const looked = await findings(url.href)

  const sentence =
    /stores texts as SQL_ASCII, and Deskline needs UTF8: make a database with "create database … encoding 'UTF8'/
  assert.equal(started.code, 1)
  assert.match(started.output, sentence)
  assert.equal(looked[0]!.verdict, 'fail')
  assert.match(looked[0]!.text, sentence)
})

test('doctor fails where a database takes no writes', async t => {
  const { connection, db, close } = await testDatabase()
  t.after(close)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  await sql`alter database ${sql.id(rows[0]!.name)} set default_transaction_read_only = on`.execute(db)

  const looked = await findings(databaseUrl(connection))

  assert.deepEqual(
    looked.map(({ verdict, about }) => [verdict, about]),
    [['fail', 'database']]
  )
  assert.match(looked[0]!.text, /cannot be used: it takes no writes/)
})

test('doctor fails when nobody has tried to deliver an e-mail for MAX_OUTBOX_AGE_SECONDS, and not for one that was tried', async () => {
  await sql`
    insert into outbox_messages (channel, kind, recipient, sealed_content, created_at)
    values ('mail', 'email-code', 'anna@example.com', 'sealed', now() - interval '901 seconds')`.execute(database.db)

  const untried = await outboxOf(database)
  await sql`update outbox_messages set attempts = 1`.execute(database.db)
  const tried = await outboxOf(database)

  assert.equal(untried.verdict, 'fail')
  assert.match(untried.text, /^nobody has tried to deliver one for 9\d\d s: no worker runs; 1 have waited/)
  assert.equal(tried.verdict, 'warn')
})

async function outboxOf({ connection }: TestDatabase) {
  const found = (await findings(databaseUrl(connection))).find(({ about }) => about === 'outbox')
  assert.ok(found)
  return found
}

async function findings(url: string) {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: tmpdir(), DATABASE_URL: url })
  const found: Finding[] = []
  for await (const finding of checkDatabase(config, quiet)) found.push(finding)
  return found
}
