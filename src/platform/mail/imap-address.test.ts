import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidSetting } from '../../lib/setting.ts'
import { imapAddresses } from './imap-address.ts'

test('mailboxes are separated by commas or blanks, and each says its folder and what becomes of taken mails', () => {
  const [gmail, own] = imapAddresses(
    'imaps://support%40example.com:p%40ss%2Cword@imap.example.com, imap://desk:x@mail.example.com:1143/Help%2FNew?taken=move:Archive/2026'
  )

  assert.deepEqual(gmail, {
    name: 'imaps://support%40example.com@imap.example.com/INBOX',
    host: 'imap.example.com',
    port: 993,
    encryption: 'tls',
    user: 'support@example.com',
    secret: 'p@ss,word',
    isOAuth: false,
    oauthClient: undefined,
    folder: 'INBOX',
    taken: { kind: 'seen' }
  })
  assert.deepEqual(
    [own!.port, own!.encryption, own!.folder, own!.taken],
    [1143, 'starttls', 'Help/New', { kind: 'move', to: 'Archive/2026' }]
  )
})

test('only this machine is spoken to unencrypted, unless it is said', () => {
  const encryptionOf = (url: string) => imapAddresses(url)[0]!.encryption

  assert.equal(encryptionOf('imap://a:b@127.0.0.1/'), 'none')
  assert.equal(encryptionOf('imap://a:b@[::1]/'), 'none')
  assert.equal(encryptionOf('imap://a:b@127.0.0.1/?tls=required'), 'starttls')
  assert.equal(encryptionOf('imap://a:b@imap.example.com/?tls=off'), 'none')
})

test('what is no mailbox is refused without repeating it', () => {
  for (const given of [
    ',',
    'imap.example.com',
    'https://a:b@imap.example.com/',
    'imaps://imap.example.com/INBOX',
    'imaps://a@imap.example.com/INBOX',
    'imaps://a:b@imap.example.com/INBOX?taken=eaten',
    'imaps://a:b@imap.example.com/INBOX?taken=move:',
    'imaps://a:b@imap.example.com/INBOX?auth=plain',
    'imaps://a:b@imap.example.com/INBOX?tls=off',
    'imaps://a:b@imap.example.com/IN%0d%0aBOX',
    'imaps://a:b@imap.example.com/INBOX?folder=x',
    'imaps://a:b@imap.example.com/INBOX imaps://a:c@imap.example.com/INBOX'
  ]) {
    assert.throws(() => imapAddresses(given), InvalidSetting, given)
  }
})

test('a mailbox names its own client in whole or not at all', () => {
  const [address] = imapAddresses(
    'imaps://a:t@imap.example/?auth=xoauth2&token_url=https%3A%2F%2Flogin.example%2Ftoken&client_id=c&client_secret=s&scope=a+b'
  )
  assert.deepEqual(address!.oauthClient, {
    tokenUrl: 'https://login.example/token',
    id: 'c',
    secret: 's',
    scope: 'a b'
  })
  assert.doesNotMatch(address!.name, /login|client/)
  assert.equal(imapAddresses('imaps://a:t@imap.example/?auth=xoauth2')[0]!.oauthClient, undefined)
  for (const query of [
    'auth=xoauth2&client_id=c',
    'auth=xoauth2&client_secret=s',
    'token_url=https://x.example/&client_id=c'
  ])
    assert.throws(() => imapAddresses(`imaps://a:t@imap.example/?${query}`), InvalidSetting, query)
})
