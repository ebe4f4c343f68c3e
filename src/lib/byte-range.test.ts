import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteRange } from './byte-range.ts'

test('a range is told with both ends inside the content', () => {
  assert.deepEqual(byteRange('bytes=0-0', 10), { start: 0, end: 0 })
  assert.deepEqual(byteRange('bytes=2-5', 10), { start: 2, end: 5 })
  assert.deepEqual(byteRange('bytes=2-', 10), { start: 2, end: 9 })
  assert.deepEqual(byteRange('bytes=2-99', 10), { start: 2, end: 9 })
  assert.deepEqual(byteRange('bytes=-3', 10), { start: 7, end: 9 })
  assert.deepEqual(byteRange('bytes=-99', 10), { start: 0, end: 9 })
})

test('a range that lies outside the content is unsatisfiable', () => {
  for (const header of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) {
    assert.equal(byteRange(header, 10), 'unsatisfiable', header)
  }
  assert.equal(byteRange('bytes=0-', 0), 'unsatisfiable')
})

test('without a range, and for what is malformed or asks for several, the whole is sent', () => {
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=a-b', 'bytes=0-1,3-4', 'lines=1-2']) {
    assert.equal(byteRange(header, 10), undefined, header)
  }
})
