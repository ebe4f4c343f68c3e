import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { productionDependencies } from '../src/cli/licences.ts'
import { readConfig, settings } from '../src/config.ts'
import { databaseUrl, testDatabase } from './support/database.ts'
import { deskline, root, run } from './support/program.ts'

const dockerfile = read('Dockerfile')
const instructions = dockerfile
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split(/\n+/)
  .map(line => ({ name: line.split(' ', 1)[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
const healthCheck = JSON.parse(/CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0]!)![1]!) as string[]

interface Service {
  image?: string
  build?: string
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  networks?: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  restart?: string
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
} & Record<'secrets' | 'volumes' | 'networks', Record<string, unknown>>
const services = Object.entries(compose.services)
const ours = services.filter(([, service]) => service.build)

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskline-packaging-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('the Dockerfile is well formed, and its parts are what a careful operator asks for', () => {
  const port = readConfig({}).PORT

  assert.deepEqual(validate(dockerfile), [])
  assert.deepEqual(
    new Set(all('FROM').map(image => image.split(' ')[0])),
    new Set([`node:${manifest.devDependencies.node}-trixie-slim`])
  )
  assert.deepEqual(all('USER'), ['10001:10001'])
  assert.deepEqual(all('VOLUME'), ['/data'])
  assert.ok(all('ENV').includes('NODE_ENV=production DATA_DIR=/data'))
  assert.deepEqual(all('EXPOSE'), [String(port)])
  assert.deepEqual(JSON.parse(all('ENTRYPOINT')[0]!), ['tini', '--', 'deskline'])
  assert.deepEqual(JSON.parse(all('CMD')[0]!), ['serve'])
  assert.ok(all('RUN').some(command => command.startsWith('npm ci --omit=dev ')))
})

test('what is copied into the image is the program alone, which serves from it and is found healthy while it lives', async () => {
  const context = globSync('{*,{bin,docs,migrations,src,test}/**}', { cwd: root }).filter(isInContext)
  const app = join(folder, 'app')
  for (const path of context) {
    if ((await stat(join(root, path))).isFile()) await cp(join(root, path), join(app, path))
  }
  for (const { name } of productionDependencies()) {
    await mkdir(dirname(join(app, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(app, 'node_modules', name)).catch(() => {})
  }
  const { connection, close } = await testDatabase()
  const environment = {
    ...{ NODE_ENV: 'production', DATA_DIR: join(folder, 'data'), PORT: '0', METRICS_PORT: '0', HOST: '127.0.0.1' },
    ...{ DATABASE_URL: databaseUrl(connection), APP_SECRET: 'k'.repeat(32) }
  }

  const program = deskline(['serve'], environment, { folder: app })
  const [, metricsPort] = await program.says(/health and metrics on http:\/\/[^"]+:(\d+)/)
  const [, port] = await program.says(/listening on http:\/\/[^"]+:(\d+)/)
  const whileItLives = [await isHealthy({ PORT: port }), await isHealthy({ PORT: '1', METRICS_PORT: metricsPort })]
  const code = await program.stop()
  const afterwards = await isHealthy({ PORT: port })
  await close()

  assert.deepEqual(whileItLives, [true, true])
  assert.equal(code, 0)
  assert.equal(afterwards, false)
  for (const path of ['src/main.ts', 'migrations/index.ts', 'bin/deskline.js', 'package-lock.json', 'LICENSE']) {
    assert.ok(context.includes(path), path)
  }
  for (const path of ['.env', '.git/config', 'data/app.key', 'secrets/app_secret', 'node_modules/pg/package.json']) {
    assert.equal(isInContext(path), false, path)
  }
  assert.deepEqual(
    context.filter(path => /^test|\.test\.ts$|^bin\/(?!deskline\.js)/.test(path)),
    []
  )
})

test('however Deskline is started, Node.js keeps the young generation of its memory as small', async () => {
  const places = ['package.json', 'bin/deskline.js', 'packaging/deskline.service', 'docs/operations.md']

  const starts = await Promise.all(places.map(path => readFile(join(root, path), 'utf8')))

  const flag = /node --max-semi-space-size=(\d+)/
  assert.deepEqual(
    starts.map(text => flag.exec(text)?.[1]),
    places.map(() => '16')
  )
})

describe('compose.yaml', () => {
  test('gives Deskline only settings that there are, which together are fit for production', async () => {
    const secrets = await madeSecrets()

    assert.deepEqual(
      ours.map(([name]) => name),
      ['serve', 'worker']
    )
    for (const [, { environment = {}, secrets: given = [] }] of ours) {
      const named = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
      const known = Object.keys(environment).filter(name => name in settings || name.replace(/_FILE$/, '') in settings)
      const config = readConfig({
        ...{ NODE_ENV: 'production', ...environment },
        ...Object.fromEntries(named.map(([name, path]) => [name, path.replace('/run/secrets', secrets)]))
      })

      assert.deepEqual(known, Object.keys(environment))
      assert.deepEqual(
        named.map(([, path]) => path),
        given.map(secret => `/run/secrets/${secret}`)
      )
      assert.ok(config.DATABASE_URL && config.APP_SECRET && config.SMTP_URL && config.S3_BUCKET)
    }
  })

  test('starts with secrets that nobody knows, and which stay when they are made again', async () => {
    const secrets = await madeSecrets()
    const names = Object.keys(compose.secrets)
    const made = await Promise.all(names.map(name => readFile(join(secrets, name), 'utf8')))

    execFileSync(join(secrets, '../packaging/make-secrets'))

    assert.deepEqual(await Promise.all(names.map(name => readFile(join(secrets, name), 'utf8'))), made)
    assert.equal((await stat(secrets)).mode & 0o777, 0o700)
    assert.equal(
      new URL(made[names.indexOf('database_url')]!.trim()).password,
      made[names.indexOf('database_password')]!.trim()
    )
    assert.ok(read('.gitignore').split('\n').includes('/secrets/'))
  })

  test('runs commands that there are, under an account without rights, on a disk that cannot be written', async () => {
    const { output } = await run(['serve', '--help'])

    assert.deepEqual(
      ours.map(([, { command }]) => command),
      [['serve', '--no-worker'], ['worker']]
    )
    assert.match(output, /--no-worker\b/)
    for (const [, service] of ours) {
      assert.equal(service.read_only, true)
      assert.deepEqual(service.cap_drop, ['ALL'])
      assert.ok(Number.parseInt(service.stop_grace_period!, 10) > 10)
      // A worker answers nobody but those who ask for its health.
      assert.ok(service.environment?.METRICS_PORT)
    }
  })

  test('has parts that name only each other, are watched, started again, of a stated version and closed to the network', () => {
    for (const [name, service] of services) {
      const { image, build, healthcheck, restart, ports = [] } = service
      assert.equal(restart, 'unless-stopped', name)
      assert.ok(build || healthcheck, name)
      assert.match(image!, build ? /^deskline$/ : /^[\w/]+:v?\d[\d.]*$/)
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
      for (const secret of service.secrets ?? []) assert.ok(secret in compose.secrets, secret)
      for (const network of service.networks ?? []) assert.ok(network in compose.networks, network)
      for (const volume of service.volumes ?? []) assert.ok(volume.split(':')[0]! in compose.volumes, volume)
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        assert.ok(other in compose.services, other)
        assert.equal(condition, 'service_healthy')
      }
    }
  })
})

describe('the systemd unit', () => {
  const unit = read('packaging/deskline.service')

  test('lets Deskline stop its database itself, in the time it takes', () => {
    assert.match(unit, /^KillMode=mixed$/m)
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 10)
    assert.equal(/^StateDirectory=(.*)$/m.exec(unit)?.[1], 'deskline')
    assert.match(unit, /^Environment=NODE_ENV=production DATA_DIR=\/var\/lib\/deskline$/m)
  })

  test('is found in order and hardened by systemd itself', { skip: lacks('systemd-analyze') }, async () => {
    const copy = join(folder, 'deskline.service')
    await writeFile(copy, unit.replace('/usr/bin/node', process.execPath).replace('=/opt/deskline\n', '=/\n'))

    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' })
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', copy], {
      encoding: 'utf8'
    })

    // It also names the faults of units that other packages installed.
    const lines = `${verified.stderr}${verified.stdout}`.split('\n')
    const ours = lines.filter(line => line.includes('deskline.service'))
    assert.equal(verified.error, undefined)
    assert.deepEqual(ours, [])
    assert.equal(rated.status, 0, rated.stdout)
  })
})

describe('where the tools of others are installed', () => {
  test('hadolint finds nothing in the Dockerfile', { skip: lacks('hadolint') }, () => {
    execFileSync('hadolint', [join(root, 'Dockerfile')])
  })

  test('Docker Compose understands compose.yaml', { skip: lacks('docker', ['compose', 'version']) }, async () => {
    const secrets = await madeSecrets()

    execFileSync('docker', [
      'compose',
      '--file',
      join(root, 'compose.yaml'),
      '--project-directory',
      join(secrets, '..'),
      'config',
      '--quiet'
    ])
  })
})

function all(name: string): string[] {
  return instructions.filter(instruction => instruction.name === name).map(({ rest }) => rest.trim())
}

/** Whether a path reaches the build: of the lines of .dockerignore that match it or a folder above, the last one decides. */
function isInContext(path: string): boolean {
  const parts = path.split('/')
  const self = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  const rules = read('.dockerignore')
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
  const rule = rules.findLast(rule => {
    // Docker's star is for hidden files too.
    const pattern = rule.replace(/^!/, '').replace(/(?<=^|\/)\*$/, '{*,.*}')
    return self.some(each => matchesGlob(each, pattern))
  })
  return !rule || rule.startsWith('!')
}

/** Runs the image's own check. */
async function isHealthy(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...words] = healthCheck
  assert.equal(program, 'node')
  return await promisify(execFile)(process.execPath, words, { env: environment }).then(
    () => true,
    () => false
  )
}

/** A folder with what packaging/make-secrets makes. */
async function madeSecrets(): Promise<string> {
  const home = await mkdtemp(join(folder, 'secrets-'))
  await cp(join(root, 'packaging/make-secrets'), join(home, 'packaging/make-secrets'))
  execFileSync(join(home, 'packaging/make-secrets'))
  return join(home, 'secrets')
}

/** Why a test is left out: false where the program answers. */
function lacks(program: string, words = ['--version']): string | false {
  const { status } = spawnSync(program, words, { stdio: 'ignore' })
  return status === 0 ? false : `"${[program, ...words].join(' ')}" fails here`
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
