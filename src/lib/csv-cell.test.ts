import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell } from './csv-cell.ts'

test('no part of a text is run as a formula, whichever separator a spreadsheet goes by', () => {
  const cells: Record<string, string> = {
    '=1+1': "'=1+1",
    '-2': "'-2",
    '\t=1+1': "'\t'=1+1",
    // A German spreadsheet goes by semicolons, and sees no quotes within a line.
    'Hello;=cmd|a!A0': "Hello;'=cmd|a!A0",
    'Hello;@SUM(A1)': "Hello;'@SUM(A1)",
    'Hello\n+1': '"Hello\n\'+1"',
    'Hello, "you"': '"Hello, ""you"""',
    'a = b; c - d': 'a = b; c - d',
    'ada@example.com, bo@example.com': '"ada@example.com, bo@example.com"'
  }
  for (const [text, cell] of Object.entries(cells)) assert.equal(csvCell(text), cell)
  assert.deepEqual([csvCell(-2), csvCell(null), csvCell(undefined)], ['-2', '', ''])
})
