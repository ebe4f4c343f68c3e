import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/core/config.ts'
import { backUpInstallation } from '../../src/operation/backup/back-up-installation.ts'
import { moveInstallation } from '../../src/operation/backup/move-installation.ts'
import { restoreInstallation } from '../../src/operation/backup/restore-installation.ts'
import { aTemporaryFolder } from '../support/backups.ts'
import { quiet, testDatabase } from '../support/database.ts'
import { run, served } from '../support/program.ts'
import { copyTemplateCluster } from '../support/template-cluster.ts'
import { form } from '../support/tickets.ts'

const folder = await aTemporaryFolder()
const archive = join(folder, 'desk.tar.gz')
const content = randomBytes(50_000)
const env = (name: string) => ({ DATA_DIR: join(folder, name) })

test('an installation is backed up while it serves, restored and moved by commands, and goes on with the same tokens', async () => {
  await copyTemplateCluster(env('old').DATA_DIR)
  const { url, stop } = await served(env('old'))
  const { token, ticket } = await aTicketAt(url)
  const table = join(folder, 'clients.csv')
  const report = join(folder, 'refused')
  await writeFile(table, 'email,first_name,last_name\nada@example.com,Ada,Lovelace\nno-address,Ada,L\n')

  const imported = await run(['import-clients', table, '--report', report], env('old'))
  const [backedUp, streamed] = await Promise.all([
    run(['backup', archive], env('old')),
    run(['backup', '-', '--without-key'], env('old'))
  ])
  const beside = restoreInstallation(readConfig(env('old')), quiet, archive, { tell: () => {} })
  await assert.rejects(beside, /^EmbeddedError: Another Deskline is already running on /)
  await stop()
  const check = (secret: object) => run(['restore', '--check', archive], { ...env('elsewhere'), ...secret })
  const [checked, wrongSecret] = await Promise.all([
    check({}),
    check({ APP_SECRET: 'of another installation '.repeat(2) })
  ])
  assert.deepEqual([checked.code, wrongSecret.code], [0, 1])
  assert.match(checked.output, / is whole: \d+ rows and 1 file of /)
  assert.match(wrongSecret.output, /^APP_SECRET is not what the secrets in the backup were encrypted with: /)
  const restored = await run(['restore', archive], env('new'))
  const to = urlOf((await testDatabase({ migrated: false })).connection)
  const moved = await run(['move', '--to', to], env('new'))
  const again = await served({ ...env('new'), DATABASE_URL: to })
  const detail = await post(again.url, '/api/tickets/detail', JSON.stringify({ id: ticket.ticket_id }), token)
  const file = await fetch(again.url + ticket.attachments[0].file_path, {
    headers: { authorization: `Bearer ${token}` }
  })
  const found = await post(again.url, '/api/user/check-by-email', JSON.stringify({ email: 'ada@example.com' }))
  await again.stop()

  assert.deepEqual(imported, {
    code: 1,
    output: `1 client imported, 0 clients there already, 1 row refused (see ${report}).\n`
  })
  assert.equal(await readFile(report, 'utf8'), 'line 3: Invalid e-mail format\n')
  // On a slow machine the steps are told that take long.
  assert.match(
    `${backedUp.code} ${backedUp.output}`,
    /^0 (?:\w+(?: \S+)?\n)*Wrote \d+ rows and 1 file \(48\.8 KiB\) to \S+\.\nThe key file is in it: .*\.\n$/
  )
  assert.equal(streamed.code, 0)
  assert.match(streamed.output, /^\x1f[\s\S]*is not in it, and is needed to restore it: keep it too\.\n$/)
  assert.match(
    `${restored.code} ${restored.output}`,
    /^0 (?:\w+(?: \S+)?\n)*Restored \d+ rows .* to the embedded database\.\nThe key file of the backup is at .*\n$/
  )
  assert.match(
    `${moved.code} ${moved.output}`,
    /^0 (?:\w+(?: \S+)?\n)*Moved and verified \d+ rows\.\nFrom now on set DATABASE_URL to .*\n/
  )
  assert.equal(detail.messages[0].message, 'Help')
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), content)
  assert.equal(found.exists, true)
})

test('a move starts from the embedded database, and goes to a store only when there is one', async () => {
  const to = 'postgres://desk@127.0.0.1:1/desk'
  const config = readConfig(env('none'))
  const tell = () => {}

  await assert.rejects(
    moveInstallation({ ...config, DATABASE_URL: to }, quiet, { to, filesToS3: false }, tell),
    /^Error: DATABASE_URL is set: a move starts from the embedded database/
  )
  await assert.rejects(moveInstallation(config, quiet, { to, filesToS3: true }, tell), /^Error: S3_BUCKET is not set/)
})

test('where there is no installation there is nothing to back up, and none is made', async () => {
  const backup = backUpInstallation(readConfig(env('none')), quiet, { to: archive, withoutKey: false, tell: () => {} })

  await assert.rejects(backup, { message: /^There is nothing to back up: .*app\.key\.$/ })
  assert.equal(existsSync(join(folder, 'none')), false)
})

async function aTicketAt(url: string) {
  const person = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', password: 'correct horse' }
  await post(url, '/api/auth/signup', JSON.stringify(person))
  const { token } = await post(url, '/api/auth/login', JSON.stringify(person))
  const fields = { deptid: 1, subject: 'Fire', message: 'Help' }
  const ticket = await post(url, '/api/tickets', form(fields, new File([content], 'noise.zip')), token)
  return { token, ticket }
}

function urlOf(connection: Awaited<ReturnType<typeof testDatabase>>['connection']): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, database } = connection
  return `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function post(url: string, path: string, body: string | FormData, token?: string): Promise<any> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const headers = { ...type, ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(url + path, { method: 'POST', headers, body })
  return ((await answer.json()) as { data: unknown }).data
}
