import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../src/kit/plain-schema.ts'
import { bootDesk } from './support/desk.ts'
import {
  contractRow,
  exampleBody,
  mainRoutes,
  permittedCallers,
  type Route,
  routes,
  send,
  sendJson,
  withoutAttemptLimits,
  writesNothing
} from './support/routes.ts'

const desk = await bootDesk({ config: { ...withoutAttemptLimits, TEST_CLOCK: true } })
const personFor = await permittedCallers(desk)

test('a body without fields lacks exactly the required names, under every address', async () => {
  await writesNothing(desk, async () => {
    for (const route of routes) {
      const lacking = requiredAt(route)
      if (lacking.length === 0) continue

      const reply = await sendJson(desk, route.path, personFor(route.endpoint), {})

      assertLacks(route, lacking, reply)
    }
  })
})

test('so does no body, an empty one and one of nulls, in each encoding', async () => {
  await writesNothing(desk, async () => {
    for (const route of mainRoutes) {
      const asker = personFor(route.endpoint)
      const lacking = requiredAt(route)
      if (lacking.length === 0) continue

      const replies = [
        await send(desk, route.path, { asker }),
        await send(desk, route.path, { asker, type: 'application/json', body: '' }),
        await send(desk, route.path, { asker, type: 'application/json', body: nulls(lacking) }),
        await send(desk, route.path, { asker, type: 'application/x-www-form-urlencoded', body: '' }),
        await send(desk, route.path, { asker, body: new FormData() })
      ]

      for (const reply of replies) assertLacks(route, lacking, reply)
    }
  })
})

test('every endpoint that requires nothing answers a body without fields', async () => {
  for (const route of mainRoutes.filter(route => requiredAt(route).length === 0)) {
    const reply = await sendJson(desk, route.path, personFor(route.endpoint), {})

    assert.equal(reply.status, route.endpoint.status ?? 200, route.path)
  }
})

test('a text of one character too many is refused by name, in every field that has a limit', async () => {
  await writesNothing(desk, async () => {
    for (const { route, body, names } of filledWith(isLimited, schema => [longText(schema, maxLength(schema) + 1)])) {
      const reply = await sendJson(desk, route.path, personFor(route.endpoint), body)

      assert.equal(reply.status, 400, route.path)
      assert.deepEqual(reply.body.errors, names, `${route.path} ${reply.body.message}`)
    }
  })
})

test('a limit counts characters, not what they take in memory', async () => {
  const isFree = (schema: Json) => isLimited(schema) && !schema.format && !schema.pattern
  const filled = filledWith(isFree, schema => ['𝔸'.repeat(maxLength(schema))])
  assert.ok(filled.length > 20)

  for (const { route, body } of filled) {
    const reply = await sendJson(desk, route.path, personFor(route.endpoint), body)

    assert.ok(
      reply.status !== 400 || !/at most|characters/.test(reply.body.message),
      `${route.path} ${reply.body.message}`
    )
  }
})

test('a value of the wrong JSON type is refused by name, in every field of every endpoint', async () => {
  await writesNothing(desk, async () => {
    for (const { route, body, names } of filledWith(() => true, wrongValues, 5)) {
      const reply = await sendJson(desk, route.path, personFor(route.endpoint), body)

      const sent = `${route.path} ${JSON.stringify(body)}`
      assert.equal(reply.status, 400, `${sent}: ${reply.body.message}`)
      assert.deepEqual(reply.body.errors, names, sent)
    }
  })
})

function requiredAt(route: Route): readonly string[] {
  if (route.pattern === '/api/tickets' || route.pattern === '/api/admin/staff') return []
  return contractRow(route).required.filter(name => name !== 'id' || !route.pattern.includes(':id'))
}

function assertLacks(
  route: Route,
  lacking: readonly string[],
  { status, body }: Awaited<ReturnType<typeof send>>
): void {
  assert.deepEqual([status, body.errors], [400, lacking], route.path)
  assert.match(body.message, /^Missing required fields: /)
  for (const name of lacking) assert.match(body.message, new RegExp(`\\b${name}\\b`))
}

/**
 * Bodies that have, in each field that `isMeant`, one of these values, each field and each synonym with each of its values in
 * one of them at least; with the names that a refusal calls the fields by. Where there are more than `most` for an endpoint, it gets so many,
 * and the next endpoint others.
 */
function filledWith(isMeant: (schema: Json) => boolean, valuesOf: (schema: Json) => unknown[], most = Infinity) {
  return mainRoutes.flatMap((route, turn) => {
    const { fields, filled } = exampleBody(route.endpoint)
    const meant = fields.filter(([, schema]) => isMeant(schema))
    const spellings = Map.groupBy(meant, ([name]) => fieldName(route, name))
    const mostSpellings = Math.max(0, ...[...spellings.values()].map(each => each.length))
    return Array.from({ length: mostSpellings }).flatMap((_, spelling) => {
      const chosen = [...spellings].flatMap(([name, each]) => {
        const [sentAs, schema] = each[spelling] ?? []
        return sentAs && schema ? [{ name, sentAs, values: valuesOf(schema) }] : []
      })
      const mostValues = Math.max(...chosen.map(({ values }) => values.length))
      return Array.from({ length: Math.min(most, mostValues) }, (_, at) => (turn + at) % mostValues).map(at => ({
        route,
        names: chosen.map(({ name }) => name),
        body: {
          ...filled,
          ...Object.fromEntries(chosen.map(({ name }) => [name, undefined])),
          ...Object.fromEntries(chosen.map(({ sentAs, values }) => [sentAs, values[at % values.length]]))
        }
      }))
    })
  })
}

function isLimited(schema: Json): boolean {
  return schema.maxLength !== undefined
}

function maxLength(schema: Json): number {
  return schema.maxLength as number
}

function longText({ format }: Json, length: number): string {
  return format === 'email' ? `${'a'.repeat(length - 12)}@example.com` : 'a'.repeat(length)
}

/** A field's first name, by which refusals call it. */
function fieldName({ endpoint }: Route, name: string): string {
  return endpoint.synonyms?.[name] ?? name
}

function wrongValues(schema: Json): unknown[] {
  const types = [schema.type].flat()
  if (types.includes('array')) return [true, 1, 'x', {}, [null], [{}], [['staff.view']], ...wrongEntries(schema)]
  if (types.includes('object')) return [true, 1, 'x', [], [{}]]
  const never = [true, false, 1.5, {}, { length: 3 }, [], ['x'], [1], [null], [[]]]
  if (types.includes('integer') && types.includes('string')) {
    return never.filter(value => value !== 1.5 && !(schema.enum && typeof value === 'boolean'))
  }
  if (!types.includes('integer')) return [...never, 0, 12, -1]
  return [
    // Some flags take these.
    ...(schema.enum ? never.filter(value => typeof value !== 'boolean') : never),
    'abc',
    '1.5',
    -1,
    schema.enum ? 2 : Number(schema.minimum) - 1,
    2 ** 53,
    1e300,
    '0x10',
    '9007199254740993'
  ]
}

function wrongEntries({ items }: Json): unknown[] {
  const { type, enum: values, pattern } = items as Json
  return [[type].flat().includes('integer') ? [0] : [1], ...(values || pattern ? [['nothing']] : [])]
}

function nulls(names: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(names.map(name => [name, null])))
}
