import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

// Who may import whom: what lies on a lower floor, and what lies in the same place. Nobody imports the highest.
const floors: Record<string, number> = {
  'src/lib': 0,
  migrations: 0,
  'src/kit': 1,
  'src/platform': 1,
  'src/tables': 1.2,
  'src/(db|jobs|keys|metrics).ts': 1.5,
  // The log under everything.
  'src/events': 1.8,
  'src/(endpoint|services|permissions|limits|config|actor|failures|insecure-settings).ts': 2,
  // Whoever does something records it.
  'src/audit': 2.5,
  'src/acts': 2.7,
  'src/wording': 2.8,
  'src/sessions': 3,
  'src/departments': 3,
  'src/idempotency': 3,
  'src/rate-limits': 3,
  'src/outbox': 3,
  'src/support-addresses': 2.9,
  // Between an account and what opens it.
  'src/credentials': 3.5,
  'src/followers': 3.5,
  'src/clients': 4,
  'src/staff': 4,
  'src/notifications': 4,
  'src/settings': 4,
  'src/email-templates': 4.2,
  'src/auth': 5,
  'src/health': 5,
  'src/reset': 5,
  'src/tags': 5,
  'src/tickets': 5,
  'src/verification': 5,
  // What is made of tickets, each of what stands above it.
  'src/search': 5.2,
  'src/attachments': 5.2,
  'src/queue': 5.3,
  'src/desk': 5.5,
  'src/threads': 5.6,
  'src/mailbox': 5.7,
  'src/open-form': 5.8,
  // Readers of the log, who have to see threads and tickets.
  'src/live': 5.7,
  'src/canned': 5.5,
  'src/erasure': 5.5,
  'src/account': 5.5,
  'src/webhooks': 5.5,
  'src/\\w+/endpoints': 6,
  'src/rewrites': 5.2,
  'src/job-handlers.ts': 7,
  'src/held-mail-endpoints.ts': 6.5,
  'src/endpoints.ts': 7,
  'src/pages': 8,
  'src/app.ts': 9,
  'src/data-folder.ts': 2,
  'src/installation.ts': 9,
  'src/prepare-database.ts': 8,
  'src/startup-message.ts': 9,
  'src/listening.ts': 9,
  'src/running.ts': 10,
  'src/main.ts': 11,
  'src/cluster': 12,
  'src/backup': 10,
  'src/cli': 13
}

// Code that speaks to the operating system; the embedded server is a process that has to be started, watched and ended.
const processUsers = /^src\/((main|running|installation|data-folder)\.ts|cluster\/|cli\/|platform\/postgres\/)/

const root = join(import.meta.dirname, '..')
const files = filesAt('src/**/*.ts', 'migrations/*.ts')
const ours = files.filter(({ path }) => !path.endsWith('.test.ts'))
const endpointFiles = ours.filter(({ path }) => path.includes('/endpoints/'))

test('every file lies on a floor and imports only from below or from its own place', () => {
  const faults = ours.flatMap(({ path, text }) => {
    const own = placeOf(path)
    if (!own) return [`${path} lies on no floor`]
    return importsOf(text)
      .filter(name => name.startsWith('.') && name.endsWith('.ts'))
      .map(name => join(dirname(path), name))
      .filter(target => {
        const place = placeOf(target)
        return !place || (place !== own && floors[place]! >= floors[own]!)
      })
      .map(target => `${path} imports ${target}`)
  })

  assert.deepEqual(faults, [])
})

test('an endpoint knows neither the outside world nor SQL', () => {
  assert.deepEqual(
    matching(endpointFiles, /\bfrom '([^']*\/platform\/[^']*|[^']*\/db\.ts|kysely|pg|node:(?!stream)[^']*)'/),
    []
  )
})

test('every statement names the columns that it answers: one that a later schema adds would break a prepared statement', () => {
  assert.deepEqual(matching(ours, /\.(returningAll|selectAll)\(\)|\.returningAll\(/), [])
})

test('e-mail addresses are compared by the database, which also says whether they are unique', () => {
  assert.deepEqual(matching(ours, /mail\w*\)?\.(toLowerCase|toUpperCase|toLocale\w+)\(/i), [])
})

test('only what starts the service or runs at a terminal touches the process', () => {
  const others = ours.filter(({ path }) => !processUsers.test(path))

  assert.deepEqual(matching(others, /\bprocess\.\w|from 'node:process'/), [])
})

test('there are no default exports, no barrels, no classes to be used as such and no imports without an ending', () => {
  assert.deepEqual(matching(files, /^export default\b/m), [])
  assert.deepEqual(matching(files, /^export \* from\b/m), [])
  assert.deepEqual(matching(files, /^export class \w+ \{/m), [])
  assert.deepEqual(matching(files, /\bfrom '\.[^']*(?<!\.ts|\.json)'/), [])
})

test('files are named in kebab-case, have 300 lines at most, and endpoints 80', () => {
  // The bench keeps whole revisions below its folder while it compares them.
  const all = [...files, ...filesAt('test/**/*.ts', 'bench/*.ts', 'client/*.js', 'client/src/*.js')]

  const misnamed = all.filter(({ path }) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.test)?\.[tj]s$/.test(path))
  const long = all.filter(
    ({ path, text }) => text.split('\n').length - 1 > (/\/endpoints\/[\w-]+\.ts$/.test(path) ? 80 : 300)
  )

  assert.ok(all.some(({ path }) => path.startsWith('test/')) && all.some(({ path }) => path.startsWith('bench/')))
  assert.deepEqual(pathsOf(misnamed), [])
  assert.deepEqual(pathsOf(long), [])
})

test('an endpoint file is named after its address', () => {
  const faults = endpointFiles.filter(({ path, text }) => {
    const address = /^ {2}path: '\/api\/([^']+)'/m.exec(text)?.[1]
    return (
      address &&
      !path.endsWith(`/${kebab(address)}.ts`) &&
      !kebab(address).endsWith(path.split('/').at(-1)!.slice(0, -3))
    )
  })

  assert.deepEqual(pathsOf(faults), [])
})

function filesAt(...patterns: string[]) {
  return globSync(patterns, { cwd: root })
    .filter(path => !path.endsWith('.d.ts'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

function placeOf(path: string): string | undefined {
  return Object.keys(floors)
    .toSorted((one, other) => floors[other]! - floors[one]!)
    .find(place => new RegExp(`^${place}(/|$)`).test(path))
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import) ?\(?'([^']+)'/g)].map(match => match[1]!)
}

function matching(among: typeof files, pattern: RegExp): string[] {
  return pathsOf(among.filter(({ text }) => pattern.test(text)))
}

function pathsOf(among: typeof files): string[] {
  return among.map(({ path }) => path)
}

function kebab(address: string): string {
  return address.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replaceAll(/[/_]/g, '-')
}
