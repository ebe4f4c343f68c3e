import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { processesOn } from './support/processes.ts'

const runner = join(import.meta.dirname, 'support/with-run-folder.ts')
const parent = await mkdtemp(join(tmpdir(), 'deskline-run-'))
after(() => rm(parent, { recursive: true }))

// Leaves a file and a process behind, and stays as long as it is told to.
const untidy = (stays: boolean) => `
  const { spawn } = require('node:child_process')
  require('node:fs').writeFileSync(process.env.TMPDIR + '/left', '')
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).unref()
  console.log('ready')
  ${stays ? 'setInterval(() => {}, 1000)' : 'process.exitCode = 3'}`

test('a run that ends by itself leaves no file and no process, and its exit code is that of its program', async () => {
  const run = started(process.execPath, '-e', untidy(false))

  const [code] = await once(run, 'close')

  assert.equal(code, 3)
  await nothingIsLeft()
})

test('a run that is broken off ends its programs, and leaves no file and no process', async () => {
  for (const [signal, expected] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const, ['SIGHUP', 129] as const]) {
    const run = started(process.execPath, '-e', untidy(true))
    await once(run.stdout!, 'data')
    const folders = await readdir(parent)

    run.kill(signal)
    const [code] = await once(run, 'close')

    assert.equal(folders.length, 1)
    assert.equal(code, expected)
    await nothingIsLeft()
  }
})

test('a run whose program cannot be started fails, and leaves no file', async () => {
  const run = started('no-such-program')
  run.stderr!.resume()

  const [code] = await once(run, 'close')

  assert.equal(code, 1)
  await nothingIsLeft()
})

function started(...command: string[]): ChildProcess {
  return spawn(process.execPath, [runner, ...command], { env: { ...process.env, TMPDIR: parent } })
}

async function nothingIsLeft(): Promise<void> {
  assert.deepEqual(await readdir(parent), [])
  assert.deepEqual(await processesOn(parent), [])
}
