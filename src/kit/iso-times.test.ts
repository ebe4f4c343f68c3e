import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { isoTimesInto, withIsoTimes } from './iso-times.ts'
import { Id, Nullable, Timestamp } from './schemas.ts'

const Row = Type.Object({ id: Id(), created_at: Timestamp(), closed_at: Nullable(Timestamp()) })
const Answer = Type.Object({ rows: Type.Array(Row), first: Nullable(Row), seen_at: Type.Optional(Timestamp()) })

test('beside each timestamp stands the same moment as ISO 8601, at every depth', () => {
  const row = () => ({ id: 1, created_at: '2026-11-20 08:28:31', closed_at: null as string | null })
  const answer: object = { rows: [row(), { ...row(), closed_at: '2027-01-01 00:00:00' }], first: null }

  isoTimesInto(Answer)!(answer as Record<string, unknown>)

  const iso = { ...row(), created_at_iso: '2026-11-20T08:28:31Z', closed_at_iso: null }
  assert.deepEqual(answer, {
    rows: [iso, { ...iso, closed_at: '2027-01-01 00:00:00', closed_at_iso: '2027-01-01T00:00:00Z' }],
    first: null
  })
})

test('the schema says so, and requires it where the timestamp is required', () => {
  const { properties, required } = withIsoTimes(Answer)
  const row = (properties.rows as { items: typeof Row }).items

  assert.deepEqual(required, ['rows', 'first'])
  assert.deepEqual(Object.keys(row.properties), ['id', 'created_at', 'created_at_iso', 'closed_at', 'closed_at_iso'])
  assert.deepEqual(row.required, ['id', 'created_at', 'closed_at', 'created_at_iso', 'closed_at_iso'])
})

test('an answer without timestamps is left as it is', () => {
  assert.equal(isoTimesInto(Type.Object({ id: Id() })), undefined)
})
