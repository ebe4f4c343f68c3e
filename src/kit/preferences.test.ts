import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersStrict } from './preferences.ts'

test('strict handling is asked for as RFC 7240 writes it', () => {
  const asking = [
    'handling=strict',
    'Handling = Strict',
    'handling="strict"',
    'handling=strict; foo="a;b"',
    'respond-async, wait=100, handling=strict',
    'foo="a, handling=lenient", handling=strict',
    'handling=strict, handling=lenient'
  ]
  const silent = [
    undefined,
    '',
    'handling=lenient',
    'handling=lenient, handling=strict',
    'handling',
    'handling=strictly',
    'xhandling=strict',
    'foo="handling=strict"',
    'foo="a, handling=strict, b"',
    'foo=1; handling=strict',
    `${'x,'.repeat(10_000)}handling=strict`
  ]

  assert.deepEqual(
    asking.filter(each => !prefersStrict(each)),
    []
  )
  assert.deepEqual(silent.filter(prefersStrict), [])
  assert.equal(prefersStrict(['wait=1', 'handling=strict']), true)
})

test('a hostile header costs no time', () => {
  const before = process.cpuUsage()

  for (const header of ['"\\'.repeat(8000), '"'.repeat(16_000), 'handling'.repeat(2000)]) prefersStrict(header)

  assert.ok(process.cpuUsage(before).user < 1_000_000)
})
