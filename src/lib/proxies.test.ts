import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxies } from './proxies.ts'
import { InvalidSetting } from './setting.ts'

test('proxies are told by their number or by their addresses', () => {
  assert.equal(proxies('1'), 1)
  assert.deepEqual(proxies('10.0.0.0/8, 192.0.2.7,2001:db8::/32'), ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
})

test('everybody, nobody and what is no address are not to be trusted', () => {
  for (const given of [
    'true',
    '*',
    'yes',
    '0',
    '11',
    '-1',
    ',',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0/8',
    'proxy.example'
  ]) {
    assert.throws(() => proxies(given), InvalidSetting, given)
  }
})
