import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { imapServer } from '../../../test/support/imap-server.ts'
import { aMailbox, localMailServers, receivesFrom } from '../../../test/support/mailboxes.ts'
import { openIdProvider, signInThere } from '../../../test/support/openid-provider.ts'
import { anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({
  connections: 4,
  config: { IMAP_URL: [], BASE_URL: 'http://desk.example', ...localMailServers }
})
const admin = await anAdmin(desk)
const imap = await imapServer()
const base = '/api/admin/mail/mailboxes'

/** A provider that gives codes for challenges, and tokens for codes with their verifiers (RFC 7636). */
async function aProvider() {
  const challenges = new Map<string, string>()
  const asked: URLSearchParams[] = []
  const claims = Buffer.from(JSON.stringify({ email: 'desk@box.example' })).toString('base64url')
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    asked.push(form)
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (form.get('grant_type') === 'refresh_token') {
      const next = { refresh_token: 'r3fresh-me-next', refresh_token_expires_in: 7_776_000 }
      return answer(200, { access_token: 'fresh', expires_in: 3600, ...next })
    }
    const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url')
    const isGenuine = challenges.get(form.get('code')!) === challenge && form.get('client_secret') === 'of-the-client'
    challenges.delete(form.get('code')!)
    if (!isGenuine) return answer(400, { error: 'invalid_grant' })
    return answer(200, {
      access_token: 'fresh',
      refresh_token: 'r3fresh-me',
      refresh_token_expires_in: 864_000,
      id_token: `x.${claims}.x`
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, challenges }
}

test('a sign-in at a provider counts once, in the browser that began it, and its refresh token is kept sealed', async () => {
  const provider = await aProvider()
  const { id } = await aMailbox(desk, admin, {
    ...receivesFrom(imap, { password: undefined }),
    auth: 'oauth2',
    oauth: {
      provider: 'custom',
      client_id: 'desk-client',
      client_secret: 'of-the-client',
      authorize_url: `${provider.url}/authorize`,
      token_url: `${provider.url}/token`,
      scope: 'mail'
    }
  })
  const begin = async () => {
    const { data, headers } = await desk.post(`${base}/connect`, admin, { id })
    const url = new URL(data.url)
    const [cookie] = headers.get('set-cookie')!.split(';')
    provider.challenges.set('the-code', url.searchParams.get('code_challenge')!)
    return { url, cookie: cookie!, state: url.searchParams.get('state')! }
  }
  const comeBack = async (query: object, cookie: string) => {
    const address = `${desk.url}/api/mail/oauth/callback?${new URLSearchParams(query as Record<string, string>)}`
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    return [response.status, response.headers.get('location')]
  }

  const stolen = await begin()
  assert.deepEqual(
    ['redirect_uri', 'code_challenge_method', 'response_type', 'client_id'].map(name =>
      stolen.url.searchParams.get(name)
    ),
    ['http://desk.example/api/mail/oauth/callback', 'S256', 'code', 'desk-client']
  )
  const expired = [302, '/desk/settings/email?sign_in=expired']
  assert.deepEqual(
    await comeBack({ state: stolen.state, code: 'the-code' }, 'deskline-mailbox-sign-in=another'),
    expired
  )
  assert.equal(provider.asked.length, 0)

  const denied = await begin()
  assert.deepEqual(await comeBack({ state: denied.state, error: 'access_denied' }, denied.cookie), [
    302,
    `/desk/settings/email/${id}?sign_in=denied`
  ])

  const { state, cookie } = await begin()
  const both = await Promise.all([1, 2].map(() => comeBack({ state, code: 'the-code' }, cookie)))
  assert.deepEqual(
    both.map(([, location]) => location).toSorted(),
    [expired[1], `/desk/settings/email/${id}?sign_in=signed_in`].toSorted()
  )
  const { mailbox } = (await desk.post(`${base}/detail`, admin, { id })).data
  assert.deepEqual([mailbox.is_signed_in, mailbox.signed_in_as], [1, 'desk@box.example'])
  assert.equal(mailbox.ending.what, 'sign_in', 'ten days before it ends')
  const rows = await desk.db.selectFrom('connected_mailboxes').selectAll().execute()
  assert.doesNotMatch(JSON.stringify([rows, mailbox]), /r3fresh-me|of-the-client/)

  const { data } = await desk.post(`${base}/test`, admin, { id, steps: ['connect', 'log_in', 'list'] })
  assert.equal(data.is_usable, 1, JSON.stringify(data.steps))
  assert.equal(provider.asked.at(-1)!.get('refresh_token'), 'r3fresh-me')
  const { mailbox: renewed } = (await desk.post(`${base}/detail`, admin, { id })).data
  assert.equal(renewed.ending, null, 'the token that replaced it ends in ninety days')
})

test('a token server in a private network is not asked unless the operator allows it', async () => {
  const { id } = await aMailbox(desk, admin, {
    address: 'inside@box.example',
    imap: { host: 'imap.example.com' },
    auth: 'oauth2',
    oauth: {
      provider: 'custom',
      client_id: 'x',
      authorize_url: 'https://login.example.com/',
      token_url: 'http://10.0.0.1/token'
    }
  })
  const { data, headers } = await desk.post(`${base}/connect`, admin, { id })
  const state = new URL(data.url).searchParams.get('state')!
  const cookie = headers.get('set-cookie')!.split(';')[0]!

  const response = await fetch(`${desk.url}/api/mail/oauth/callback?state=${state}&code=x`, {
    redirect: 'manual',
    headers: { cookie }
  })

  assert.equal(response.headers.get('location'), `/desk/settings/email/${id}?sign_in=failed`)
})

test('a sign-in that was begun before the mailbox got another client or a password ends without one', async () => {
  const provider = await aProvider()
  const { id } = await aMailbox(desk, admin, {
    address: 'changed@box.example',
    ...receivesFrom(imap, { password: undefined }),
    auth: 'oauth2',
    oauth: {
      provider: 'custom',
      client_id: 'desk-client',
      client_secret: 'of-the-client',
      authorize_url: `${provider.url}/authorize`,
      token_url: `${provider.url}/token`
    }
  })
  const returnedAfter = async (changes: object) => {
    const { data, headers } = await desk.post(`${base}/connect`, admin, { id })
    const url = new URL(data.url)
    provider.challenges.set('the-code', url.searchParams.get('code_challenge')!)
    assert.equal((await desk.post(`${base}/update`, admin, { id, ...changes })).status, 200)
    const address = `${desk.url}/api/mail/oauth/callback?state=${url.searchParams.get('state')}&code=the-code`
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    return [response.status, response.headers.get('location')]
  }
  const { imap: server } = receivesFrom(imap)

  const elsewhere = await returnedAfter({
    oauth: {
      provider: 'custom',
      client_id: 'another-client',
      authorize_url: `${provider.url}/authorize`,
      token_url: `${provider.url}/another`
    }
  })
  const byPassword = await returnedAfter({ auth: 'password', oauth: null, imap: server })

  const expired = [302, '/desk/settings/email?sign_in=expired']
  assert.deepEqual([elsewhere, byPassword, provider.asked.length], [expired, expired, 0])
})

test('1: a real authorization server: consent in the browser, an access token for each refresh, and a refusal that is told as one', async () => {
  const provider = await openIdProvider({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'refresh_token']
  })
  after(() => provider.stop())
  provider.people.desk = { email: 'desk@box.example' }
  provider.allow('http://desk.example/api/mail/oauth/callback')
  const { id } = await aMailbox(desk, admin, {
    address: 'real@box.example',
    ...receivesFrom(imap, { password: undefined }),
    auth: 'oauth2',
    oauth: {
      provider: 'custom',
      client_id: 'deskline',
      client_secret: 's3cret',
      authorize_url: `${provider.issuer}/auth?prompt=consent`,
      token_url: `${provider.issuer}/token`,
      scope: 'openid email offline_access'
    }
  })
  const logIn = async () => {
    const { data } = await desk.post(`${base}/test`, admin, { id, steps: ['connect', 'log_in'] })
    return data.steps.at(-1).reason_code
  }

  const { data, headers } = await desk.post(`${base}/connect`, admin, { id })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const back = await signInThere(data.url, 'desk')
  const response = await fetch(`${desk.url}${back.pathname}${back.search}`, { redirect: 'manual', headers: { cookie } })

  assert.equal(response.headers.get('location'), `/desk/settings/email/${id}?sign_in=signed_in`)
  const { mailbox } = (await desk.post(`${base}/detail`, admin, { id })).data
  assert.deepEqual([mailbox.is_signed_in, mailbox.signed_in_as], [1, 'desk@box.example'])
  // It gives an access token for the refresh token; the IMAP server here knows another one.
  assert.equal(await logIn(), 'access_token_refused')
  const row = desk.db.selectFrom('connected_mailboxes').where('id', '=', id).select('sealed_secrets')
  const { sealed_secrets } = await row.executeTakeFirstOrThrow()
  assert.doesNotMatch(sealed_secrets, /s3cret/)

  const secrets = JSON.parse(desk.services.keys.unseal('connected mailbox', sealed_secrets)) as Record<string, string>
  const ended = desk.services.keys.seal('connected mailbox', JSON.stringify({ ...secrets, refresh_token: 'ended' }))
  await desk.db
    .updateTable('connected_mailboxes')
    .where('id', '=', id)
    .set({ sealed_secrets: ended, version: sql`version + 1` })
    .execute()
  assert.equal(await logIn(), 'refresh_token_refused')
})
