import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

// What is measured of the source, so that it stays small and plain. A mark that is passed is a decision, not an accident.

const root = join(import.meta.dirname, '..')
const source = globSync('src/**/*.ts', { cwd: root }).map(path => ({
  path,
  lines: readFileSync(join(root, path), 'utf8').split('\n')
}))

test('the median endpoint has 30 lines at most', () => {
  const lengths = source
    .filter(({ path }) => path.includes('/endpoints/') && !path.endsWith('.test.ts'))
    .map(({ lines }) => lines.length - 1)
    .toSorted((one, other) => one - other)

  assert.ok(lengths.length > 90)
  assert.ok(lengths[lengths.length >> 1]! <= 30, `${lengths[lengths.length >> 1]} lines`)
})

test('the compiler is overruled three times at most', () => {
  const places = source.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => (line.includes('as unknown as') ? [`${path}:${at + 1}`] : []))
  )

  assert.ok(places.length <= 3, places.join(', '))
})

test('a column of clients stands in its migration and in two files of the source; the rest follows', () => {
  const named = source.filter(
    ({ path, lines }) => !path.endsWith('.test.ts') && lines.some(line => /\bstreet_address_2\b/.test(line))
  )

  assert.deepEqual(named.map(({ path }) => path).toSorted(), [
    'src/core/tables/clients.ts',
    'src/people/clients/columns.ts'
  ])
})

test('the platform has no name for anything of the desk', () => {
  const named = source
    .filter(({ path }) => path.startsWith('src/platform/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, lines }) =>
      lines
        .filter(line => !/^\s*(\/\/|\/?\*)/.test(line))
        .map(line => line.replace(/'[^']*'|`[^`]*`|\/\^.*\$\//g, ''))
        .filter(line => /\b\w*(ticket|staff|supporter|department|letter|guess|population)\w*\b/i.test(line))
        .map(line => `${path}: ${line.trim()}`)
    )

  assert.deepEqual(named, [])
})

test('from the endpoint of a reply to its SQL one reads six files', () => {
  // What is asked beforehand of staff who say what they have read is apart from the writing itself.
  const beforehand = ['src/tickets/threads/new-messages.ts', 'src/tickets/ticket/locked-ticket.ts']
  const read = new Set(['src/tickets/threads/endpoints/tickets-reply.ts'])
  const verbs = ['src/tickets/threads/reply-to-ticket.ts']
  for (const path of verbs) {
    read.add(path)
    const { lines } = source.find(each => each.path === path)!
    const parts = [...lines.join('\n').matchAll(/^import (?!type)[^;]*? from '(\.[^']*)'/gm)]
      .map(([, file]) => join(dirname(path), file!))
      .filter(part => /^src\/tickets\/(threads|ticket)\//.test(part) && !read.has(part) && !beforehand.includes(part))
    verbs.push(...parts)
  }

  assert.ok(read.size <= 6, [...read].join(', '))
})
