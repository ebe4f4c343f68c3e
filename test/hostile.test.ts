import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from './support/desk.ts'
import { hostileSender } from './support/hostile-requests.ts'
import { exampleBody, mainRoutes, routes, withoutAttemptLimits, writesNothing } from './support/routes.ts'

const desk = await bootDesk({ config: withoutAttemptLimits })
const sendTo = await hostileSender(desk)
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const login = routes.find(({ path }) => path === '/api/auth/login')!
const megabytes = 1024 * 1024
let taken = 0
const withId = mainRoutes.filter(({ endpoint }) => endpoint.body?.required?.includes('id'))
// Bodies are read in one place, before an endpoint is met: what differs is who is let in, and whether files are taken.
const ofEachKind = [...new Map(mainRoutes.map(route => [kindOf(route), route])).values()]

// Against an endpoint of each kind: what was sent, and what it must come to.
const broken: [what: string, type: string, body: string | Buffer, status: number][] = [
  ['10,000 lists within lists', json, `{"id":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
  ['10,000 objects within objects', json, `${'{"id":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400],
  ['10,000 brackets that nobody closes', json, '['.repeat(10_000), 400],
  ['50,000 keys', json, `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(',')}}`, 400],
  ['a list', json, '[]', 400],
  ['a text', json, '"text"', 400],
  ['a number', json, '1', 400],
  ['null', json, 'null', 400],
  ['half a JSON', json, '{"email": "ada@exam', 400],
  ['two JSONs', json, '{}{}', 400],
  ['no number of JSON', json, '{"id": NaN}', 400],
  ['bytes that are no UTF-8', json, Buffer.from('7b22656d61696c223a22ff22 7d'.replace(' ', ''), 'hex'), 400],
  ['a byte order mark and no more', json, Buffer.from('efbbbf5b', 'hex'), 400],
  ['a form with broken UTF-8', form, 'email=%FF%FE', 400],
  ['a form with raw broken UTF-8', form, Buffer.from('656d61696c3dff', 'hex'), 400],
  ['a form with a broken escape', form, 'email=%zz', 400],
  ['a form with half an escape', form, 'email=%e', 400],
  ['2,000 fields of a form', form, Array.from({ length: 2000 }, (_, at) => `f${at}=1`).join('&'), 400],
  ['text', 'text/plain', 'email=ada@example.com', 415],
  ['XML', 'application/xml', '<email>ada@example.com</email>', 415],
  ['something without a type', '', Buffer.from('email'), 415],
  ['JSON with an unknown suffix', 'application/vnd.api+json', '{}', 415],
  ['multipart without a boundary', 'multipart/form-data', '--x\r\n\r\n', 400],
  ['a multipart that ends before it begins', 'multipart/form-data; boundary=x', '--', 400],
  ['a truncated multipart', 'multipart/form-data; boundary=x', `${part('email')}ada@exam`, 400],
  ['a multipart with a field that is no UTF-8', 'multipart/form-data; boundary=x', withBrokenField(), 400]
]

const everywhere = ['null', 'half a JSON', 'text', 'a form with broken UTF-8', 'a truncated multipart']

for (const [what, type, body, status] of broken) {
  const isEverywhere = everywhere.includes(what)
  test(`${what} is a ${status} at ${isEverywhere ? 'every endpoint' : 'endpoints of each kind'}, and changes nothing`, async () => {
    await writesNothing(desk, async () => {
      for (const route of isEverywhere ? mainRoutes : ofEachKind) {
        const reply = await sendTo(route, { type, body: typeof body === 'string' ? body : new Uint8Array(body) })

        assert.equal(reply.status, status, `${route.path}: ${reply.body.message}`)
      }
    })
  })
}

test('5 MB are a 413 at endpoints of each kind, and where they do not say how long they are', async () => {
  const large = new Uint8Array(Buffer.from(`{"message":"${'x'.repeat(5 * megabytes)}"}`))
  await writesNothing(desk, async () => {
    for (const route of ofEachKind) {
      assert.equal((await sendTo(route, { type: json, body: large })).status, 413, route.path)
    }
    const streamed = [json, form, 'text/plain'].map(type => sendTo(login, { type, body: new Blob([large]).stream() }))
    for (const { status } of await Promise.all(streamed)) assert.equal(status, 413)
  })
})

test('NUL and lone surrogates are refused by name in every text of every endpoint', async () => {
  await writesNothing(desk, async () => {
    for (const route of mainRoutes) {
      const { fields, filled } = exampleBody(route.endpoint)
      for (const [name, schema] of fields.filter(([, schema]) => [schema.type].flat().includes('string'))) {
        for (const bad of someOf(['a\\u0000b', 'a\\ud800b', '\\udc00'], 1)) {
          const others = JSON.stringify({
            ...filled,
            [name]: undefined,
            [route.endpoint.synonyms?.[name] ?? name]: undefined
          })
          const body = others.replace(/\}$/, `${others === '{}' ? '' : ','}"${name}":"${bad}"}`)
          const reply = await sendTo(route, { type: json, body })

          assert.equal(reply.status, 400, `${route.path} ${name} ${bad} ${JSON.stringify(schema)}`)
          assert.deepEqual(
            reply.body.errors,
            [route.endpoint.synonyms?.[name] ?? name],
            `${route.path} ${reply.body.message}`
          )
        }
      }
    }
  })
})

test('NUL is refused in forms of both kinds', async () => {
  const fields = { email: 'a\0@example.com', password: 'correct horse' }
  const multipart = new FormData()
  for (const [name, value] of Object.entries(fields)) multipart.append(name, value)

  for (const request of [{ type: form, body: String(new URLSearchParams(fields)) }, { body: multipart }]) {
    const reply = await sendTo(login, request)

    assert.deepEqual([reply.status, reply.body.errors], [400, ['email']])
  }
})

test('a multipart form of somebody who is not logged in has 200 parts at most, of somebody who is a thousand', async () => {
  const withParts = (count: number) => {
    const multipart = new FormData()
    for (let at = 0; at < count; at++) multipart.append(`field${at}`, 'x')
    return multipart
  }
  const list = routes.find(({ path }) => path === '/api/tickets/list')!
  const statuses = []
  for (const [route, count] of [
    [login, 200],
    [login, 201],
    [list, 1000],
    [list, 1001]
  ] as const) {
    statuses.push((await sendTo(route, { body: withParts(count) })).status)
  }

  assert.deepEqual(statuses, [400, 413, 200, 413])
})

test('names that reach for a prototype are names like any other, unknown', async () => {
  const names = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', '__defineGetter__']
  for (const name of names) {
    const multipart = new FormData()
    multipart.append(name, 'ada@example.com')
    multipart.append(`${name}[email]`, 'ada@example.com')
    const requests = [
      { type: json, body: `{"${name}": {"email": "ada@example.com", "password": "x", "polluted": 1}}` },
      { type: json, body: `{"${name}": "ada@example.com"}` },
      { type: form, body: `${name}=1&${name}[email]=ada@example.com&${name}.password=x` },
      { body: multipart }
    ]
    for (const request of requests) {
      const reply = await sendTo(login, request)

      assert.deepEqual([reply.status, reply.body.errors], [400, ['email', 'password']], name)
    }
  }
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})

test('a name that stands twice where one value is meant is refused by name', async () => {
  const multipart = new FormData()
  for (const email of ['ada@example.com', 'eve@example.com']) multipart.append('email', email)
  multipart.append('password', 'correct horse')
  const requests = [{ type: form, body: 'email=ada@example.com&email=eve@example.com&password=x' }, { body: multipart }]

  for (const request of requests) {
    const reply = await sendTo(login, request)

    assert.deepEqual([reply.status, reply.body.errors], [400, ['email']])
  }
})

test('an id that is none is a 400 in every body, whatever it is written as', async () => {
  const ids = [
    '-1',
    '0',
    '1.5',
    '1e309',
    '-1e309',
    '9007199254740993',
    '1e20',
    '"abc"',
    '"-1"',
    '"1.5"',
    '"1e5"',
    '"0x1"'
  ]
  await writesNothing(desk, async () => {
    for (const route of withId) {
      const { filled } = exampleBody(route.endpoint)
      const others = JSON.stringify({ ...filled, id: undefined }).slice(1, -1)
      for (const id of someOf(ids, 3)) {
        const reply = await sendTo(route, { type: json, body: `{"id": ${id}${others && `, ${others}`}}` })

        assert.deepEqual([reply.status, reply.body.errors], [400, ['id']], `${route.path} ${id} ${reply.body.message}`)
      }
    }
  })
})

test('an id that is none is a 404 in every path', async () => {
  const nowhere = [
    '-1',
    '0',
    '1.5',
    '1e309',
    '9007199254740993',
    'abc',
    '%00',
    '%ff',
    '%zz',
    '..%2f..',
    '1%20or%201=1',
    'x'.repeat(400)
  ]
  await writesNothing(desk, async () => {
    for (const route of routes.filter(({ pattern }) => pattern.includes(':id'))) {
      const { filled } = exampleBody(route.endpoint)
      for (const id of someOf(nowhere, 3)) {
        const path = route.pattern.replace(':id', id)
        const reply = await sendTo(route, { path, type: json, body: JSON.stringify({ ...filled, id: undefined }) })

        assert.equal(reply.status, 404, `${path}: ${reply.body.message}`)
      }
    }
  })
})

test('broken escapes in a path or a query are refused, not fatal', async () => {
  const query = routes.find(({ path }) => path === '/api/user/check-by-email')!

  assert.equal((await sendTo(login, { path: '/api/%zz' })).status, 404)
  assert.equal((await sendTo(login, { path: '/%E0%A4%A' })).status, 404)
  assert.equal((await sendTo(login, { path: '//api//auth//login' })).status, 404)
  assert.equal((await sendTo(query, { method: 'GET', path: `${query.path}?email=%zz` })).status, 400)
  assert.equal((await sendTo(query, { method: 'GET', path: `${query.path}?email=a&email=b` })).status, 400)
  assert.equal((await sendTo(query, { method: 'GET', path: `${query.path}?email=%00` })).status, 400)
})

test('a list as broken JSON text in a form is refused', async () => {
  const create = routes.find(({ path }) => path === '/api/admin/staff/create')!
  const fields = { first_name: 'Eve', last_name: 'Moore', email: 'eve@example.com', password: 'correct horse' }

  for (const permissions of ['["staff.view"', '[[[[', '["*"]', '[1]', '[{}]', '*', '["staff.view", null]']) {
    const reply = await sendTo(create, { type: form, body: String(new URLSearchParams({ ...fields, permissions })) })

    assert.equal(reply.status, 400, permissions)
  }
})

test('tokens that are forged, endless or of another kind open nothing', async () => {
  const setup = routes.find(({ path }) => path === '/api/auth/2fa/setup')!
  const none = `${base64('{"alg":"none","typ":"JWT"}')}.${base64('{"session":1,"population":"staff","account":1}')}.`

  for (const token of [none, 'x'.repeat(5000), 'a.b.c', '..', 'null', 'Bearer', base64('{"alg":"HS256"}')]) {
    assert.equal((await sendTo(setup, { asker: { token } })).status, 401, token.slice(0, 40))
  }
})

/** Who is let in, and what files are taken. */
function kindOf({ endpoint: { access, files } }: (typeof mainRoutes)[number]): string {
  const who = typeof access === 'string' ? access : access.orClient ? 'staff or client' : 'staff'
  return JSON.stringify([who, files ?? false])
}

/** So many of these, with each call the next ones: each value meets many endpoints, each endpoint many values. */
function someOf<T>(values: T[], count: number): T[] {
  return Array.from({ length: count }, () => values[taken++ % values.length]!)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function part(name: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
}

function withBrokenField(): Buffer {
  return Buffer.concat([Buffer.from(part('email')), Buffer.from([0xff, 0xfe]), Buffer.from('\r\n--x--\r\n')])
}
