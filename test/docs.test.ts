import assert from 'node:assert/strict'
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { readConfig, settings } from '../src/core/config.ts'
import { endpoints } from '../src/endpoints.ts'
import { addressesOf } from '../src/kit/endpoint.ts'
import { generatedFiles } from '../src/operation/cli/generated.ts'
import { defaultAdmin } from '../src/people/staff/first-admin.ts'

const root = join(import.meta.dirname, '..')
const own = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
const documents = [...own, ...globSync('docs/**/*.md', { cwd: root })].map(path => ({ path, text: read(path) }))
/** Names in capitals that are not ours: of Node.js, of the operating system. */
const ofOthers = [
  'NO_COLOR',
  'DESKLINE_ENV_FILE',
  'NAME_FILE',
  'ACCOUNT_SID',
  'AUTH_TOKEN',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SO_REUSEPORT',
  'CAP_NET_BIND_SERVICE'
]
const scripts = [...globSync('bin/*', { cwd: root }), '.ci/run'].map(path => ({ path, text: read(path) }))

test('the map names every folder of the source', () => {
  const map = read('ARCHITECTURE.md')
  const folders = globSync(['src/*/', 'src/*/*/'], { cwd: root })
    .map(path => path.replace(/\/$/, ''))
    .filter(path => !/^src\/(lib|kit|platform)\//.test(path) || path.startsWith('src/platform/'))

  assert.ok(folders.length > 15)
  assert.deepEqual(
    folders.filter(folder => !map.includes(`\`${folder}\``)),
    []
  )
})

test('every file and folder that a document names is there', () => {
  const named = mentions(documents, /`((?:src|test|docs|bin|migrations|bench|\.ci)\/[\w./*-]*)`/g)

  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(({ name }) => globSync(name.replace(/\/$/, ''), { cwd: root }).length === 0),
    []
  )
})

test('every link leads somewhere', () => {
  const links = mentions(documents, /\]\(([^)#]+)[^)]*\)/g).filter(({ name }) => !/^https?:/.test(name))

  assert.ok(links.length > 0)
  assert.deepEqual(
    links.filter(({ name, path }) => !existsSync(join(root, dirname(path), name))),
    []
  )
})

test('every npm script, program and command that a document or script names exists', () => {
  const all = [...documents, ...scripts]
  const npmScripts = mentions(all, /\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g)
  const programs = mentions(all, /(?<![\w/.])(bin\/[\w.-]+)/g)
  const commands = mentions(all, /(?:deskline(?:\.js)?"? (?:-- )?|`deskline )([a-z][a-z-]+)\b/g).filter(isCommand)

  assert.ok(npmScripts.length > 3 && programs.length > 3 && commands.length > 3)
  assert.deepEqual(
    npmScripts.filter(({ name }) => !(name in manifest.scripts)),
    []
  )
  assert.deepEqual(
    programs.filter(({ name }) => name !== manifest.bin.deskline && !isExecutable(name)),
    []
  )
  assert.deepEqual(
    commands.filter(({ name }) => !existsSync(join(root, `src/operation/cli/${name}.ts`))),
    []
  )
  for (const path of Object.values(manifest.bin)) assert.ok(existsSync(join(root, path)), path)
})

test('every address that a document names exists', () => {
  // A raw message streams to its address, which is none of the endpoints.
  const addresses = [...addressesOf(endpoints), { path: '/api/mail/inbound' }]
  const patterns = addresses.map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))
  const named = mentions(documents, /(\/api\/[\w/:$-]*[\w$])/g)

  assert.ok(named.length > 50)
  assert.deepEqual(
    named.filter(({ name }) => !patterns.some(pattern => pattern.test(name))),
    []
  )
})

test('every setting that a document names is one, and the defaults that the README tells are true', () => {
  const named = mentions([...documents, ...scripts], /(?<![\w.$])([A-Z]{2,}(?:_[A-Z]+)+)(?![\w.])/g)
  const config = readConfig({})

  assert.ok(named.length > 2)
  assert.deepEqual(
    named.filter(
      ({ name }) => !(name in settings) && !isSecret(name.replace(/_FILE$/, '')) && !ofOthers.includes(name)
    ),
    []
  )
  const readme = read('README.md')
  assert.deepEqual([...new Set(readme.match(/localhost:\d+/g))], [`localhost:${config.PORT}`])
  assert.ok(config.DATA_DIR.endsWith('/data') && readme.includes('`./data`'))
  for (const told of Object.values(defaultAdmin)) assert.ok(readme.includes(`\`${told}\``), told)
})

test('every promise of docs/security.md names a test that is there', () => {
  const promises = read('docs/security.md')
    .split('## What is promised')[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| promise'))

  assert.ok(promises.length > 20)
  for (const promise of promises) assert.match(promise, /`(src|test)\/[\w./-]+\.test\.ts` \|$/)
})

test('what is generated from the code is fresh', () => {
  const files = generatedFiles()

  for (const { path, text } of files) {
    assert.ok(existsSync(join(root, path)) && read(path) === text, `${path} is stale: npm run generate`)
  }
})

test('no two decisions have the same number, and each says its own', () => {
  const decisions = documents.filter(({ path }) => path.startsWith('docs/decisions/'))
  const numbers = decisions.map(({ path }) => /^docs\/decisions\/(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? path)

  assert.ok(decisions.length > 0)
  assert.equal(new Set(numbers).size, numbers.length)
  for (const [at, { text }] of decisions.entries()) assert.match(text, new RegExp(`^# ${numbers[at]} · .`))
})

test('no line of a document is left to be written', () => {
  assert.deepEqual(mentions(documents, /\b(TODO|FIXME|TBD|XXX|lorem ipsum)\b/g), [])
})

interface Text {
  path: string
  text: string
}

function mentions(texts: Text[], pattern: RegExp): { path: string; name: string }[] {
  return texts.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(match => ({ path, name: match[1]! })))
}

/** Words that follow the product's name in a sentence are no commands. */
function isCommand({ name }: { name: string }): boolean {
  return !['is', 'and', 'or', 'has', 'with'].includes(name)
}

/** A setting that may come from a file as well. */
function isSecret(name: string): boolean {
  return Object.entries<{ secret: boolean }>(settings).some(([each, { secret }]) => each === name && secret)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(join(root, path), constants.X_OK)
    return true
  } catch {
    return false
  }
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
