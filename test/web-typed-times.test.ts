import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveEdge, openMinutes, readTimes, timesText, withBreak } from '../web/src/console/admin/hours/typed-times.ts'

test('hours are understood as people type them, in English and German, and written in one way', () => {
  const typed: Record<string, string> = {
    '9-12, 13-17': '09:00–12:00, 13:00–17:00',
    '9:00–12': '09:00–12:00',
    '9 bis 12 Uhr': '09:00–12:00',
    'von 9 Uhr bis 12.30 Uhr und 13 bis 17 Uhr': '09:00–12:30, 13:00–17:00',
    '13-17; 9-12': '09:00–12:00, 13:00–17:00',
    '9am to 5:30 pm': '09:00–17:30',
    '12 am - 12 pm': '00:00–12:00',
    '0900-1230': '09:00–12:30',
    '9h-12h30': '09:00–12:30',
    '24h': '00:00–24:00',
    '24 Stunden': '00:00–24:00',
    'Open all day': '00:00–24:00',
    '22-24': '22:00–24:00',
    '22–0': '22:00–24:00',
    '9-12,12-17': '09:00–12:00, 12:00–17:00',
    closed: '',
    Geschlossen: '',
    '  ': ''
  }
  for (const [text, written] of Object.entries(typed)) {
    const { spans } = readTimes(text)
    assert.ok(spans, text)
    assert.equal(timesText(spans), written, text)
    // What is written is read as the same again.
    assert.deepEqual(readTimes(written), { spans }, text)
  }
})

test('hours that cannot be are refused with their place, and those over midnight are offered as two days', () => {
  const faults: Record<string, unknown> = {
    'after lunch': { kind: 'unknown', part: 'after lunch' },
    '9-25': { kind: 'noSuchTime', part: '9-25' },
    '9-12:60': { kind: 'noSuchTime', part: '9-12:60' },
    '9-24:15': { kind: 'noSuchTime', part: '9-24:15' },
    '9-9': { kind: 'empty', part: '09:00–09:00' },
    '13-12:30': { kind: 'backwards', part: '13:00–12:30' },
    '22–6': {
      kind: 'backwards',
      part: '22:00–06:00',
      overnight: { today: ['22:00', '24:00'], tomorrow: ['00:00', '06:00'] }
    },
    '9-17, 12-13': { kind: 'inside', part: '12:00–13:00', other: '09:00–17:00' },
    '9-13, 12-17': { kind: 'overlap', part: '12:00–17:00', other: '09:00–13:00' },
    '0-1,2-3,4-5,6-7,8-9,10-11,12-13,14-15,16-17,18-19,20-21': { kind: 'tooMany', most: 10 }
  }
  for (const [text, fault] of Object.entries(faults)) assert.deepEqual(readTimes(text), { fault }, text)
})

test('an edge moves as far as its neighbours allow, and a break is made in the longest span', () => {
  const day = readTimes('9-12, 13-17').spans!
  assert.equal(timesText(moveEdge(day, 1, 12 * 60 + 30)), '09:00–12:30, 13:00–17:00')
  assert.equal(timesText(moveEdge(day, 1, 20 * 60)), '09:00–13:00, 13:00–17:00')
  assert.equal(timesText(moveEdge(day, 0, 20 * 60)), '11:45–12:00, 13:00–17:00')
  assert.equal(timesText(moveEdge(day, 3, 30 * 60)), '09:00–12:00, 13:00–24:00')
  assert.equal(openMinutes(day), 7 * 60)
  assert.equal(timesText(withBreak(readTimes('9-17').spans!)), '09:00–12:00, 13:00–17:00')
  assert.equal(timesText(withBreak(readTimes('9-10').spans!)), '09:00–10:00')
})
