import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { makeKeys } from '../../core/keys.ts'
import { secondsAfter } from '../../lib/time.ts'
import { fieldsOfAnswer } from '../../platform/mail/access-token.ts'
import { imapAddresses } from '../../platform/mail/imap-address.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { forgetFormerTokens, mailboxTokens, resealMailboxTokens } from './mailbox-tokens.ts'

const [former, current] = ['the former secret of this installation', 'the current secret of this installation']
const desk = await bootDesk({ services: { keys: makeKeys([former]) } })

/** Gives an access token and another refresh token for each that it has given, once, as strict providers do. */
async function provider(...good: string[]) {
  // What came twice may have been stolen.
  const isStrict = good[0] === 'single'
  const asked: URLSearchParams[] = []
  const valid = new Set(good)
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams(await text(request))
    asked.push(fields)
    const token = fields.get('refresh_token')!
    if (!valid.delete(token)) {
      if (isStrict) valid.clear()
      return void response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }))
    }
    const next = `${token}+`
    valid.add(next)
    response.end(JSON.stringify({ access_token: `for-${token}`, expires_in: 3_600, refresh_token: next }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  return { url, asked: () => asked.splice(0).map(fields => fields.get('refresh_token')), fields: asked, valid }
}

function address(tokenUrl: string, token: string, more = '') {
  const client = `auth=xoauth2&token_url=${encodeURIComponent(tokenUrl)}&client_id=desk${more}`
  return imapAddresses(`imaps://desk:${token}@imap.example/INBOX?${client}`)[0]!
}

const stored = () => desk.db.selectFrom('mailbox_tokens').selectAll().execute()

test('a refresh token that the provider replaces is kept for the next process, sealed; one that is configured anew wins', async () => {
  const { url, asked, valid } = await provider('one')
  const process = () => mailboxTokens(desk.services)(address(url, 'one'))!

  assert.equal(await process().current(), 'for-one')
  const [row] = await stored()
  assert.doesNotMatch(JSON.stringify(row), /one|desk/)
  assert.equal(await process().current(), 'for-one+')
  assert.deepEqual(asked(), ['one', 'one+'])

  valid.add('two')
  assert.equal(await mailboxTokens(desk.services)(address(url, 'two'))!.current(), 'for-two')
  assert.deepEqual(asked(), ['two'])
  const config = { ...desk.services.config, IMAP_URL: [address(url, 'two')] }
  await forgetFormerTokens({ ...desk.services, config })
  assert.equal((await stored()).length, 1)
  assert.equal(await mailboxTokens(desk.services)(address(url, 'two'))!.current(), 'for-two+')
})

test('folders of one mailbox share a token, however many ask at once', async () => {
  const { url, asked } = await provider('shared')
  const tokensOf = mailboxTokens(desk.services)
  const other = { ...address(url, 'shared'), folder: 'Other' }
  const folders = [tokensOf(address(url, 'shared'))!, tokensOf(other)!]

  assert.deepEqual(await Promise.all(folders.map(tokens => tokens.current())), ['for-shared', 'for-shared'])
  assert.deepEqual(asked(), ['shared'])
})

test('processes exchange a token one after the other: a provider that ends all tokens when one comes twice ends none', async () => {
  const { url, asked, valid } = await provider('single')
  const process = () => mailboxTokens(desk.services)(address(url, 'single'))!

  const tokens = await Promise.all([process(), process(), process()].map(each => each.current()))

  assert.deepEqual(tokens.toSorted(), ['for-single', 'for-single+', 'for-single++'])
  assert.deepEqual(asked(), ['single', 'single+', 'single++'])
  assert.deepEqual([...valid], ['single+++'])
})

test('a process that died while it exchanged a token is waited for a minute at most, and what it had stored is used', async () => {
  const { url, asked } = await provider('orphan')
  const process = () => mailboxTokens(desk.services)(address(url, 'orphan'))!
  await process().current()
  const until = secondsAfter(desk.clock.now(), 60)
  await desk.db.updateTable('mailbox_tokens').set({ renewed_by: randomUUID(), renewing_until: until }).execute()

  const waiting = process().current()
  desk.clock.turn(60)

  assert.equal(await waiting, 'for-orphan+')
  assert.deepEqual(asked(), ['orphan', 'orphan+'])
})

test('where the kept token is no longer good the configured one is tried, and what is refused is said', async () => {
  const { url, asked, valid } = await provider('given')
  const process = () => mailboxTokens(desk.services)(address(url, 'given'))!
  await process().current()
  valid.clear()

  await assert.rejects(process().current(), /gives no access token for the refresh token \(invalid_grant\)$/)
  valid.add('given')
  assert.equal(await process().current(), 'for-given')
  assert.deepEqual(asked(), ['given', 'given+', 'given', 'given+', 'given'])
})

test('only a refusal counts as one: a token server that is busy, moved or broken is asked again later', () => {
  const reasonOf = (status: number) => {
    try {
      return fieldsOfAnswer('https://login.example/token', status, '{"error":"invalid_grant"}')
    } catch (error) {
      assert.ok(error instanceof MailboxFault)
      return [error.reason, error.isRefusedLogin]
    }
  }

  for (const status of [400, 401, 403]) assert.deepEqual(reasonOf(status), ['refresh_token_refused', true], `${status}`)
  for (const status of [302, 408, 425, 429, 500, 503])
    assert.deepEqual(reasonOf(status), ['no_access_token', false], `${status}`)
})

test('each mailbox may have a client of its own, and its secret goes to nobody else', async () => {
  const [google, microsoft] = [await provider('g'), await provider('m')]
  const tokensOf = mailboxTokens(desk.services)

  await tokensOf(address(google.url, 'g', '&client_secret=of%2Bg'))!.current()
  await tokensOf(address(microsoft.url, 'm', '&scope=imap+offline_access'))!.current()

  assert.equal(google.fields.join(), 'grant_type=refresh_token&refresh_token=g&client_id=desk&client_secret=of%2Bg')
  assert.equal(
    microsoft.fields.join(),
    'grant_type=refresh_token&refresh_token=m&client_id=desk&scope=imap+offline_access'
  )
})

test('kept tokens outlive a change of APP_SECRET; with a lost one the configured token is used', async () => {
  const { url, asked, valid } = await provider('lasting')
  const processWith = (...secrets: [string, ...string[]]) =>
    mailboxTokens({ ...desk.services, keys: makeKeys(secrets) })(address(url, 'lasting'))!
  await processWith(former).current()
  const count = (await stored()).length

  const both = { ...desk.services, keys: makeKeys([current, former]) }
  assert.deepEqual([await resealMailboxTokens(both), await resealMailboxTokens(both)], [count, 0])
  assert.equal(await processWith(current).current(), 'for-lasting+')
  valid.add('lasting')
  assert.equal(await processWith('a secret that nobody has used before this').current(), 'for-lasting')
  assert.deepEqual(asked(), ['lasting', 'lasting+', 'lasting'])
})

test('a client secret that is entered anew counts at once, with the same refresh token', async () => {
  const { url, fields } = await provider('renewed')
  const tokensOf = mailboxTokens(desk.services)
  const first = tokensOf(address(url, 'renewed', '&client_secret=expired'))!
  await first.current()
  first.forget()

  await tokensOf(address(url, 'renewed', '&client_secret=new'))!.current()

  assert.deepEqual(
    fields.map(asked => asked.get('client_secret')),
    ['expired', 'new']
  )
})
