import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKey, baseAddress, otherSpellings } from './support-addresses.ts'

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

test('the ways to write a domain are those that read the same, and nothing that a parser of URLs makes of it', () => {
  assert.deepEqual(otherSpellings('Ada@MÜNCHEN.example'), ['Ada@xn--mnchen-3ya.example'])
  assert.deepEqual(otherSpellings('ada@XN--mnchen-3ya.example'), ['ada@münchen.example'])
  const mixed = ['xn--mnchen-3ya.xn--bcher-kva', 'münchen.xn--bcher-kva', 'münchen.bücher']
  assert.deepEqual(otherSpellings('a@xn--mnchen-3ya.bücher').toSorted(), mixed.map(domain => `a@${domain}`).toSorted())
  assert.equal(addressKey('ADA@mu\u0308nchen.example'), 'ada@xn--mnchen-3ya.example')
  for (const domain of [
    ...['bank.example', 'bank.example/x', 'bank.example#x', 'b%61nk.example', 'ｂank.example', 'ba\u00adnk.example'],
    ...[
      'bank。example',
      '0x7f.1',
      'xn--a',
      'xn--zzzz9999999',
      'mün\u00adchen.example',
      '[::1]',
      '',
      'a..b',
      'e\u200dx.example'
    ]
  ]) {
    assert.deepEqual(otherSpellings(`ada@${domain}`), [], domain)
    assert.equal(addressKey(`Ada@${domain}`), `ada@${domain}`)
  }
  assert.deepEqual(otherSpellings(`a@${Array(60).fill('ü').join('.')}`), [`a@${Array(60).fill('xn--tda').join('.')}`])
})
