import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, white } from './contrast.ts'

const black = '#000000'

test('is that of WCAG, whichever comes first', () => {
  assert.equal(contrast(black, white), 21)
  assert.equal(contrast(white, white), 1)
  assert.equal(contrast('#767676', white).toFixed(2), '4.54')
  assert.equal(contrast(white, '#949494').toFixed(2), '3.03')
  assert.equal(contrast('#ff0000', white).toFixed(2), '4.00')
})

test('on every colour white or black text can be read: one of them has 4.5', () => {
  const steps = Array.from({ length: 18 }, (_, at) => (at * 15).toString(16).padStart(2, '0'))
  const greys = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0').repeat(3))
  const colors = steps.flatMap(red => steps.flatMap(green => steps.map(blue => red + green + blue)))

  for (const color of [...greys, ...colors].map(digits => `#${digits}`)) {
    assert.ok(Math.max(contrast(color, white), contrast(color, black)) >= 4.5, color)
  }
})
