import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigurationFaults } from '../../lib/configuration-faults.ts'
import { useEnvFile } from './env-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'deskline-env-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, '.env')

/** The environment after a file with this text was read into it. */
function used(text: string, environment: Record<string, string> = {}): Record<string, string | undefined> {
  writeFileSync(path, text)
  const read: Record<string, string | undefined> = { ...environment, DESKLINE_ENV_FILE: path }
  useEnvFile(read)
  const { DESKLINE_ENV_FILE: _, ...others } = read
  return others
}

function faultsOf(text: string): string[] {
  try {
    used(text)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigurationFaults)
    return error.faults
  }
}

test('a file is read as Node.js reads it: comments, quotes, several lines in quotes, export, Windows line ends', () => {
  const text =
    '# a comment\r\n\r\nPORT=3001 # here\r\nMAIL_FROM="Desk <desk@example.com>"\nexport HOST = localhost\nBLANK=\n' +
    "DKIM_PRIVATE_KEY='-----BEGIN\nabc\n-----END'\nLAST=http://localhost:3000/a?b=c&d=e"

  assert.deepEqual(used(text), {
    PORT: '3001',
    MAIL_FROM: 'Desk <desk@example.com>',
    HOST: 'localhost',
    BLANK: '',
    DKIM_PRIVATE_KEY: '-----BEGIN\nabc\n-----END',
    LAST: 'http://localhost:3000/a?b=c&d=e'
  })
})

test('what the environment has already wins, be it blank or the file of a secret', () => {
  const text = 'PORT=3001\nHOST=0.0.0.0\nAPP_SECRET=from-the-file\nSMTP_URL_FILE=/from/the/file'
  const environment = { PORT: '4000', HOST: '', APP_SECRET_FILE: '/run/secrets/app', SMTP_URL: 'smtp://mail' }

  assert.deepEqual(used(text, environment), environment)
})

test('a line that means nothing is one sentence that names file and line, and not what stands there', () => {
  const faults = faultsOf('PORT=3000\nhunter2 secret\nAPP_SECRET=abc#def\n1PORT=3\nA="b" c\nB="open\n')

  assert.deepEqual(
    faults.map(fault => /, line (\d+): (.{10})/.exec(fault)?.slice(1)),
    [
      ['2', 'it must be'],
      ['3', 'the value '],
      ['4', 'it must be'],
      ['5', 'the value '],
      ['6', 'the value ']
    ]
  )
  assert.doesNotMatch(faults.join(), /hunter2|abc/)
  assert.ok(faults.every(fault => fault.startsWith(path)))
})

test('no file is fine unless it was named; a folder is none', () => {
  assert.doesNotThrow(() => useEnvFile({ DESKLINE_ENV_FILE: ' ' }))
  for (const named of [join(folder, 'missing'), folder]) {
    assert.throws(
      () => useEnvFile({ DESKLINE_ENV_FILE: named }),
      /^ConfigurationFaults|The settings file .* cannot be read/
    )
  }
})
