import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { deskline, root, run, served } from '../support/program.ts'
import { copyTemplateCluster } from '../support/template-cluster.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskline-process-'))
})
after(() => rm(folder, { recursive: true, force: true }))

describe('the process', { concurrency: true }, () => {
  describe('before there is a database', { concurrency: 1 }, () => {
    test('all faults of the settings are told at once, one a line, and end with 1', async () => {
      const { code, output } = await run(['serve'], { PORT: '70000', LOG_LEVEL: 'loud', ADMIN_EMAIL: 'a@example.com' })

      assert.equal(code, 1)
      assert.deepEqual(output.trim().split('\n'), [
        'PORT must be a whole number from 0 to 65535, but is "70000"',
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but is "loud"',
        'ADMIN_EMAIL and ADMIN_PASSWORD must be given together'
      ])
    })

    test('a data folder that is none is one sentence that names DATA_DIR', async () => {
      const file = join(folder, 'a-file')
      await writeFile(file, '')

      const { code, output } = await run(['serve'], { DATA_DIR: file })

      assert.equal(code, 1)
      assert.equal(output, `DATA_DIR ${file} cannot be used: it is not a folder. Set DATA_DIR to a writable folder.\n`)
    })

    test('a damaged key file is one sentence that names it', async () => {
      const dataDir = await mkdtemp(join(folder, 'damaged-'))
      await writeFile(join(dataDir, 'app.key'), 'short\n')

      const { code, output } = await run(['serve'], { DATA_DIR: dataDir })

      assert.equal(code, 1)
      assert.match(output, /^The key file \S+app\.key is damaged: .*\n$/)
    })

    test('the help and the version are told with 0, misuse with 2', async () => {
      const [help, version, unknown, none] = await Promise.all([
        run(['--help']),
        run(['--version']),
        run(['sevre']),
        run([])
      ])

      assert.equal(help.code, 0)
      for (const command of ['serve', 'migrate', 'create-admin', 'demo', 'print-openapi', 'doctor']) {
        assert.match(help.output, new RegExp(`^ {2}${command} `, 'm'))
      }
      assert.deepEqual(version, { code: 0, output: `${manifest.version}\n` })
      assert.equal(unknown.code, 2)
      assert.match(unknown.output, /unknown command 'sevre'/)
      assert.equal(none.code, 2)
      assert.match(none.output, /Usage: deskline/)
    })

    test('an older Node.js gets one clear sentence and 1, also when it installs the database', async context => {
      const node = olderNode()
      if (!node) return context.skip('there is no older Node.js here')

      const program = deskline(['serve'], {}, { node })
      const installing = spawnSync('sh', [join(root, 'packaging/install-binaries')], {
        env: { PATH: `${dirname(node)}:/usr/bin:/bin` },
        encoding: 'utf8'
      })
      assert.equal(installing.status, 1)
      assert.match(installing.stderr, /^Deskline needs Node\.js 22\.19 or newer, and this is \d+\.\d+\.\d+: .*\n$/)

      assert.equal(await program.ended, 1)
      assert.match(
        program.output(),
        /^Deskline needs Node\.js 22\.19 or newer, and this is \d+\.\d+\.\d+: .*npm start.*\n$/
      )
    })
  })

  test('an unreachable database is told at once and is one sentence in the end, which names DATABASE_URL without its password', async () => {
    const { code, output } = await run(['serve'], {
      DATABASE_URL: 'postgres://desk:s3cret@127.0.0.1:1/desk',
      DATA_DIR: join(folder, 'unreachable')
    })

    assert.equal(code, 1)
    const [warning, sentence, ...more] = output.trimEnd().split('\n')
    const name = 'DATABASE_URL postgres://desk@127.0.0.1:1/desk'
    assert.match(
      JSON.parse(warning!).msg,
      new RegExp(`^${name} cannot be reached yet: .*ECONNREFUSED.*; trying for 10 s$`)
    )
    assert.match(sentence!, new RegExp(`^${name} cannot be reached: .*ECONNREFUSED.*$`))
    assert.deepEqual(more, [])
  })

  describe('on one data folder', { concurrency: 1 }, () => {
    let env: { DATA_DIR: string }
    let key: string
    before(async () => {
      env = { DATA_DIR: join(folder, 'data') }
      await copyTemplateCluster(env.DATA_DIR)
    })

    test('production starts without an admin and says how to make one; the key file is made for its owner alone', async () => {
      const service = await served({ ...env, NODE_ENV: 'production', HOST: '127.0.0.1', DISCLOSE_CODES: 'true' })
      const code = await service.stop()

      assert.equal(code, 0)
      assert.match(service.output(), /"level":40.*!!! DISCLOSE_CODES is on/)
      assert.match(service.output(), /There is no admin yet: create one with \\"deskline create-admin\\"/)
      assert.equal((await stat(env.DATA_DIR)).mode & 0o777, 0o700)
      assert.equal((await stat(join(env.DATA_DIR, 'app.key'))).mode & 0o777, 0o600)
      key = await readFile(join(env.DATA_DIR, 'app.key'), 'utf8')
      assert.ok(key.length > 32)
    })

    test('a taken port is one sentence that names PORT', async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as { port: number }

      const { code, output } = await run(['serve'], { ...env, PORT: String(port), LOG_LEVEL: 'fatal' })
      other.close()

      assert.equal(code, 1)
      assert.match(output, new RegExp(`^PORT ${port} is taken by another program: .*$`, 'm'))
      assert.doesNotMatch(output, /^ +at /m)
    })

    describe('while one serves', { concurrency: 1 }, () => {
      let service: Awaited<ReturnType<typeof served>>
      before(async () => {
        service = await served(env)
      })
      after(() => service.stop())

      test('it answers on both families of loopback addresses, and warns of the published password', async () => {
        const addresses = ['127.0.0.1', ...((await hasIpv6()) ? ['[::1]'] : [])]
        for (const address of addresses) {
          assert.equal((await fetch(`http://${address}:${service.port}/api/check`, { method: 'POST' })).status, 200)
        }
        assert.match(service.output(), /"level":40.*admin@example\.com has the published password Admin123!/)
      })

      test('a second one is refused in one sentence, and commands work beside it', async () => {
        const [second, doctor, created] = await Promise.all([
          run(['serve'], { ...env, PORT: '0' }),
          run(['doctor'], env),
          run(['create-admin', '--email', 'ada@example.com'], env, 'correct horse\n')
        ])

        assert.equal(second.code, 1)
        assert.match(second.output, /^Another Deskline is already running on .*\n$/)
        assert.equal(doctor.code, 0)
        assert.match(doctor.output, /^ok {3}database: The embedded database answers, PostgreSQL \d+/m)
        assert.deepEqual(created, { code: 0, output: 'Created the admin ada@example.com.\n' })
      })

      test('the demo data is made once, by people who can log in and see it, and never in production', async () => {
        const made = await run(['demo'], env)
        const [again, refused] = await Promise.all([
          run(['demo'], env),
          run(['demo'], { ...env, NODE_ENV: 'production' })
        ])
        const credentials = { email: 'ada@demo.example', password: 'Demo123!' }
        const { token } = await post(service.url, '/api/auth/login', credentials)
        const { tickets } = await post(service.url, '/api/tickets/list', {}, token)

        assert.deepEqual([made.code, again.code, refused.code], [0, 0, 1])
        assert.match(made.output, /^Created 25 demo tickets\.$/m)
        // It names the admin and the password itself.
        assert.doesNotMatch(made.output, /published password/)
        assert.match(again.output, /^The demo data exist already\.$/m)
        assert.deepEqual(
          tickets.map(ticket => [ticket.status, ticket.message_count, ticket.attachment_count]),
          [
            ['Customer-Reply', 3, 2],
            ['Closed', 2, 0]
          ]
        )
      })

      test('SIGTERM closes what idles, answers a request that is in flight, takes no new ones, and ends with 0', async () => {
        const silent = await connected(service.port)
        const socket = await connected(service.port)
        const body = JSON.stringify({ email: 'nobody@example.com' })
        socket.write(
          'POST /api/user/check-by-email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
            `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`
        )
        // Answered later than those bytes were sent, so they have been read; and its connection stays, idle.
        await fetch(`${service.url}/api/check`, { method: 'POST' })

        service.child.kill('SIGTERM')
        await service.says(/stopping on SIGTERM/)
        await assert.rejects(untilRefused(service.port), { code: 'ECONNREFUSED' })
        await once(silent, 'close')
        socket.write(body.slice(5))
        const answer = await textOf(socket)

        assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
        assert.match(answer, /"exists":false/)
        // It is not 0 where it had to break something off when its time was over.
        assert.equal(await service.ended, 0)
      })
    })

    test('the published password keeps production from starting until it is replaced, with the same key all along', async () => {
      const production = { ...env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0' }
      const refused = await run(['serve'], production)
      const ADMIN_PASSWORD_FILE = join(folder, 'password')
      await writeFile(ADMIN_PASSWORD_FILE, 'correct horse\n')
      const replaced = await run(['create-admin', '--replace', '--email', 'admin@example.com'], {
        ...production,
        ADMIN_PASSWORD_FILE
      })
      const service = await served(production)

      assert.equal(await service.stop('SIGINT'), 0)
      assert.equal(refused.code, 1)
      assert.match(refused.output, /still has the published password/)
      assert.deepEqual(replaced, { code: 0, output: 'The admin admin@example.com has a new password.\n' })
      assert.equal(await readFile(join(env.DATA_DIR, 'app.key'), 'utf8'), key)
    })
  })
})

async function post(url: string, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await answer.json()) as { data: { token: string; tickets: Record<string, unknown>[] } }).data
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const part of socket) text += part
  return text
}

/** Connects again and again, for a minute at most, and throws what the first failing attempt met. */
async function untilRefused(port: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect').catch(error => {
      // Caught between being taken from the queue of the closing listener and being looked at.
      if (error.code !== 'ECONNRESET') throw error
    })
    socket.destroy()
  }
}

async function hasIpv6(): Promise<boolean> {
  const server = createServer().listen(0, '::1')
  const [error] = await Promise.race([once(server, 'listening'), once(server, 'error').catch(error => [error])])
  server.close()
  return error === undefined
}

/** A Node.js on this machine that is too old for Deskline. */
function olderNode(): string | undefined {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node']) {
    try {
      if (Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) < 22)
        return path
    } catch {
      // There is none, or none that runs.
    }
  }
  return undefined
}
