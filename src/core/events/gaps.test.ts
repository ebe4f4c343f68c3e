import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gapsBetween, openGaps, withoutFound } from './gaps.ts'

const moment = { oldest: '100', next: '110', seconds: 1000 }
const gap = (from: number, to: number) => ({ from, to, next: '110', seconds: 1000 })

test('what is missing between ids is a gap, and what follows the last one is not', () => {
  assert.deepEqual(gapsBetween(3, [4, 5, 8, 9, 11], moment), [gap(6, 7), gap(10, 10)])
  assert.deepEqual(gapsBetween(3, [7], moment), [gap(4, 6)])
  assert.deepEqual(gapsBetween(3, [], moment), [])
})

test('what is found in a gap leaves what is around it', () => {
  const gaps = [gap(4, 8), gap(10, 10)]

  assert.deepEqual(withoutFound(gaps, [6]), [gap(4, 5), gap(7, 8), gap(10, 10)])
  assert.deepEqual(withoutFound(gaps, [4, 5, 8, 10]), [gap(6, 7)])
  assert.deepEqual(withoutFound(gaps, []), gaps)
})

test('a gap is given up only when a minute is over, and so is every transaction that ran when it was seen', () => {
  const later = { seconds: 1060, next: '300' }

  assert.deepEqual(openGaps([gap(4, 8)], { ...later, oldest: '110' }), [])
  assert.deepEqual(openGaps([gap(4, 8)], { ...later, oldest: '109' }), [gap(4, 8)])
  assert.deepEqual(openGaps([gap(4, 8)], { ...later, oldest: '110', seconds: 1059 }), [gap(4, 8)])
})
