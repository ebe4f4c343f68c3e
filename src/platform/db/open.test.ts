import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../test/support/database.ts'
import { aWire } from '../../../test/support/wire.ts'
import { openDatabase } from './open.ts'

test('a connection whose server is gone without a word is given up, and a new one does its work', async t => {
  const { connection } = await testDatabase()
  const at = typeof connection === 'string' ? undefined : connection
  const url = at ? new URL(`postgres://${at.user}@127.0.0.1/${at.database}`) : new URL(connection as string)
  const socket = at && { path: join(at.host, `.s.PGSQL.${at.port}`) }
  const wire = await aWire(socket ?? { host: url.hostname, port: Number(url.port || 5432) })
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
  wire.mend()

  assert.deepEqual((await ask()).rows, [{ one: 1 }])
})
