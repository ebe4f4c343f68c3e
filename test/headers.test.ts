import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { bootDesk, type Desk } from './support/desk.ts'
import { aClient } from './support/people.ts'
import { routes, send } from './support/routes.ts'
import { aFile, aTicket } from './support/tickets.ts'

const desk = await bootDesk()
const production = await bootDesk({ config: { production: true } })
const pages = ['/', '/docs', '/docs/', '/openapi.json', '/nothing', '/%zz', `/api/tickets/${'x'.repeat(400)}`]

test('every answer keeps browsers from guessing types, framing it, telling where they came from and running anything', async () => {
  for (const path of [...routes.map(route => route.path), ...pages]) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { headers } = await fetch(desk.url + path, { method, redirect: 'manual' })

      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.equal(headers.get('x-frame-options'), 'DENY', path)
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path)
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'/, path)
      assert.match(policy, /frame-ancestors 'none'/, path)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/, path)
      assert.equal(headers.get('x-powered-by'), null)
      assert.equal(headers.get('server'), null)
    }
  }
})

test('no answer sets a cookie, so that no page can act in the name of somebody else', async () => {
  const client = await aClient(desk)

  for (const { path } of routes) {
    for (const asker of [undefined, client]) {
      assert.equal((await send(desk, path, { asker })).headers.get('set-cookie'), null, path)
    }
  }
})

test('a process that is to stop ends each connection with its answer, so that a proxy sends the next request to another one', async t => {
  const stop = new AbortController()
  const app = await buildApp(desk.services, { ending: stop.signal })
  t.after(() => app.close())
  const answer = () => app.inject({ method: 'POST', url: '/api/check' })

  const before = await answer()
  stop.abort()
  const after = await answer()

  assert.deepEqual([before.statusCode, after.statusCode, after.headers.connection], [200, 200, 'close'])
  assert.notEqual(before.headers.connection, 'close')
})

test('production tells browsers to come encrypted for a year, of this host alone; elsewhere nothing is said', async () => {
  const of = async ({ url }: Desk) => (await fetch(`${url}/api/check`, { method: 'POST' })).headers

  assert.equal((await of(production)).get('strict-transport-security'), 'max-age=31536000')
  assert.equal((await of(desk)).get('strict-transport-security'), null)
})

describe('pages of other origins', async () => {
  const known = 'https://app.example.com'
  const open = await bootDesk({ config: { CORS_ORIGINS: [known, 'https://other.example.com'] } })
  const preflight = (to: Desk, origin: string, path = '/api/tickets/list') =>
    fetch(to.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type'
      }
    })
  const corsHeaders = ({ headers }: Response) => [...headers.keys()].filter(name => name.startsWith('access-control'))

  test('may not call the service unless an operator names them', async () => {
    const refused = await preflight(desk, known)
    const answer = await fetch(`${desk.url}/api/check`, { method: 'POST', headers: { origin: known } })

    assert.deepEqual([refused.status, corsHeaders(refused), corsHeaders(answer)], [405, [], []])
    assert.equal(answer.headers.get('vary'), null)
  })

  test('that are named may send a bearer and a body, but never credentials', async () => {
    const { status, headers } = await preflight(open, known)

    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), known)
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.match(headers.get('access-control-allow-headers') ?? '', /Authorization, Content-Type, Idempotency-Key/)
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST')
    assert.equal(headers.get('vary'), 'Origin')
    assert.match(headers.get('x-request-id') ?? '', /./)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('that are named may read every answer, refusals and downloads too', async () => {
    const client = await aClient(open)
    const { attachments } = await aTicket(open, client, {}, [aFile('a.txt')])
    const headers = { origin: known, authorization: `Bearer ${client.token}` }
    const answers = [
      await fetch(`${open.url}/api/tickets/list`, { method: 'POST', headers }),
      await fetch(`${open.url}/api/tickets/list`, { method: 'POST', headers: { origin: known } }),
      await fetch(`${open.url}/api/nothing`, { method: 'POST', headers }),
      await fetch(`${open.url}/api/check`, { method: 'PUT', headers }),
      await fetch(open.url + attachments[0].file_path, { headers })
    ]

    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 401, 404, 405, 200]
    )
    for (const { headers } of answers) {
      assert.equal(headers.get('access-control-allow-origin'), known)
      assert.match(headers.get('access-control-expose-headers') ?? '', /X-Request-Id, Retry-After.*Idempotent-Replayed/)
      assert.equal(headers.get('access-control-allow-credentials'), null)
    }
  })

  test('that are not named hear nothing of it, however much their name resembles one that is', async () => {
    for (const origin of [
      'https://evil.example.com',
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://app.example.com.evil.example',
      'https://evilapp.example.com',
      'HTTPS://APP.EXAMPLE.COM',
      'null',
      '*',
      `${known}, https://other.example.com`
    ]) {
      const refused = await preflight(open, origin)
      const answer = await fetch(`${open.url}/api/check`, { method: 'POST', headers: { origin } })

      assert.deepEqual([refused.status, corsHeaders(refused), corsHeaders(answer)], [405, [], []], origin)
      assert.equal(answer.headers.get('vary'), 'Origin')
    }
  })

  test('change nothing for other methods and unknown addresses', async () => {
    const plain = await fetch(`${open.url}/api/check`, { method: 'OPTIONS', headers: { origin: known } })
    const nowhere = await fetch(`${open.url}/nothing`, { method: 'OPTIONS' })
    const put = await fetch(`${open.url}/api/check`, { method: 'PUT' })

    assert.deepEqual([plain.status, plain.headers.get('allow')], [405, 'POST'])
    assert.equal(nowhere.status, 404)
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'POST'])
  })
})
