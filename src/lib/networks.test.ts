import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInNetworks, isPublic, network } from './networks.ts'
import { InvalidSetting } from './setting.ts'

test('public is what the internet at large reaches, however an address is written, and nothing else', () => {
  const inside = [
    ['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.1.2.3', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ['192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    [
      '::',
      '::1',
      '::127.0.0.1',
      '::7f00:1',
      '::a00:1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      'fe80::1',
      'fe80::1%eth0'
    ],
    ['fc00::1', 'fd12:3456::1', 'fec0::1', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::1'],
    ['2001::1', '2001:db8::1', '100::1', '3fff::1', '5f00::1', 'localhost', '', '1.2.3.4.5', '999.1.1.1']
  ].flat()
  const outside = ['8.8.8.8', '93.184.216.34', '172.32.0.1', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::1']

  assert.deepEqual(inside.filter(isPublic), [])
  assert.deepEqual(outside.filter(isPublic), outside)
})

test('an address is in the networks that are listed, an IPv4 one also when IPv6 wraps it', () => {
  const networks = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'].map(network)
  const all = ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::1', '10.2.0.1', '127.0.0.2', 'fc00::1', '::1', 'x']

  assert.deepEqual(
    all.filter(address => isInNetworks(address, networks)),
    ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::1']
  )
})

test('a network is an address or a range, and never all addresses', () => {
  for (const given of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8']) assert.equal(network(given), given)
  for (const given of ['0.0.0.0/0', '::/0', '10.0.0.0/33', 'localhost', '10.0.0', 'all', '10.0.0.0/']) {
    assert.throws(() => network(given), InvalidSetting, given)
  }
})
