import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { readConfig, settings } from '../src/core/config.ts'
import { root, run } from './support/program.ts'

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
    for (const name of ['app_secret', 'database_password', 'storage_secret_key', 'admin_password'])
      assert.match(made[names.indexOf(name)]!, /^[0-9a-f]{64}\n$/)
    assert.equal(
      new URL(made[names.indexOf('database_url')]!.trim()).password,
      made[names.indexOf('database_password')]!.trim()
    )
    assert.ok(read('.gitignore').split('\n').includes('/secrets/'))
  })

  test('makes no secret at all where no random numbers can be read', async () => {
    const secrets = await madeSecrets()
    await rm(join(secrets, 'app_secret'))
    const tools = join(secrets, '../tools')
    await mkdir(tools)
    for (const tool of ['dirname', 'mkdir', 'chmod', 'head', 'tr', 'cat', 'mv'])
      await symlink(
        execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(),
        join(tools, tool)
      )

    const made = spawnSync('/bin/sh', [join(secrets, '../packaging/make-secrets')], {
      env: { PATH: tools },
      encoding: 'utf8'
    })

    assert.equal(made.status, 1)
    assert.match(made.stderr, /No random numbers can be read/)
    assert.deepEqual(
      (await readdir(secrets)).filter(name => name.startsWith('app_secret')),
      []
    )
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
