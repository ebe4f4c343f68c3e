import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aFolder, aStarter, firstWordOf, killed, query, started } from './embedded-testing.ts'

test('Root without user namespaces runs the server as a user who exists, who owns the cluster from then on', async t => {
  if (process.getuid?.() !== 0) return t.skip('needs root')
  const folder = await aFolder(t)
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` } // and no HOME either

  const child = aStarter(t, dataDir, environment)
  assert.equal(await firstWordOf(child), 'ready')
  const owner = (await lstat(join(dataDir, 'postgres'))).uid
  assert.notEqual(owner, 0)
  assert.equal((await lstat(dataDir)).mode & 0o777, 0o710)
  await killed(child)
  const { connection } = await started(t, dataDir)

  assert.equal((await query(connection, 'select 1')).length, 1)
  assert.equal((await lstat(join(dataDir, 'postgres', 'PG_VERSION'))).uid, owner)

  const closed = join(folder, 'closed')
  await mkdir(closed, { mode: 0o700 })
  assert.match(await firstWordOf(aStarter(t, join(closed, 'data'), environment)), /DATABASE_URL/)
})
