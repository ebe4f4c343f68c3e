import assert from 'node:assert/strict'
import { test } from 'node:test'
import buildSerializer from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { endpoints } from '../src/endpoints.ts'
import { isoTimesInto, withIsoTimes } from '../src/kit/iso-times.ts'
import { jsonText } from '../src/kit/json-text.ts'
import { exampleOf, plainSchema } from '../src/kit/openapi-schemas.ts'

/** The text as fast-json-stringify writes it, or undefined if it refuses the value. */
function asTheLibrary(schema: TSchema, value: unknown): string | undefined {
  const copy = structuredClone(value) as Record<string, unknown>
  isoTimesInto(schema)?.(copy)
  const write = buildSerializer(withIsoTimes(schema) as Parameters<typeof buildSerializer>[0]) as (
    value: unknown
  ) => string
  return unlessRefused(() => write(copy))
}

function unlessRefused(write: () => string): string | undefined {
  try {
    return write()
  } catch {
    return undefined
  }
}

type Change = (value: unknown, at: number) => unknown

const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-/.test(value)
const ofTexts = (change: (text: string) => string): Change => {
  return value => (typeof value === 'string' && !isTime(value) ? change(value) : value)
}

const changes: Record<string, Change> = {
  'as in the examples': value => value,
  'with texts to escape': ofTexts(text => `${text} "x" \\ \n ü 😀 \u2028 \ud800`),
  'with long texts': ofTexts(text => text.repeat(20)),
  'with nothing': value => (value !== null && typeof value === 'object' ? value : null),
  'with empty lists': value => (Array.isArray(value) ? [] : value),
  'without some fields': (value, at) => (at % 5 === 4 ? undefined : value),
  'with fields of no schema': value => (isRecord(value) ? { ...value, secret: 'told' } : value),
  'with dates in place of texts': value => (typeof value === 'string' ? new Date(1_763_627_311_500) : value),
  'with texts in place of numbers': value => (typeof value === 'number' ? `${value}` : value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The value with a change of each part of it; lists have each item twice. */
function changed(value: unknown, change: Change, at = 0): unknown {
  const next = change(value, at)
  if (Array.isArray(next)) return [...next, ...next].map(item => changed(item, change))
  if (!isRecord(next) || next instanceof Date) return next
  return Object.fromEntries(Object.entries(next).map(([name, part], at) => [name, changed(part, change, at)]))
}

for (const [name, change] of Object.entries(changes)) {
  test(`each answer ${name} is the text that fast-json-stringify writes, to the byte`, () => {
    let written = 0
    for (const { path, data } of endpoints) {
      if (!data) continue
      const value = changed(exampleOf(plainSchema(data)), change)
      const expected = asTheLibrary(data, value)
      const text = unlessRefused(() => jsonText(data)(value))
      assert.equal(text, expected, path)
      if (text !== undefined) written++
    }
    assert.ok(written > 20, `${written} were written`)
  })
}
