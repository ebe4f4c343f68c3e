import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '../../src/core/config.ts'
import { checkDatabase } from '../../src/operation/cli/doctor-checks.ts'
import type { Finding } from '../../src/operation/cli/finding.ts'
import { databaseUrl, quiet, type TestDatabase, testDatabase } from '../support/database.ts'
import { run } from '../support/program.ts'

// Whatever a start refuses, `doctor` calls a failure, in the same sentence.
const folder = await mkdtemp(join(tmpdir(), 'deskline-doctor-'))
after(() => rm(folder, { recursive: true, force: true }))
const secret = 'a secret of the installation that is long enough'
const day = 86_400_000

const settings = (database: TestDatabase, more: NodeJS.ProcessEnv = {}) => ({
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl(database.connection),
  APP_SECRET: secret,
  ...more
})

async function findings(environment: NodeJS.ProcessEnv, turned = 0): Promise<Finding[]> {
  const clock = { now: () => new Date(Date.now() + turned) }
  const found: Finding[] = []
  for await (const finding of checkDatabase(readConfig(environment), quiet, clock)) found.push(finding)
  return found
}

const about = (found: Finding[], subject: string) => found.find(finding => finding.about === subject)
const failures = (found: Finding[]) => found.filter(({ verdict }) => verdict === 'fail').map(finding => finding.about)

/** What `serve` says as it refuses to start is what `doctor` calls a failure. */
async function assertSameRefusal(environment: NodeJS.ProcessEnv, sentence: RegExp): Promise<void> {
  const [started, looked] = [await run(['serve'], environment), await run(['doctor'], environment)]

  assert.deepEqual([started.code, looked.code], [1, 1], `${started.output}\n${looked.output}`)
  assert.match(started.output, sentence)
  const failed = looked.output.split('\n').filter(line => line.startsWith('fail '))
  assert.equal(failed.length, 1, looked.output)
  assert.match(failed[0]!, sentence)
}

test('a sound database has no failure', async () => {
  assert.deepEqual(failures(await findings(settings(await testDatabase()))), [])
})

test('a secret that is not that of the database', async () => {
  const database = await testDatabase()
  await sql`
    insert into staff (first_name, last_name, email, password, role, two_factor_secret)
    values ('Ada', 'Lovelace', 'ada@example.com', 'none', 'admin', 'sealed with another key')`.execute(database.db)

  await assertSameRefusal(settings(database), /APP_SECRET is not what the secrets in the database were encrypted with/)
  // With a key file that has yet to be made, as after a move without it.
  const { APP_SECRET: _, ...without } = settings(database, { DATA_DIR: join(folder, 'not-made') })
  assert.deepEqual(failures(await findings(without)), ['secrets'])
})

test('a schema of a newer version that this one does not work with', async () => {
  const database = await testDatabase()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-of-the-future', 'now')`.execute(database.db)
  await sql`update schema_compatibility set oldest_code = '9999-of-the-future'`.execute(database.db)

  await assertSameRefusal(settings(database), /was made by a newer version of Deskline/)
})

test('an older schema fails where no start may mend it, and is a warning where the next one does', async () => {
  const database = await testDatabase({ migrated: false })

  const mended = await findings(settings(database))
  const left = await findings(settings(database, { MIGRATE: 'never' }))

  assert.equal(about(mended, 'schema')?.verdict, 'warn')
  assert.match(about(mended, 'schema')!.text, /^it is older than this version: the next start brings it up to date \(/)
  assert.equal(about(left, 'schema')?.verdict, 'fail')
  assert.match(about(left, 'schema')!.text, /MIGRATE is "never": run "deskline migrate"/)
})

test('a job queue that is missing counts as an older schema', async () => {
  const database = await testDatabase()
  await sql`drop schema pgboss cascade`.execute(database.db)

  const left = await findings(settings(database, { MIGRATE: 'never' }))

  assert.match(about(left, 'schema')!.text, /\(job queue\)$/)
  assert.equal(about(left, 'schema')?.verdict, 'fail')
})

test('a clock that is off by a day, ahead or behind; one off by a minute is warned of', async () => {
  const database = await testDatabase()

  const [ahead, behind, odd] = [
    await findings(settings(database), day),
    await findings(settings(database), -day),
    await findings(settings(database), 60_000)
  ]

  assert.equal(about(ahead, 'clock')?.verdict, 'fail')
  assert.match(about(ahead, 'clock')!.text, /24 hours ahead of that of the database/)
  assert.equal(about(behind, 'clock')?.verdict, 'fail')
  assert.match(about(behind, 'clock')!.text, /24 hours behind that of the database/)
  assert.equal(about(odd, 'clock')?.verdict, 'warn')
})

test('a clock that was set back, on a machine that has the database as well', async () => {
  const database = await testDatabase()
  await sql`
    insert into audit_log (id, action, actor_type, actor_name, target_type, created_at, previous_hash, hash)
    values (1, 'test', 'system', 'system', 'staff', now() + interval '1 day', '', '')`.execute(database.db)

  const found = about(await findings(settings(database)), 'clock')

  assert.equal(found?.verdict, 'fail')
  assert.match(found!.text, /^The newest entry of the audit log is 24 hours in the future/)
})

test('a first admin who cannot be made', async () => {
  const database = await testDatabase()
  await sql`
    insert into staff (first_name, last_name, email, password, role)
    values ('Grace', 'Hopper', 'grace@example.com', 'none', 'supporter')`.execute(database.db)
  const admin = { ADMIN_EMAIL: 'Grace@example.com', ADMIN_PASSWORD: 'correct horse' }

  await assertSameRefusal(settings(database, admin), /ADMIN_EMAIL Grace@example\.com belongs to a supporter already/)
})

test('a database that cannot be reached', async () => {
  const environment = { DATA_DIR: folder, DATABASE_URL: 'postgres://desk:s3cret@127.0.0.1:1/desk' }

  const looked = await run(['doctor'], environment)

  assert.equal(looked.code, 1)
  assert.match(looked.output, /^fail database: DATABASE_URL postgres:\/\/desk@127\.0\.0\.1:1\/desk cannot be reached/m)
})

test('a data folder that cannot be used, also one that could not even be made', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  const blocked = join(folder, 'blocked')
  await mkdir(blocked)
  await writeFile(join(blocked, 'outbox'), '')

  await assertSameRefusal({ DATA_DIR: join(file, 'below') }, /DATA_DIR \S+ cannot be used: it is not a folder/)
  await assertSameRefusal({ DATA_DIR: blocked }, /outbox is not a folder: move it away/)
})

test('a port that another program has', async () => {
  const other = createServer(socket => socket.end('no HTTP')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const database = await testDatabase()

  const looked = await run(['doctor'], settings(database, { PORT: String(port) }))
  other.close()

  assert.equal(looked.code, 1)
  assert.match(looked.output, new RegExp(`^fail address: PORT ${port} is taken by another program`, 'm'))
})

test('W1: passkeys that BASE_URL makes impossible, or that are bound to another address, are told with their number', async () => {
  const database = await testDatabase()
  const at = async (BASE_URL: string) => about(await findings(settings(database, { BASE_URL })), 'passkeys')
  const [address, plain, none] = [
    await at('http://192.0.2.7:3000'),
    await at('http://desk.example'),
    await at('https://desk.example')
  ]
  await sql`
    insert into clients (first_name, last_name, email, password) values ('Ada', 'Lovelace', 'ada@example.com', 'none')`.execute(
    database.db
  )
  await sql`
    insert into passkeys (user_type, user_id, credential_id, public_key, counter, transports, is_backed_up, aaguid, host, name, created_at)
    select 'client', id, 'one', '', 0, '{}', false, '00000000-0000-0000-0000-000000000000', 'desk.example', 'Phone', now() from clients`.execute(
    database.db
  )

  assert.deepEqual([address?.verdict, plain?.verdict, none?.verdict], ['ok', 'ok', 'ok'])
  assert.match(address!.text, /need https and a name; this desk runs at an IP address/)
  assert.match(plain!.text, /need https/)
  assert.match(none!.text, /bound to desk\.example/)
  assert.equal((await at('https://desk.example'))?.verdict, 'ok')
  const moved = await at('https://support.example')
  assert.deepEqual(
    [moved?.verdict, moved?.text],
    ['warn', 'one passkey is bound to another address than BASE_URL and signs nobody in']
  )
  assert.equal((await at('http://192.0.2.7'))?.verdict, 'warn')
})
