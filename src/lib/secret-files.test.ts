import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig, settings } from '../core/config.ts'
import { ConfigurationFaults } from './configuration-faults.ts'
import { withSecretFiles } from './secret-files.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskline-secrets-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a secret may lie in a file, without the line break at its end and with every other blank', async () => {
  const [password, secret] = [await aFile('password', ' blank \n'), await aFile('secret', `${'s'.repeat(32)}\r\n`)]

  const config = readConfig({ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD_FILE: password, APP_SECRET_FILE: secret })

  assert.equal(config.ADMIN_PASSWORD, ' blank ')
  assert.deepEqual(config.APP_SECRET, ['s'.repeat(32)])
})

test('every secret setting can come from a file, and no other can', async () => {
  const secrets = Object.entries(settings).filter(([, setting]) => setting.secret)
  const path = await aFile('any', 'x')

  assert.ok(secrets.length >= 3)
  for (const [name, { secret }] of Object.entries(settings)) {
    const { environment } = withSecretFiles(
      { [`${name}_FILE`]: path },
      secrets.map(([name]) => name)
    )
    assert.equal(environment[name], secret ? 'x' : undefined, name)
  }
})

test('a file that is not there, is empty or stands beside the secret itself is one fault, which does not repeat the secret', async () => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db.example.com/desk' }
  const [missing, empty, short] = [
    join(folder, 'missing'),
    await aFile('empty', ' \n'),
    await aFile('short', 'hunter2')
  ]

  assert.deepEqual(faultsOf({ ...production, APP_SECRET_FILE: missing }), [
    `APP_SECRET_FILE ${missing} cannot be read (ENOENT)`
  ])
  assert.deepEqual(faultsOf({ ...production, APP_SECRET_FILE: folder }), [
    `APP_SECRET_FILE ${folder} cannot be read (EISDIR)`
  ])
  assert.deepEqual(faultsOf({ ...production, APP_SECRET_FILE: empty }), [`APP_SECRET_FILE ${empty} is empty`])
  assert.deepEqual(faultsOf({ APP_SECRET_FILE: short, APP_SECRET: 's'.repeat(32) }), [
    'APP_SECRET and APP_SECRET_FILE must not be given together'
  ])
  assert.deepEqual(faultsOf({ APP_SECRET_FILE: short }), [
    'APP_SECRET must have at least 32 characters (each, when several are given)'
  ])
})

async function aFile(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigurationFaults)
    return error.faults
  }
  return []
}
