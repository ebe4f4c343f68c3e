import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, constantFrom, property as holds, assert as property } from 'fast-check'
import { diffTexts } from '../web/src/lib/text-diff.ts'

const of = (former: string, latter: string) =>
  diffTexts(former, latter).map(({ kind, text }) =>
    kind === 'same' ? text : `${kind === 'gone' ? '-' : '+'}[${text}]`
  )

test('lines that changed are compared word by word, others stand as they were', () => {
  assert.deepEqual(of('One.\nTwo red cars.\nThree.\n', 'One.\nTwo blue cars.\nThree.\n'), [
    'One.\nTwo ',
    '-[red]',
    '+[blue]',
    ' cars.\nThree.\n'
  ])
  assert.deepEqual(of('One.\n', 'One.\nTwo.\n'), ['One.\n', '+[Two.\n]'])
  assert.deepEqual(of('Same', 'Same'), ['Same'])
  assert.deepEqual(of('', 'New'), ['+[New]'])
})

test('without what is new it is the former text, without what is gone the latter', () => {
  const text = array(constantFrom('a', 'b', ' ', '\n', 'word '), { maxLength: 40 })
  property(
    holds(text, text, (one, other) => {
      const [former, latter] = [one.join(''), other.join('')]
      const pieces = diffTexts(former, latter)
      const without = (left: string) => pieces.map(({ kind, text }) => (kind === left ? '' : text)).join('')
      assert.deepEqual([without('new'), without('gone')], [former, latter])
    })
  )
})

test('long texts that have only the last line break in common are told as written anew', () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}\n`).join('')

  assert.deepEqual(
    diffTexts(lines('a'), lines('b')).map(({ kind }) => kind),
    ['gone', 'new', 'same']
  )
})
