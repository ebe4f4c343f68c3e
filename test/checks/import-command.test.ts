import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../faults/eventually.ts'
import { aTemporaryFolder, runQuery } from '../support/backups.ts'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { deskline, run } from '../support/program.ts'

test('an import that is interrupted says what was stored of how many, ends with 130, and goes on when it is run again', async () => {
  const folder = await aTemporaryFolder()
  const url = databaseUrl((await testDatabase()).connection)
  const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: url }
  const table = join(folder, 'clients.csv')
  const password = createHash('sha256').update('correct horse').digest('hex')
  const rows = Array.from({ length: 600 }, (_, at) => `c${at}@example.com,Ada,Lovelace,${password}`)
  await writeFile(table, `email,first_name,last_name,password\n${rows.join('\n')}\n`)
  const stored = async () => (await runQuery(url, 'select count(*)::int as count from clients'))[0].count

  const first = deskline(['import-clients', table], env)
  await eventually(60, 'the first batch', async () => assert.ok((await stored()) > 0))
  const code = await first.stop('SIGINT')
  const told = /^Interrupted after (\d+) of 600 rows: (\d+) clients imported, .*\. Run it again to go on\.$/m.exec(
    first.output()
  )
  const between = await stored()
  const second = await run(['import-clients', table], env)

  assert.equal(code, 130)
  assert.deepEqual([Number(told?.[1]), Number(told?.[2])], [between, between])
  assert.ok(between < 600)
  assert.equal(second.code, 0)
  assert.match(second.output, new RegExp(`^${600 - between} clients imported, ${between} clients there already`, 'm'))
})

test('a report that cannot be written is told in one sentence, before anybody is imported', async () => {
  const folder = await aTemporaryFolder()
  const url = databaseUrl((await testDatabase()).connection)
  const table = join(folder, 'clients.csv')
  await writeFile(table, 'email,first_name,last_name\nada@example.com,Ada,Lovelace\n')
  const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: url }

  const { code, output } = await run(['import-clients', table, '--report', join(folder, 'missing/refused.txt')], env)

  assert.match(`${code} ${output}`, /^1 ENOENT: no such file or directory, open '[^'\n]+'\n$/)
  assert.deepEqual(await runQuery(url, 'select count(*)::int as count from clients'), [{ count: 0 }])
})
