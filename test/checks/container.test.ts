import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import manifest from '../../package.json' with { type: 'json' }
import { readConfig } from '../../src/core/config.ts'
import { productionDependencies } from '../../src/operation/cli/licences.ts'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { deskline, root } from '../support/program.ts'

const dockerfile = read('Dockerfile')
const instructions = dockerfile
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split(/\n+/)
  .map(line => ({ name: line.split(' ', 1)[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
const healthCheck = JSON.parse(/CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0]!)![1]!) as string[]

const folder = await mkdtemp(join(tmpdir(), 'deskline-container-'))
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
  const context = globSync('{*,{bin,client,docs,migrations,packaging,src,test,web}/**}', {
    cwd: root,
    exclude: path => /(^|\/)node_modules(\/|$)/.test(path)
  }).filter(isInContext)
  const image = context.filter(isInImage)
  const app = join(folder, 'app')
  for (const path of image) {
    if ((await stat(join(root, path))).isFile()) await cp(join(root, path), join(app, path))
  }
  await cp(join(root, 'web/dist'), join(app, 'web/dist'), { recursive: true })
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
  const page = await fetch(`http://127.0.0.1:${port}/desk`)
  const description = await fetch(`http://127.0.0.1:${port}/openapi.json`)
  const whileItLives = [await isHealthy({ PORT: port }), await isHealthy({ PORT: '1', METRICS_PORT: metricsPort })]
  const code = await program.stop()
  const afterwards = await isHealthy({ PORT: port })
  await close()

  assert.deepEqual(whileItLives, [true, true])
  assert.equal(code, 0)
  assert.equal(afterwards, false)
  assert.equal(description.status, 200)
  assert.deepEqual([page.status, (await page.text()).includes('/assets/')], [200, true])
  for (const path of ['src/main.ts', 'migrations/index.ts', 'bin/deskline.js', 'package-lock.json', 'LICENSE']) {
    assert.ok(image.includes(path), path)
  }
  for (const path of ['web/vite.config.ts', 'client/src/index.js']) {
    assert.deepEqual([context.includes(path), image.includes(path)], [true, false], path)
  }
  for (const path of ['.env', '.git/config', 'data/app.key', 'secrets/app_secret', 'node_modules/pg/package.json']) {
    assert.equal(isInContext(path), false, path)
  }
  assert.deepEqual(
    image.filter(path => /^test|\.test\.ts$|^bin\/(?!deskline\.js)/.test(path)),
    []
  )
  assert.deepEqual(
    context.filter(path => /^web\/(dist|tests)\b/.test(path)),
    []
  )
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

/** Whether the last stage copies it; what it has of other stages is not of the context. */
function isInImage(path: string): boolean {
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
  const copied = last.filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
  return copied
    .flatMap(({ rest }) => rest.trim().split(/\s+/).slice(0, -1))
    .some(source => path === source || path.startsWith(`${source}/`))
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

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
