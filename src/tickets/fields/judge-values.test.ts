import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JudgedField, judgeValues } from './judge-values.ts'

const kinds = ['text', 'long_text', 'number', 'date', 'checkbox', 'select', 'multi_select'] as const
const options = [
  { id: 1, label: 'One', is_archived: false },
  { id: 2, label: 'Two', is_archived: true },
  { id: 3, label: 'Three', is_archived: false }
]
const fields = kinds.map((kind, at): JudgedField => ({ id: at + 1, key: kind, kind, options, is_archived: false }))

const judged = (key: string, value: unknown) => {
  const { judged, faults } = judgeValues(fields, { [key]: value })
  return faults.length > 0 ? 'refused' : judged[0]!.value
}

test('F1 a value is stored as its kind says', () => {
  for (const [kind, value, stored] of [
    ['text', ' SN-1 ', 'SN-1'],
    ['long_text', 'two\nlines', 'two\nlines'],
    ['number', 12.5, 12.5],
    ['number', '-0012.5000', -12.5],
    ['number', -0, 0],
    ['number', 99_999_999_999_999, 99_999_999_999_999],
    ['date', '2028-02-29', '2028-02-29'],
    ['checkbox', 0, false],
    ['checkbox', 'true', true],
    ['select', '3', 3],
    ['multi_select', [3, '1', 3], [1, 3]],
    ['multi_select', '3', [3]]
  ] as const) {
    assert.deepEqual(judged(kind, value), stored, `${kind} ${JSON.stringify(value)}`)
  }
  for (const kind of kinds) for (const empty of [null, '', '  ', []]) assert.equal(judged(kind, empty), null)
})

test('F1 what a field cannot hold is refused', () => {
  for (const [kind, ...values] of [
    ['text', 1, {}, ['x'], 'x'.repeat(256), 'two\nlines', 'nul\0', '\ud800', true],
    ['long_text', 1, 'x'.repeat(10_001)],
    ['number', 'many', 1e14, 1e300, Number.NaN, 0.000_01, 1e-7, 1.23456, '1.23456', '1e3', true, [1]],
    ['date', '2026-02-30', '2026-2-3', '2026-02-28T00:00:00Z', '0000-01-01', 20_260_228, 'today'],
    ['checkbox', 2, 'yes', [true]],
    ['select', 4, 2, 'One', 1.5, [1], {}],
    ['multi_select', [1, 4], [2], ['One'], [[1]], {}]
  ] as const) {
    for (const value of values) assert.equal(judged(kind, value), 'refused', `${kind} ${JSON.stringify(value)}`)
  }
})

test('F1 what is no field, or an archived one, is refused by its key, and no key reaches a prototype', () => {
  const archived = [{ ...fields[0]!, is_archived: true }]

  const { judged, faults } = judgeValues(fields, JSON.parse('{ "__proto__": 1, "constructor": 1, "text": "x" }'))

  assert.deepEqual(
    faults.map(({ key }) => key),
    ['__proto__', 'constructor']
  )
  assert.equal(judged.length, 1)
  assert.deepEqual(judgeValues(archived, { text: 'x' }).faults, [{ key: 'text', fault: 'is archived' }])
})

test('F7 an archived option stays where it is set', () => {
  const had = { f6: 2, f7: [2] }

  const { judged, faults } = judgeValues(fields, { select: 2, multi_select: [1, 2] }, had)

  assert.deepEqual([judged.map(({ value }) => value), faults], [[2, [1, 2]], []])
})
