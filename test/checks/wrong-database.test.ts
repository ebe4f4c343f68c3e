import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { eventually } from '../faults/eventually.ts'
import { aTemporaryFolder, runQuery } from '../support/backups.ts'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { run, served } from '../support/program.ts'
import { signUp } from '../support/requests-by-url.ts'
import { aFile, form } from '../support/tickets.ts'

const folder = await aTemporaryFolder()
const right = databaseUrl((await testDatabase()).connection)
const empty = databaseUrl((await testDatabase()).connection)
const dataDir = join(folder, 'data')
const uploads = join(dataDir, 'uploads')
const marker = join(uploads, '.installation')
const scrape = 'a-token-for-the-metrics-of-this-test'
const env = (url: string) => ({ DATA_DIR: dataDir, DATABASE_URL: url, METRICS_TOKEN: scrape })

describe('a process that is started', { concurrency: 1 }, () => {
  let token: string
  const paths: string[] = []
  before(async () => {
    const service = await served(env(right))
    token = (await signUp(service.url, 'ada@example.com')).token
    for (const name of ['one.txt', 'two.txt', 'three.txt']) {
      const answer = await post(service.url, form({ department_id: 1, subject: 'x', message: 'x' }, aFile(name, name)))
      paths.push(answer.attachments[0].file_path)
    }
    await eventually(60, 'the folder to be marked', async () => assert.ok(existsSync(marker)))
    await service.stop()
    await age()
  })

  test('on an empty database leaves the files of another alone, and says so in log, metric and doctor', async () => {
    const service = await served(env(empty))
    await service.says(/The files belong to another installation \([0-9a-f-]{36}\) than the database: none is removed/)
    await eventually(60, 'the metric', async () => {
      assert.match(await metrics(service.url), /^deskline_file_sweep_held\{reason="another installation"\} 1$/m)
    })
    const doctor = await run(['doctor'], env(empty))
    await service.stop()

    assert.match(doctor.output, /^fail stored files: The files belong to another .* "deskline adopt-files"\.$/m)
    assert.equal(doctor.code, 1)
    assert.deepEqual(await kept(), paths.toSorted())
  })

  test('on an empty database does not take over the files of a version that did not mark them', async () => {
    const id = await readFile(marker, 'utf8')
    await rm(marker)

    const strange = await served(env(empty))
    await strange.says(/The database names none of 3 of 3 files, as an empty or older one would: none is removed/)
    await strange.stop()
    const refused = await run(['adopt-files'], env(empty))
    const between = existsSync(marker)
    const service = await served(env(right))
    await eventually(60, 'the folder to be marked', async () => assert.equal(await readFile(marker, 'utf8'), id))
    await service.stop()

    assert.equal(between, false)
    assert.equal(refused.code, 1)
    assert.match(refused.output, /The database names none of 3 of 3 files\./)
    assert.deepEqual(await kept(), paths.toSorted())
  })

  test('on an older moment of its database sets aside what came later, and brings it back with its row', async () => {
    const [row] = await runQuery(right, `delete from ticket_attachments where file_path = '${paths[0]}' returning *`)
    // As if the row had never been, which is not the same as deleting it.
    await runQuery(right, 'truncate removed_files')

    const older = await served(env(right))
    await older.says(/"quarantined":1/)
    const doctor = await run(['doctor'], env(right))
    const between = await kept()
    await older.stop()
    const { id: _id, ...values } = row
    await runQuery(
      right,
      `insert into ticket_attachments (${Object.keys(values)}) values (${Object.values(values).map(literal)})`
    )
    const newer = await served(env(right))
    const answer = await fetch(newer.url + paths[0], { headers: { authorization: `Bearer ${token}` } })
    await newer.says(/"returned":1/)
    await newer.stop()

    assert.match(
      doctor.output,
      /^ok {3}quarantine: 1 file \(7 bytes\) that no ticket names, the oldest since .*; removed after 14 days$/m
    )
    assert.deepEqual(between, paths.slice(1).toSorted())
    assert.deepEqual([answer.status, await answer.text()], [200, 'one.txt'])
    assert.deepEqual(await kept(), paths.toSorted())
  })

  test('on a copy of its database never touches the files, until it is told that the original is gone', async () => {
    await age()
    const copy = await copyOf(right)
    // The copy knows less than half of what its original goes on with, and somebody purges all of that.
    const service = await served(env(copy))
    await service.says(/The files belong to another installation/)
    await runQuery(copy, `delete from ticket_attachments where file_path = '${paths[1]}'`)
    const doctor = await run(['doctor'], env(copy))
    await service.stop()
    const again = await served(env(copy))
    await again.says(/Deleted files cannot be removed from the store yet/)
    await again.stop()
    const untouched = await kept()
    const original = await served(env(right))
    const answer = await fetch(original.url + paths[1], { headers: { authorization: `Bearer ${token}` } })
    await original.stop()
    const adopted = await run(['adopt-files'], env(copy))
    const late = await served(env(right))
    await late.says(/The files belong to another installation/)
    await late.stop()

    assert.equal(doctor.code, 1)
    assert.deepEqual(untouched, paths.toSorted())
    assert.deepEqual([answer.status, await answer.text()], [200, 'two.txt'])
    assert.match(adopted.output, /^The files belong to this database: 2 files, /)
    // The copy had deleted it for good.
    assert.deepEqual(await kept(), paths.filter(path => path !== paths[1]).toSorted())
  })

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function post(url: string, body: FormData): Promise<any> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/tickets/create`, { method: 'POST', headers, body })
    assert.equal(answer.status, 201)
    return ((await answer.json()) as { data: unknown }).data
  }
})

async function metrics(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${scrape}` } })).text()
}

/** The paths of the files at their places. */
async function kept(): Promise<string[]> {
  const tickets = join(uploads, 'tickets')
  const entries = await readdir(tickets, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.map(entry => join(entry.parentPath, entry.name).slice(dataDir.length)).sort()
}

/** Lets them look older than any request. */
async function age(): Promise<void> {
  const then = new Date(Date.now() - 86_400_000)
  for (const path of await kept()) await utimes(join(dataDir, path), then, then)
}

async function copyOf(url: string): Promise<string> {
  const address = new URL(url)
  const name = address.pathname.slice(1)
  address.pathname = '/postgres'
  await runQuery(address.href, `create database ${name}_copy template ${name}`)
  address.pathname = `/${name}_copy`
  return address.href
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return `'${value instanceof Date ? value.toISOString() : value}'`
}
