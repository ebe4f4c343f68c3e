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

test('no body, an empty one and one without fields all lack exactly the required names', async () => {
  await writesNothing(desk, async () => {
    for (const door of doors) {
      const asker = personFor(door.endpoint)
      const lacking = requiredAt(door)
      if (lacking.length === 0) continue
      const replies = [
        await send(desk, door.path, { asker }),
        await send(desk, door.path, { asker, type: 'application/json', body: '' }),
        await send(desk, door.path, { asker, type: 'application/json', body: '{}' }),
        await send(desk, door.path, { asker, type: 'application/json', body: nulls(lacking) }),
        await send(desk, door.path, { asker, type: 'application/x-www-form-urlencoded', body: '' }),
        await send(desk, door.path, { asker, body: new FormData() })
      ]

      for (const { status, body } of replies) {
        assert.deepEqual([status, body.errors], [400, lacking], door.path)
        assert.match(body.message, /^Missing required fields: /)
        for (const name of lacking) assert.match(body.message, new RegExp(`\\b${name}\\b`))
      }
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
    for (const { door, name, schema, filled } of limitedTexts()) {
      const tooLong = longText(schema, (schema.maxLength as number) + 1)
      const reply = await sendJson(desk, door.path, personFor(door.endpoint), { ...filled, [name]: tooLong })

      assert.equal(reply.status, 400, `${door.path} ${name}`)
      assert.ok(reply.body.errors.includes(fieldName(door, name)), `${door.path} ${name}: ${reply.body.message}`)
    }
  })
})

test('a limit counts characters, not what they take in memory', async () => {
  const free = limitedTexts().filter(({ schema }) => !schema.format && !schema.pattern)
  assert.ok(free.length > 20)

  for (const { door, name, schema, filled } of free) {
    const reply = await sendJson(desk, door.path, personFor(door.endpoint), {
      ...filled,
      [name]: '𝔸'.repeat(schema.maxLength as number)
    })

    assert.ok(
      reply.status !== 400 || !/at most|characters/.test(reply.body.message),
      `${door.path} ${name} ${reply.body.message}`
    )
  }
})

test('a value of the wrong JSON type is refused by name, in every field of every endpoint', async () => {
  await writesNothing(desk, async () => {
    for (const door of frontDoors) {
      const { fields, filled } = bodyOf(door.endpoint)
      for (const [name, schema] of fields) {
        for (const value of wrongValues(schema)) {
          const body = { ...filled, [fieldName(door, name)]: undefined, [name]: value }
          const reply = await sendJson(desk, door.path, personFor(door.endpoint), body)

          assert.equal(reply.status, 400, `${door.path} ${name} ${JSON.stringify(value)}: ${reply.body.message}`)
          assert.deepEqual(reply.body.errors, [fieldName(door, name)], `${door.path} ${name} ${JSON.stringify(value)}`)
        }
      }
    }
  })
})

function requiredAt(door: Door): readonly string[] {
  if (door.pattern === '/api/tickets' || door.pattern === '/api/admin/staff') return []
  return rowAt(door).required.filter(name => name !== 'id' || !door.pattern.includes(':id'))
}

function limitedTexts() {
  return frontDoors.flatMap(door => {
    const { fields, filled } = bodyOf(door.endpoint)
    return fields
      .filter(([, schema]) => schema.maxLength !== undefined)
      .map(([name, schema]) => ({ door, name, schema, filled: { ...filled, [name]: undefined } }))
  })
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
  const never = [true, false, 1.5, {}, { length: 3 }, [], ['x'], [1], [null], [[]]]
  if (!types.includes('integer')) return [...never, 0, 12, -1]
  return [...never, 'abc', '1.5', -1, schema.enum ? 2 : 0, 2 ** 53, 1e300, '0x10', '9007199254740993']
}

function wrongEntries({ items }: Json): unknown[] {
  const { type, enum: values, pattern } = items as Json
  return [[type].flat().includes('integer') ? [0] : [1], ...(values || pattern ? [['nothing']] : [])]
}

function nulls(names: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(names.map(name => [name, null])))
}
