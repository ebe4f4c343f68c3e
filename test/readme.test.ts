import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { served } from './support/program.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0

test('the tour of the README works as printed', { skip: hasCurl ? false : 'needs curl' }, async t => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const commands = [...readme.matchAll(/^```sh tour\n(.*?)^```/gms)].map(([, block]) => block).join('')
  const folder = await mkdtemp(join(tmpdir(), 'deskline-tour-'))
  const service = await served({ DATA_DIR: join(folder, 'data'), HOST: 'localhost' })
  t.after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const script = commands
    .replaceAll('localhost:3000', new URL(service.url).host)
    .replaceAll(/^curl -s /gm, 'curl -sS --fail ')
  const tour = spawnSync('sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' })

  assert.equal(tour.status, 0, tour.stdout + tour.stderr)
  const answers = tour.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    answers.map(answer => answer.code),
    [201, 201, 201, 200, 201, 200, 200]
  )
  assert.equal(answers[3].data.messages[0].attachments[0].file_name, 'printer.log')
  assert.ok((await emails(join(folder, 'data', 'outbox'))).includes(answers[6].data.code))
})

/** The e-mails in the folder, once there is one. */
async function emails(folder: string): Promise<string> {
  const deadline = Date.now() + 60_000
  while (true) {
    const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
    if (names.length > 0) return (await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))).join('')
    if (Date.now() > deadline) return ''
    await pause(50)
  }
}
