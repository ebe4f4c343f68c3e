import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDuration } from '../web/src/lib/typed-duration.ts'

test('a duration is understood as people type it, in English and German', () => {
  const typed: Record<string, number | null | undefined> = {
    '30 min': 30,
    '30': 30,
    '4h': 240,
    '4 Std.': 240,
    '2 d': 2880,
    '2 Tage': 2880,
    '1 h 30': 90,
    '1h30': 90,
    '1h 30min': 90,
    '1 Std., 30 Min.': 90,
    '1:30': 90,
    '1,5 h': 90,
    '0.5 hours': 30,
    '1 week': 10_080,
    '0': 0,
    ' ': null,
    soon: undefined,
    '4 h 2 h': undefined,
    '30 min 1 h': undefined,
    '1.3 min': undefined,
    '-5': undefined
  }
  for (const [text, minutes] of Object.entries(typed)) assert.equal(readDuration(text), minutes, text)
})
