import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const files = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).map(path => path.slice('web/src/'.length))
const imports = new Map(files.map(path => [path, importsOf(path)]))
const layers = layersOfReadme()
// What the service and the pages judge by alike: it imports nothing.
const shared = [
  '../../src/lib/user-agent.ts',
  '../../src/tickets/forms/judge-form.ts',
  '../../src/tickets/actions/skip-reasons.ts'
]

test('a file of the pages imports only from the layers before its own, or from its own folder', () => {
  const faults = files.flatMap(path => {
    const own = placeOf(path)
    if (!own) return [`${path} is in no layer of web/README.md`]
    return imports
      .get(path)!
      .filter(target => {
        const place = placeOf(target)
        if (shared.includes(target)) return false
        return !place || (place !== own && layerOf(place) >= layerOf(own))
      })
      .map(target => `${path} imports ${target}`)
  })

  assert.deepEqual(faults, [])
})

test('the files of the pages do not import each other in a circle', () => {
  const done = new Set<string>()

  const circles = files.flatMap(path => circleFrom(path, [], done))

  assert.deepEqual(circles, [])
})

test('web/README.md names each folder of the pages once', () => {
  const places = layers.flat()

  assert.deepEqual(
    places.filter((place, at) => places.indexOf(place) !== at),
    []
  )
  assert.deepEqual(
    places.filter(place => !files.some(path => placeOf(path) === place)),
    []
  )
})

test('the pages have one way to follow a value outside of React, and one to call the API', () => {
  const places: [RegExp, string[]][] = [
    // A media query is followed by the browser's own events.
    [/\buseSyncExternalStore\(/, ['lib/store.ts', 'console/use-layout.ts']],
    // The state of a file is asked for by its signed link, which is no endpoint of the API.
    [/\bcreateClient\(|[^.\w]fetch\(/, ['client/client.ts', 'console/ticket/attachments.tsx']],
    // The list of tickets loads its pages itself; links and secrets have a life of their own; how one signs in, the browser is asked as well;
    // the sentence of who sees whom is asked for in the language of the page.
    [
      /\buse(Query|Mutation|InfiniteQuery)\(/,
      [
        'app/api-queries.ts',
        'app/use-api-mutation.ts',
        'app/use-api-pages.ts',
        'app/account/two-factor-set-up.tsx',
        'app/sign-on/ways-to-sign-in.ts',
        'console/inbox/list-pane.tsx',
        'console/ticket/attachments.tsx',
        'console/ticket/possible-recipients.ts'
      ]
    ]
  ]

  const others = places.flatMap(([pattern, known]) =>
    files.filter(path => pattern.test(readFileSync(join(root, 'web/src', path), 'utf8')) && !known.includes(path))
  )

  assert.deepEqual(others, [])
})

/** The rows of the table in web/README.md: each names the folders and files of one layer. */
function layersOfReadme(): string[][] {
  const readme = readFileSync(join(root, 'web/README.md'), 'utf8')
  const table = readme.slice(readme.indexOf('## Layers')).split('\n\n## ')[0]!
  return [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  )
}

/** The folder or file of the table that a file belongs to: the longest name that its path begins with. */
function placeOf(path: string): string | undefined {
  return layers
    .flat()
    .filter(place => path === place || path.startsWith(`${place}/`))
    .sort((one, other) => other.length - one.length)[0]
}

function layerOf(place: string): number {
  return layers.findIndex(places => places.includes(place))
}

/** The modules that a file imports, also lazily. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, 'web/src', path), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import) ?'(\.[^']+\.(?:tsx?|json))'/gm)].map(([, name]) =>
    join(dirname(path), name!)
  )
}

function circleFrom(path: string, way: string[], done: Set<string>): string[] {
  if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(' → ')]
  if (done.has(path)) return []
  const found = (imports.get(path) ?? []).flatMap(target => circleFrom(target, [...way, path], done))
  done.add(path)
  return found
}
