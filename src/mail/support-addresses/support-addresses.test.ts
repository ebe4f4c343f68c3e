import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseAddress } from './support-addresses.ts'

test('an address of ours is known however it is written', () => {
  for (const [own, ...written] of [
    [
      'support@desk.example',
      'Support+x@DESK.example',
      '"support"@desk.example',
      '"sup\\port+t1-x"@desk.example.',
      'support+a+b@desk.example'
    ],
    ['hilfe@xn--bcher-kva.example', 'hilfe@bücher.example', 'HILFE+x@BÜCHER.example', 'hilfe@xn--bcher-kva.example.']
  ] as const) {
    for (const address of written) assert.equal(baseAddress(address), own, address)
  }
  assert.notEqual(baseAddress('"support@desk.example"@other.example'), 'support@desk.example')
  assert.deepEqual(['', 'nobody', '@x', 'a@'].map(baseAddress), ['', 'nobody', '@x', 'a@'])
})
