import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deskline, type Program, root, run, served } from '../support/program.ts'
import { copyTemplateCluster } from '../support/template-cluster.ts'

const hasScript = spawnSync('script', ['--version']).status === 0
// Without a shell in between, which would have an exit code of its own after Ctrl+C.
const program = `exec ${process.execPath} ${join(root, 'bin/deskline.js')}`

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deskline-terminal-'))
  await copyTemplateCluster(dataDir)
})
after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

/** Runs `deskline` at a terminal of its own. */
function atTerminal(words: string, environment: NodeJS.ProcessEnv = {}): Program {
  return deskline(
    ['-qefc', `${program} ${words}`, '/dev/null'],
    { TERM: 'xterm', DATA_DIR: dataDir, ...environment },
    {
      node: 'script',
      entry: []
    }
  )
}

describe('at a terminal', { skip: !hasScript && 'there is no script(1) here', concurrency: 1 }, () => {
  test('a start is plain lines and ends with where everything is; Ctrl+C ends it in order', async () => {
    const started = atTerminal('serve')
    await started.says(/Stop.*Ctrl\+C/)
    started.child.stdin!.write('\x03')
    const code = await started.ended
    const output = started.output()

    assert.equal(code, 0, output)
    assert.doesNotMatch(output, /^\{/m)
    assert.match(output, /Deskline \d+\.\d+\.\d+ is ready/)
    assert.match(output, /Portal.*http:\/\/localhost:\d{2,5}\r?\n/)
    assert.match(output, /Console.*http:\/\/localhost:\d{2,5}\/desk\r?\n/)
    assert.match(output, /Docs.*http:\/\/localhost:\d{2,5}\/docs\r?\n/)
    assert.match(output, /Admin.*admin@example\.com with the published password/)
    assert.match(output, /\x1b\[33mwarning:/)
    assert.match(output, /stopped\r?\n$/)
  })

  test('NO_COLOR and TERM=dumb leave colours out, and lines stay plain', async () => {
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const started = atTerminal('serve --workers 1', environment)
      await started.says(/Ctrl\+C/)
      await started.stop()
      assert.doesNotMatch(started.output(), /\x1b|^\{/m)
    }
  })

  test('doctor marks its verdicts', async () => {
    const looked = atTerminal('doctor')
    await looked.ended

    assert.match(looked.output(), /\x1b\[32mok {3}\x1b\[0mNode\.js/)
  })
})

describe('elsewhere', { concurrency: 1 }, () => {
  test('the log is JSON and nothing else', async () => {
    const service = await served({ DATA_DIR: dataDir })
    await service.says(/"msg":"working"/)
    await service.stop()

    for (const line of service.output().trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line)
  })

  test('--json is one value of JSON for every command that lists or looks', async () => {
    const env = { DATA_DIR: dataDir, ADMIN_EMAIL: '' }
    const doctor = await run(['doctor', '--json'], env)
    const emails = await run(['outbox', '--json'], env)
    const routes = await run(['print-routes', '--json'])
    const audit = await run(['audit', 'verify', '--json'], env)

    const found = JSON.parse(doctor.output)
    assert.deepEqual([doctor.code, found.ok], [0, true], doctor.output)
    assert.deepEqual(Object.keys(found.findings[0]), ['verdict', 'about', 'text'])
    assert.deepEqual(JSON.parse(emails.output), [])
    assert.ok(JSON.parse(routes.output).length > 50)
    assert.equal(JSON.parse(audit.output).isIntact, true)
  })

  test('every command reads the settings file; a broken line is a sentence, for doctor a failure', async () => {
    const path = join(dataDir, 'settings.env')
    await writeFile(path, `DATA_DIR=${dataDir}\nPORT=70000\n`)
    const read = await run(['outbox'], { DESKLINE_ENV_FILE: path, PORT: undefined })
    await writeFile(path, `DATA_DIR=${dataDir}\nnonsense\n`)
    const [broken, doctor] = await Promise.all([
      run(['serve'], { DESKLINE_ENV_FILE: path }),
      run(['doctor', '--json'], { DESKLINE_ENV_FILE: path })
    ])

    assert.match(read.output, /^PORT must be a whole number from 0 to 65535, but is "70000"\n$/)
    assert.equal(broken.output, `${path}, line 2: it must be NAME=value, a comment that begins with #, or blank\n`)
    assert.equal(broken.code, 1)
    assert.deepEqual([doctor.code, JSON.parse(doctor.output).ok], [1, false])
  })
})
