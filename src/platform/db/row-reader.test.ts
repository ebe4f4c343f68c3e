import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { types } from './open.ts'
import { rowReaderOf } from './row-reader.ts'

const { INT8, TEXT, TIMESTAMPTZ } = { INT8: 20, TEXT: 25, TIMESTAMPTZ: 1184 }

function column(name: string, dataTypeID: number, format = 'text'): pg.FieldDef {
  return { name, dataTypeID, format, tableID: 0, columnID: 0, dataTypeSize: 8, dataTypeModifier: -1 }
}

test('a row has each column under its name as its type is parsed, and null where there is nothing', () => {
  const columns = [
    column('id', INT8),
    column('it\'s "quoted"\u2028', TEXT),
    column('at', TIMESTAMPTZ),
    column('none', TEXT)
  ]

  const row = rowReaderOf('all', columns, types)!(['7', 'x', '2026-11-20 08:28:31.5+00', null])

  assert.deepEqual(row, {
    id: 7,
    'it\'s "quoted"\u2028': 'x',
    at: new Date('2026-11-20T08:28:31.500Z'),
    none: null
  })
})

test('of columns of the same name the last counts, as with pg itself', () => {
  const read = rowReaderOf('twice', [column('id', INT8), column('id', TEXT)], types)!

  assert.deepEqual(read(['1', 'two']), { id: 'two' })
})

test('a statement is read anew once its columns are others', () => {
  const before = rowReaderOf('changed', [column('a', TEXT)], types)
  const again = rowReaderOf('changed', [column('a', TEXT)], types)
  const after = rowReaderOf('changed', [column('a', INT8)], types)!

  assert.equal(again, before)
  assert.deepEqual(after(['5']), { a: 5 })
})

test('columns in binary, or called __proto__, are left to pg', () => {
  assert.equal(rowReaderOf('binary', [column('a', TEXT, 'binary')], types), undefined)
  assert.equal(rowReaderOf('prototype', [column('__proto__', TEXT)], types), undefined)
})
