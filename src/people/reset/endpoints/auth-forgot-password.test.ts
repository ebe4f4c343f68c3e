import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient } from '../../../../test/support/people.ts'

const desk = await bootDesk({ connections: 10 })
const guarded = await bootDesk({
  config: {
    production: true,
    DISCLOSE_CODES: false,
    RESET_URL: 'https://desk.example.com/reset',
    RESET_URL_ORIGINS: ['https://shop.example.com']
  }
})

const address = '/api/auth/forgot-password'

test('forgot-password answers a link of one hour to the configured page, and mails the same link', async () => {
  const client = await aClient(desk, { email: 'link+me@example.com' })

  const reply = await desk.post(address, undefined, { email: client.email })

  const { emails } = await desk.deliver()
  const message = emails.find(each => each.to === client.email)!
  const link = new URL(reply.data.reset_link)
  assert.equal(reply.status, 200)
  assert.equal(reply.data.email, client.email)
  assert.equal(reply.data.expires_in, 3600)
  assert.equal(link.origin + link.pathname, desk.services.config.RESET_URL)
  assert.equal(link.searchParams.get('token'), reply.data.reset_token)
  assert.equal(link.searchParams.get('email'), client.email)
  assert.equal(message.text.includes(reply.data.reset_link), true)
})

test('the reset token is a signed JWT that ends after one hour', async () => {
  const client = await aClient(desk)

  const { data } = await desk.post(address, undefined, { email: client.email })

  const [header, claims] = data.reset_token.split('.').map((part: string) => Buffer.from(part, 'base64url').toString())
  assert.equal(JSON.parse(header).alg, 'HS256')
  assert.ok(Math.abs(JSON.parse(claims).exp - desk.clock.now().getTime() / 1000 - 3600) < 60)
})

test('forget-password is the same endpoint, for forms as well', async () => {
  const client = await aClient(desk)

  const reply = await desk.post('/api/auth/forget-password', undefined, { email: client.email }, 'form')

  assert.equal(reply.status, 200)
  assert.ok(reply.data.reset_token)
})

test('the e-mail address is found in any case, and answered, linked and written to as it was given at sign-up', async () => {
  const client = await aClient(desk, { email: 'Mixed.Case@Example.com' })

  const reply = await desk.post(address, undefined, { email: ' mixed.case@example.COM ' })

  const { emails } = await desk.deliver()
  assert.equal(reply.data.email, client.email)
  assert.equal(new URL(reply.data.reset_link).searchParams.get('email'), client.email)
  assert.ok(emails.some(each => each.to === client.email))
})

test('an unknown e-mail address is 404, a malformed one 400, and neither leaves a trace', async () => {
  const before = await desk.rowCounts()

  const unknown = await desk.post(address, undefined, { email: 'nobody@example.com' })
  const malformed = await desk.post(address, undefined, { email: 'nobody' })

  assert.equal(unknown.status, 404)
  assert.equal(malformed.status, 400)
  assert.deepEqual(malformed.body.errors, ['email'])
  assert.deepEqual(await desk.rowCounts(), before)
})

test('a member of staff has no reset link: forgot-password is for clients', async () => {
  await desk.db
    .insertInto('staff')
    .values({ first_name: 'Grace', last_name: 'Hopper', email: 'only.staff@example.com', password: 'none' })
    .execute()

  const reply = await desk.post(address, undefined, { email: 'only.staff@example.com' })

  assert.equal(reply.status, 404)
})

test('an inactive client gets a link as well', async () => {
  const client = await aClient(desk, { is_active: false })

  const reply = await desk.post(address, undefined, { email: client.email })

  assert.equal(reply.status, 200)
})

test('redirect_url keeps its own query and fragment, and a stray token in it is replaced', async () => {
  const client = await aClient(desk)
  const redirect_url = 'https://shop.example.com/reset?lang=n%20l&flag&token=old&email=old#/new?x=1'

  const { data } = await desk.post(address, undefined, { email: client.email, redirect_url })

  const query = `token=${data.reset_token}&email=${encodeURIComponent(client.email)}`
  assert.equal(data.reset_link, `https://shop.example.com/reset?lang=n%20l&flag&${query}#/new?x=1`)
})

test('a blank redirect_url counts as none', async () => {
  const client = await aClient(desk)

  const { data } = await desk.post(address, undefined, { email: client.email, redirect_url: ' ' })

  assert.ok(data.reset_link.startsWith(`${desk.services.config.RESET_URL}?token=`))
})

for (const redirect_url of [
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.com/reset',
  '//example.com/reset',
  '/reset',
  'example.com/reset',
  'https://',
  'https://shop.example.com@evil.example/reset',
  `https://example.com/${'x'.repeat(2029)}`
]) {
  test(`redirect_url ${redirect_url.slice(0, 50)} is 400 and sends nothing`, async () => {
    const client = await aClient(desk)
    const before = await desk.rowCounts()

    const reply = await desk.post(address, undefined, { email: client.email, redirect_url })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['redirect_url'])
    assert.deepEqual(await desk.rowCounts(), before)
  })
}

test('a redirect_url of 2048 characters is taken', async () => {
  const client = await aClient(desk)
  const redirect_url = `https://example.com/${'x'.repeat(2028)}`

  const reply = await desk.post(address, undefined, { email: client.email, redirect_url })

  assert.equal(redirect_url.length, 2048)
  assert.ok(reply.data.reset_link.startsWith(redirect_url))
})

test('a bad redirect_url is 400 before the account is looked for', async () => {
  const reply = await desk.post(address, undefined, { email: 'nobody@example.com', redirect_url: 'ftp://example.com' })

  assert.equal(reply.status, 400)
})

test('in production links lead to configured origins and to that of RESET_URL only', async () => {
  const client = await aClient(guarded)
  const statuses: Record<string, number> = {}

  for (const redirect_url of [
    'https://shop.example.com/a',
    'https://desk.example.com/b',
    'http://shop.example.com/a',
    'https://shop.example.com:8443/a',
    'https://shop.example.com.evil.example/a',
    'https://evil.example/https://shop.example.com'
  ]) {
    statuses[redirect_url] = (await guarded.post(address, undefined, { email: client.email, redirect_url })).status
  }

  assert.deepEqual(Object.values(statuses), [200, 200, 400, 400, 400, 400])
})

test('with DISCLOSE_CODES=false token and link travel by mail alone', async () => {
  const client = await aClient(guarded)

  const reply = await guarded.post(address, undefined, { email: client.email })

  const { emails } = await guarded.deliver()
  const message = emails.find(each => each.to === client.email)!
  const token = /https:\/\/desk\.example\.com\/reset\?token=([\w.-]+)&email=/.exec(message.text)?.[1]
  const verified = await guarded.post('/api/auth/verify-reset-token', undefined, { token })
  assert.deepEqual(reply.data, { email: client.email, expires_in: 3600 })
  assert.equal(verified.data.user_id, client.id)
})

test('the 31st reset e-mail for an account in five minutes is refused, also under another spelling, and written nowhere', async () => {
  const client = await aClient(desk, { email: 'often@example.com' })
  for (let sent = 0; sent < 30; sent++) {
    assert.equal((await desk.post(address, undefined, { email: client.email })).status, 200)
  }
  const before = await desk.rowCounts()

  const refused = await desk.post(address, undefined, { email: 'OFTEN@example.com' })

  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.deepEqual(await desk.rowCounts(), before)
})

test('of twenty reset tokens asked for at once exactly one stays open', async () => {
  const client = await aClient(desk)

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => desk.post(address, undefined, { email: client.email }))
  )

  const verified = await Promise.all(
    replies.map(({ data }) => desk.post('/api/auth/verify-reset-token', undefined, { token: data.reset_token }))
  )
  assert.deepEqual(new Set(replies.map(each => each.status)), new Set([200]))
  assert.equal(verified.filter(each => each.status === 200).length, 1)
})
