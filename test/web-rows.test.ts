import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grown, isWhole, rangeOf, topAfter, withOverscan } from '../web/src/console/inbox/row-range.ts'

const rowHeight = 40
const at = (row: number) => rangeOf(row * rowHeight, 20 * rowHeight, rowHeight)

test('rows that come into sight are made ten at a time, those in sight before the spare ones, until all are there', () => {
  let made = withOverscan(at(0))
  assert.equal(isWhole(made), true)
  const steps: [number, number][] = []
  do {
    made = grown(made, at(100))
    steps.push([made.from, made.to])
    assert.ok(steps.length < 10, JSON.stringify(steps))
  } while (!isWhole(made))
  assert.deepEqual(steps, [
    [100, 109],
    [100, 119],
    [96, 125],
    [94, 125]
  ])
})

test('what was made and is still of use stays, and what is out of sight goes', () => {
  const made = withOverscan(at(100))
  assert.deepEqual(grown(made, at(102)), withOverscan(at(102)))
  assert.deepEqual(grown(made, at(80)), { ...at(80), from: 84, to: 105 })
  assert.deepEqual(grown(made, at(96)), withOverscan(at(96)))
})

test('where rows become higher, the one with the cursor stays where it is on the screen, else the one at the top', () => {
  const scrolled = { scrollTop: 400, clientHeight: 800 }
  assert.equal(topAfter(scrolled, 40, 56, -1), 560)
  assert.equal(topAfter(scrolled, 40, 56, 15), 15 * 56 - 200)
  // Out of sight it comes to the nearer edge.
  assert.equal(topAfter(scrolled, 40, 56, 100), 100 * 56 - 744)
  assert.equal(topAfter(scrolled, 40, 56, 2), 112)
  assert.equal(topAfter({ ...scrolled, scrollTop: 0 }, 56, 40, 3), 0)
})
