import assert from 'node:assert/strict'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { readPostmasterFile } from './cluster.ts'
import { attachEmbedded, EmbeddedError, startEmbedded } from './embedded.ts'
import {
  aFolder,
  aStarter,
  atEnd,
  eventually,
  firstWordOf,
  killed,
  nothingRunsOn,
  query,
  quiet,
  started
} from './embedded-testing.ts'
import { isServerOf, processesOf, stopSupervised } from './process.ts'
import { launchServer } from './server.ts'
import { makeSocketFolder, socketPort } from './socket.ts'
import { chooseIdentity } from './user.ts'

let used = ''

before(async () => {
  used = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  await (await startEmbedded({ dataDir: used, log: quiet })).stop()
})

after(() => rm(used, { recursive: true, force: true }))

/** A data folder that was used before: copied, since creating a cluster takes most of a second. */
async function aUsedFolder(t: TestContext): Promise<string> {
  const dataDir = join(await aFolder(t), 'data')
  await cp(used, dataDir, { recursive: true, preserveTimestamps: true })
  return dataDir
}

test('The first start creates a database that flushes, in UTF-8 and UTC, which no TCP port and no other user reaches', async t => {
  const dataDir = join(await aFolder(t), 'made', 'on the way')

  const { connection } = await started(t, dataDir)

  const [row] = await query(
    connection,
    `select current_user, current_database(), current_setting('fsync') fsync, current_setting('TimeZone') zone,
      current_setting('listen_addresses') tcp, current_setting('server_encoding') encoding,
      (select rolsuper from pg_roles where rolname = current_user) super, lower('ÄÖЖ') lower`
  )
  assert.deepEqual(row, {
    current_user: 'deskline',
    current_database: 'deskline',
    fsync: 'on',
    zone: 'UTC',
    tcp: '',
    encoding: 'UTF8',
    super: false,
    lower: 'äöж'
  })
  assert.equal((await lstat(connection.host)).mode & 0o777, 0o700)
  assert.equal((await lstat(dataDir)).mode & 0o777, 0o700)
})

test('A second start keeps the data, and another process can attach exactly while a server runs', async t => {
  const dataDir = await aUsedFolder(t)
  assert.equal(await attachEmbedded(join(dataDir, 'not there')), undefined)
  assert.equal(await attachEmbedded(dataDir), undefined)
  const first = await startEmbedded({ dataDir, log: quiet })
  await query(first.connection, 'create table kept as select 42 as answer')
  assert.deepEqual(await attachEmbedded(dataDir), first.connection)

  await Promise.all([first.stop(), first.stop()])
  assert.equal(await attachEmbedded(dataDir), undefined)
  assert.deepEqual(await processesOf(join(dataDir, 'postgres')), [])
  const second = await started(t, dataDir)

  assert.deepEqual(await query(second.connection, 'select answer from kept'), [{ answer: 42 }])
})

test('A second Deskline on the same folder is refused in a sentence that names the first, which goes on', async t => {
  const dataDir = await aUsedFolder(t)
  const { connection } = await started(t, dataDir)
  const sentence =
    `Another Deskline is already running on ${dataDir} (process ${process.pid}); ` +
    'stop it, or set DATA_DIR to another folder.'

  await assert.rejects(startEmbedded({ dataDir, log: quiet }), error => {
    assert.ok(error instanceof EmbeddedError)
    assert.equal(error.message, sentence)
    return true
  })

  assert.equal(await firstWordOf(aStarter(t, dataDir)), sentence)
  assert.equal((await query(connection, 'select 1')).length, 1)
})

test('Of several starters at once exactly one wins, on a new folder and on one whose last holder was killed', async t => {
  const dataDir = await aFolder(t)

  for (let round = 0; round < 2; round++) {
    const starters = [1, 2, 3].map(() => aStarter(t, dataDir))
    const words = await Promise.all(starters.map(firstWordOf))

    assert.equal(words.filter(said => said === 'ready').length, 1, words.join('\n'))
    assert.equal(
      words.filter(said => said.startsWith('Another Deskline is already running')).length,
      2,
      words.join('\n')
    )
    await Promise.all(starters.map(killed))
  }
  await nothingRunsOn(dataDir)
})

test('A process killed with -9 leaves no server behind, and what it had committed is there at the next start', async t => {
  const dataDir = await aUsedFolder(t)
  const child = aStarter(t, dataDir)
  assert.equal(await firstWordOf(child), 'ready')
  const connection = await attachEmbedded(dataDir)
  assert.ok(connection)
  await query(connection, 'create table kept as select 42 as answer')

  await killed(child)
  const { connection: again } = await started(t, dataDir) // at once: it waits for the former server to stop
  assert.deepEqual(await query(again, 'select answer from kept'), [{ answer: 42 }])

  const other = await aUsedFolder(t)
  const lonely = aStarter(t, other)
  assert.equal(await firstWordOf(lonely), 'ready')
  await killed(lonely)
  await nothingRunsOn(other)
})

test('A kill -9 at any moment of the first start leaves nothing that keeps the next one from starting', async t => {
  const dataDir = await aFolder(t)

  for (const milliseconds of [250, 450, 650]) {
    const child = aStarter(t, dataDir)
    await pause(milliseconds) // the moment is what is tried here; nothing is awaited
    await killed(child)
  }
  const { connection } = await started(t, dataDir)

  assert.equal((await query(connection, 'select 1')).length, 1)
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres-socket', 'serve.lock', 'serve.pid'])
})

test('A server that is killed, even with busy children, is started again and answers on the same connection', async t => {
  const dataDir = await aUsedFolder(t)
  const told: string[] = []
  const log = { ...quiet, error: (_: object, text: string) => told.push(text) }
  const server = await startEmbedded({ dataDir, log })
  atEnd(t, server.stop)
  await query(server.connection, 'create table kept as select 42 as answer')
  const busy = query(server.connection, 'select pg_sleep(60)').catch(() => 'broken')

  for (let round = 0; round < 2; round++) {
    const before = await readPostmasterFile(join(dataDir, 'postgres'))
    process.kill(before!.pid, 'SIGKILL')
    const rows = await eventually(60, async () => {
      const now = await readPostmasterFile(join(dataDir, 'postgres'))
      assert.notEqual(now?.pid, before?.pid)
      return await query(server.connection, 'select answer from kept')
    })
    assert.deepEqual(rows, [{ answer: 42 }])
  }

  assert.equal(await busy, 'broken')
  assert.ok(told.some(text => text.includes('stopped unexpectedly')))
})

test('A stop while the server is being started again leaves nothing running', async t => {
  const dataDir = await aUsedFolder(t)
  const server = await startEmbedded({ dataDir, log: quiet })
  process.kill((await readPostmasterFile(join(dataDir, 'postgres')))!.pid, 'SIGKILL')

  await server.stop()

  await nothingRunsOn(dataDir)
  await (await startEmbedded({ dataDir, log: quiet })).stop()
})

test('A stale note of a server whose number another process has got is told from a live one', async t => {
  const dataDir = await aUsedFolder(t)
  const cluster = join(dataDir, 'postgres')
  const now = Math.floor(Date.now() / 1000)
  const note = [process.pid, cluster, now, 5432, '/nowhere', '', '  5432001         0', 'ready   ', '']
  await writeFile(join(cluster, 'postmaster.pid'), note.join('\n'))

  assert.equal(await isServerOf(cluster, process.pid, now), false)
  assert.equal(await attachEmbedded(dataDir), undefined)
  const { connection } = await started(t, dataDir)

  assert.equal((await query(connection, 'select 1')).length, 1)
})

test('A note of a killed server with the very number of the next one, as in a container, is not taken for that one’s', async t => {
  const dataDir = await aUsedFolder(t)
  const cluster = join(dataDir, 'postgres')
  const { identity, binaries } = await chooseIdentity(dataDir, cluster, await findBinaries(dataDir))
  const socketFolder = await makeSocketFolder(dataDir, identity)
  // Becomes the server after a while in which postmaster.pid says that this process is ready.
  const late = 'note=$1; shift; printf "%s\\n$PWD\\n1\\n\\n\\n\\n\\nready\\n" $$ >"$note"; sleep 0.3; exec "$@"'
  const prefix = [...identity.prefix, '/bin/sh', '-c', late, 'sh', join(cluster, 'postmaster.pid')]
  const place = { cluster, socketFolder, binaries, identity: { ...identity, prefix }, isDurable: true }

  const { guarded } = await launchServer(place, quiet, t.signal)
  atEnd(t, () => stopSupervised(guarded))

  const connection = { host: socketFolder, port: socketPort, user: 'deskline', database: 'deskline' }
  assert.equal((await readPostmasterFile(cluster))?.pid, guarded.child.pid)
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
})

test('A folder deep below closed ones, with a path far too long for a socket, works and leaves no socket behind', async t => {
  const folder = await aFolder(t)
  await chmod(folder, 0o700)
  const dataDir = join(folder, 'a rather long name, with "quotes" and commas, ', 'x'.repeat(200), 'data')
  await cp(used, dataDir, { recursive: true })
  const server = await startEmbedded({ dataDir, log: quiet })

  const { host } = server.connection
  assert.deepEqual(await attachEmbedded(dataDir), server.connection)
  assert.equal((await query(server.connection, 'select 1')).length, 1)
  assert.equal((await lstat(host)).mode & 0o777, 0o700)
  await server.stop()
  await assert.rejects(lstat(host), { code: 'ENOENT' })

  const foreign = join(folder, 'foreign')
  await mkdir(foreign, { mode: 0o755 })
  await symlink(foreign, join(folder, 'link'))
  for (const trap of ['foreign', 'link', 'not there']) {
    await writeFile(join(dataDir, 'postgres-socket-folder'), join(folder, trap))
    const again = await startEmbedded({ dataDir, log: quiet })
    assert.notEqual(again.connection.host, join(folder, trap))
    await again.stop()
  }
})

test('A cluster of another major version is refused in a sentence that names backup and restore', async t => {
  for (const version of ['17', '99']) {
    const dataDir = await aFolder(t)
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`)

    await assert.rejects(startEmbedded({ dataDir, log: quiet }), error => {
      assert.ok(error instanceof EmbeddedError)
      assert.match(error.message, new RegExp(`PostgreSQL ${version}.*PostgreSQL 18.*deskline backup.*deskline restore`))
      return true
    })

    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'serve.lock'])
  }
})

test('What cannot work is refused in a sentence that names the setting to change', async t => {
  const folder = await aFolder(t)
  await writeFile(join(folder, 'a file'), '')
  await mkdir(join(folder, 'full', 'postgres', 'holiday photographs'), { recursive: true })

  const refusal = { name: 'EmbeddedError', message: /DATA_DIR/ }
  await assert.rejects(startEmbedded({ dataDir: join(folder, 'a file'), log: quiet }), refusal)
  await assert.rejects(startEmbedded({ dataDir: join(folder, 'a file', 'below'), log: quiet }), refusal)
  await assert.rejects(startEmbedded({ dataDir: join(folder, 'full'), log: quiet }), refusal)
  await assert.rejects(
    startEmbedded({ dataDir: process.getuid?.() === 0 ? '/sys/deskline' : '/deskline', log: quiet }),
    refusal
  )
})
