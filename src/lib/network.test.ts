import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networksOf, plainAddress } from './network.ts'

const networkOf = (address: string) => networksOf(address)[0]

test('an IPv4 address stands for itself, however it is wrapped', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7']) {
    assert.equal(networkOf(address), '192.0.2.7', address)
  }
})

test('all addresses of one IPv6 network are one', () => {
  for (const address of ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::192.0.2.7']) {
    assert.equal(networkOf(address), '2001:db8:1:2::/64', address)
  }
  assert.equal(networkOf('2001:db8:1:3::1'), '2001:db8:1:3::/64')
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

test('an IPv6 network lies in wider ones, which are counted as well', () => {
  assert.deepEqual(networksOf('2001:db8:1:2aff::1'), [
    '2001:db8:1:2aff::/64',
    '2001:db8:1:2a00::/56',
    '2001:db8:1::/48'
  ])
  assert.deepEqual(networksOf('2001:db8::1'), ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'])
  assert.deepEqual(networksOf('192.0.2.7'), ['192.0.2.7'])
})

test('what is no address is the same for everybody', () => {
  for (const address of ['', 'unknown', '192.0.2.7:1234', '999.1.1.1', 'x'.repeat(10_000)]) {
    assert.equal(networkOf(address), 'unknown')
  }
})

test('an address is told as people know it', () => {
  assert.equal(plainAddress(undefined), 'unknown')
  assert.equal(plainAddress('::ffff:192.0.2.7'), '192.0.2.7')
  for (const address of ['192.0.2.7', '2001:db8::1', '::ffff:c000:207', ''])
    assert.equal(plainAddress(address), address)
})
