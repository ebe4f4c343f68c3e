import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLogLine, stripControlSequences } from './terminal.ts'

const colorless = { paint: (_color: string, text: string) => text }
const time = '2026-02-03T04:05:06.789Z'
const line = (fields: object) =>
  formatLogLine(JSON.stringify({ level: 30, time, ...fields }), colorless).slice('04:05:06'.length)

test('a line of the log is what happened and its details; requests are their method, route, status and time', () => {
  assert.equal(line({ msg: 'working', pid: 7, roles: ['jobs'] }), '  working  pid=7 roles=["jobs"]\n')
  assert.equal(
    line({ msg: 'answered', requestId: 'a', method: 'POST', route: '/api/check', status: 200, milliseconds: 1.5 }),
    '  answered  POST /api/check 200 in 1.5 ms\n'
  )
  assert.equal(line({ level: 40, msg: 'Careful' }), '  warning: Careful\n')
})

test('an error is shown with its stack and its causes', () => {
  const err = { message: 'outer', stack: 'Error: outer\n    at a', cause: { message: 'inner' } }

  assert.match(line({ level: 50, msg: 'Failed', err }), /^ {2}error: Failed\n +Error: outer\n +at a\n +inner\n$/)
})

test('what somebody typed does not steer the terminal', () => {
  assert.equal(stripControlSequences('\x1b[2Ja\x07b\x9b31mc\r\nd'), 'abc\nd')
  assert.equal(line({ msg: 'a\x1b]0;title\x07', name: '\x1b[31mred\n04:05' }), '  a  name=red 04:05\n')
})
