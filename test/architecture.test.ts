import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

/**
 * The order of the source from the ground up. A wing is a folder of `src`, a room a folder in it; a file imports only from its own room and from rooms
 * before it. `files` are those that lie directly in a wing, unless they are named; the endpoints of all rooms of a wing come last in it.
 */
const order = [
  ...['lib', 'kit', 'platform'],
  ...roomsOf('core', 'tables db jobs keys metrics limits permissions actor config events files audit acts sessions'),
  ...roomsOf('core', 'definitions idempotency rate-limits wording clock calendars api-tokens settings endpoints'),
  ...roomsOf('mail', 'support-addresses log mailboxes signatures outbox email-templates endpoints'),
  ...roomsOf(
    'people',
    'departments credentials organisations clients staff auth passkeys reset verification account sso tokens endpoints'
  ),
  ...roomsOf(
    'tickets',
    'followers ticket fields forms conditions sla attachments tags snooze search queue links desk drafts threads side-conversations notifications actions macros sending rules endpoints'
  ),
  ...roomsOf('intake', 'mailbox mailbox-setup mail-log open-form endpoints'),
  ...roomsOf('help', 'articles reading pages widget endpoints'),
  ...roomsOf('insight', 'facts reports csat endpoints'),
  ...roomsOf('outward', 'live webhooks erasure endpoints'),
  ...roomsOf('operation', 'health clock config-file endpoints'),
  ...['endpoints'],
  ...roomsOf('operation', 'pages files'),
  ...['plain-routes', 'app', 'job-handlers', 'main'],
  ...roomsOf('operation', 'backup cluster cli')
]
// Code that speaks to the operating system; the embedded server is a process that has to be started, watched and ended.
const processUsers =
  /^src\/(main\.ts|operation\/((running|installation|data-folder)\.ts|cluster\/|cli\/)|platform\/(postgres\/|holidays\/list-holidays))/

const root = join(import.meta.dirname, '..')
const files = filesAt('src/**/*.ts', 'migrations/*.ts')
const ours = files.filter(({ path }) => !path.endsWith('.test.ts'))
const endpointFiles = ours.filter(({ path }) => path.includes('/endpoints/'))

test('every file imports only from its own room and from rooms before it', () => {
  const faults = ours.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(name => name.startsWith('.') && name.endsWith('.ts'))
      .map(name => join(dirname(path), name))
      .filter(target => target.startsWith('src/') && !mayImport(path, target))
      .map(target => `${path} imports ${target}`)
  )

  assert.deepEqual(faults, [])
})

test('no files import one another in a circle', () => {
  const targets = new Map(
    ours.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(name => name.startsWith('.') && name.endsWith('.ts'))
        .map(name => join(dirname(path), name))
    ])
  )
  const ended = new Set<string>()
  const circleFrom = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (ended.has(path)) return undefined
    for (const target of targets.get(path) ?? []) {
      const circle = circleFrom(target, [...trail, path])
      if (circle) return circle
    }
    ended.add(path)
    return undefined
  }

  assert.deepEqual(
    ours.flatMap(({ path }) => circleFrom(path, [])?.join(' → ') ?? []),
    []
  )
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

  assert.deepEqual(matching(others, /(?<!-)\bprocess\.\w|from 'node:process'/), [])
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

function mayImport(path: string, target: string): boolean {
  return placeOf(target) <= placeOf(path)
}

function placeOf(path: string): number {
  const [wing, room] = path.replace(/^src\/|\.ts$/g, '').split('/')
  const isEndpoint = /\/endpoints(\/|\.ts$)/.test(path)
  const places = [isEndpoint ? `${wing}/endpoints` : `${wing}/${room}`, `${wing}/files`, wing!]
  const place = places.find(place => order.includes(place))
  assert.ok(place, `${path} lies in no room`)
  return order.indexOf(place)
}

function roomsOf(wing: string, rooms: string): string[] {
  return rooms.split(' ').map(room => `${wing}/${room}`)
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
