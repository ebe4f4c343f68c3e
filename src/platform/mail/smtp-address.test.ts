import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidSetting } from '../../lib/setting.ts'
import { smtpAddress } from './smtp-address.ts'

test('an address names the server, its port and the login', () => {
  assert.deepEqual(smtpAddress('smtp://desk%40example.com:p%40ss%2Fword@mail.example.com:2525'), {
    host: 'mail.example.com',
    port: 2525,
    encryption: 'starttls',
    login: { user: 'desk@example.com', password: 'p@ss/word' }
  })
  assert.deepEqual(smtpAddress('smtps://mail.example.com/'), { host: 'mail.example.com', port: 465, encryption: 'tls' })
  assert.deepEqual(smtpAddress('smtp://[::1]'), { host: '::1', port: 587, encryption: 'none' })
})

test('only this very machine is sent e-mails unencrypted, unless the operator says so', () => {
  const encryptionOf = (address: string) => smtpAddress(address).encryption

  for (const host of [
    'mail.example.com',
    '10.0.0.7',
    'mail',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '[::2]'
  ]) {
    assert.equal(encryptionOf(`smtp://${host}`), 'starttls')
    assert.equal(encryptionOf(`smtp://${host}?tls=off`), 'none')
  }
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
    assert.equal(encryptionOf(`smtp://${host}`), 'none')
    assert.equal(encryptionOf(`smtp://${host}?tls=required`), 'starttls')
  }
})

for (const address of [
  'mail.example.com',
  'smtp://',
  'http://mail.example.com',
  'smtp://mail.example.com/inbox',
  'smtp://mail.example.com#top',
  'smtp://mail.example.com:70000',
  'smtp://desk@mail.example.com',
  'smtp://desk:100%@mail.example.com',
  'smtp://mail.example.com?tls=maybe',
  'smtp://mail.example.com?pool=true',
  'smtps://mail.example.com?tls=off'
]) {
  test(`${address} is no address of a mail server`, () => {
    assert.throws(() => smtpAddress(address), InvalidSetting)
  })
}
