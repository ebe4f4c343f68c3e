import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../src/kit/openapi-schemas.ts'
import {
  bodyOf,
  type Door,
  doors,
  frontDoors,
  keyring,
  rowAt,
  send,
  sendJson,
  unguarded,
  writesNothing
} from './support/addresses.ts'
import { bootDesk } from './support/desk.ts'

const desk = await bootDesk({ config: unguarded })
const personFor = await keyring(desk)

test('a body without fields lacks exactly the required names, under every address', async () => {
  await writesNothing(desk, async () => {
    for (const door of doors) {
      const lacking = requiredAt(door)
      if (lacking.length === 0) continue

      const reply = await sendJson(desk, door.path, personFor(door.endpoint), {})

      assertLacks(door, lacking, reply)
    }
  })
})

test('so does no body, an empty one and one of nulls, in each encoding', async () => {
  await writesNothing(desk, async () => {
    for (const door of frontDoors) {
      const asker = personFor(door.endpoint)
      const lacking = requiredAt(door)
      if (lacking.length === 0) continue

      const replies = [
        await send(desk, door.path, { asker }),
        await send(desk, door.path, { asker, type: 'application/json', body: '' }),
        await send(desk, door.path, { asker, type: 'application/json', body: nulls(lacking) }),
        await send(desk, door.path, { asker, type: 'application/x-www-form-urlencoded', body: '' }),
        await send(desk, door.path, { asker, body: new FormData() })
      ]

      for (const reply of replies) assertLacks(door, lacking, reply)
    }
  })
})

test('every endpoint that requires nothing answers a body without fields', async () => {
  for (const door of frontDoors.filter(door => requiredAt(door).length === 0)) {
    const reply = await sendJson(desk, door.path, personFor(door.endpoint), {})

    assert.equal(reply.status, door.endpoint.status ?? 200, door.path)
  }
})

test('a text of one character too many is refused by name, in every field that has a limit', async () => {
  await writesNothing(desk, async () => {
    for (const { door, body, names } of filledWith(isLimited, schema => [longText(schema, maxLength(schema) + 1)])) {
      const reply = await sendJson(desk, door.path, personFor(door.endpoint), body)

      assert.equal(reply.status, 400, door.path)
      assert.deepEqual(reply.body.errors, names, `${door.path} ${reply.body.message}`)
    }
  })
})

test('a limit counts characters, not what they take in memory', async () => {
  const isFree = (schema: Json) => isLimited(schema) && !schema.format && !schema.pattern
  const filled = filledWith(isFree, schema => ['𝔸'.repeat(maxLength(schema))])
  assert.ok(filled.length > 20)

  for (const { door, body } of filled) {
    const reply = await sendJson(desk, door.path, personFor(door.endpoint), body)

    assert.ok(
      reply.status !== 400 || !/at most|characters/.test(reply.body.message),
      `${door.path} ${reply.body.message}`
    )
  }
})

test('a value of the wrong JSON type is refused by name, in every field of every endpoint', async () => {
  await writesNothing(desk, async () => {
    for (const { door, body, names } of filledWith(() => true, wrongValues)) {
      const reply = await sendJson(desk, door.path, personFor(door.endpoint), body)

      const sent = `${door.path} ${JSON.stringify(body)}`
      assert.equal(reply.status, 400, `${sent}: ${reply.body.message}`)
      assert.deepEqual(reply.body.errors, names, sent)
    }
  })
})

function requiredAt(door: Door): readonly string[] {
  if (door.pattern === '/api/tickets' || door.pattern === '/api/admin/staff') return []
  return rowAt(door).required.filter(name => name !== 'id' || !door.pattern.includes(':id'))
}

function assertLacks(door: Door, lacking: readonly string[], { status, body }: Awaited<ReturnType<typeof send>>): void {
  assert.deepEqual([status, body.errors], [400, lacking], door.path)
  assert.match(body.message, /^Missing required fields: /)
  for (const name of lacking) assert.match(body.message, new RegExp(`\\b${name}\\b`))
}

/**
 * Bodies that have, in each field that `isMeant`, one of these values, each field and each synonym with each of its values in
 * one of them at least; with the names that a refusal calls the fields by.
 */
function filledWith(isMeant: (schema: Json) => boolean, valuesOf: (schema: Json) => unknown[]) {
  return frontDoors.flatMap(door => {
    const { fields, filled } = bodyOf(door.endpoint)
    const meant = fields.filter(([, schema]) => isMeant(schema))
    const spellings = Map.groupBy(meant, ([name]) => fieldName(door, name))
    const mostSpellings = Math.max(0, ...[...spellings.values()].map(each => each.length))
    return Array.from({ length: mostSpellings }).flatMap((_, spelling) => {
      const chosen = [...spellings].flatMap(([name, each]) => {
        const [sentAs, schema] = each[spelling] ?? []
        return sentAs && schema ? [{ name, sentAs, values: valuesOf(schema) }] : []
      })
      const mostValues = Math.max(...chosen.map(({ values }) => values.length))
      return Array.from({ length: mostValues }, (_, at) => ({
        door,
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
function fieldName({ endpoint }: Door, name: string): string {
  return endpoint.synonyms?.[name] ?? name
}

function wrongValues(schema: Json): unknown[] {
  const types = [schema.type].flat()
  if (types.includes('array')) return [true, 1, 'x', {}, [null], [{}], [['staff.view']], ...wrongEntries(schema)]
  if (types.includes('object')) return [true, 1, 'x', [], [{}]]
  const never = [true, false, 1.5, {}, { length: 3 }, [], ['x'], [1], [null], [[]]]
  if (types.includes('integer') && types.includes('string')) return never.filter(value => value !== 1.5)
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
