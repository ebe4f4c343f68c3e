import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk, type Desk } from './support/desk.ts'
import { aClient, anAdmin } from './support/people.ts'
import { permittedCallers, routes, withoutAttemptLimits, writesNothing } from './support/routes.ts'
import { aFile, form } from './support/tickets.ts'

const desk = await bootDesk({ config: withoutAttemptLimits })
const personFor = await permittedCallers(desk)
const strict = { prefer: 'handling=strict' }

test('with strict handling every address refuses a field that it does not know, by name, and writes nothing', async () => {
  await writesNothing(desk, async () => {
    for (const { path, endpoint } of routes) {
      const reply = await ask(desk, path, { asker: personFor(endpoint), body: { subjct: 'x', nonsense: null } })

      assert.deepEqual([reply.status, reply.body.errors], [400, ['subjct', 'nonsense']], path)
      assert.equal(reply.body.message, 'Unknown fields: subjct, nonsense')
      assert.equal(reply.applied, 'handling=strict', path)
    }
  })
})

test('what is known passes, under each of its names and in each encoding, and the answer says that it was strict', async () => {
  const client = await aClient(desk)
  const given = { deptid: '1', subject: 'The printer is on fire', message: 'Please hurry.' }
  const bodies = [given, new URLSearchParams(given), form(given, aFile('a.txt'))]

  for (const body of bodies) {
    const reply = await ask(desk, '/api/tickets/create', { asker: client, body })
    assert.deepEqual([reply.status, reply.applied], [201, 'handling=strict'])
    const { ticket_id } = reply.body.data
    const shown = await ask(desk, `/api/tickets/${ticket_id}/detail`, { asker: client, body: { ticket_id } })
    assert.equal(shown.status, 200)
  }
  const admin = await anAdmin(desk)
  const ids = { 'ids[]': '1', action: 'status', status: 'Open' }
  const listed = await ask(desk, '/api/admin/tickets/bulk', { asker: admin, body: new URLSearchParams(ids) })
  assert.equal(listed.status, 200)
})

test('files that nobody takes and parameters that nobody reads are unknown as well', async () => {
  const client = await aClient(desk)
  const list = '/api/tickets/list'

  const file = await ask(desk, list, { asker: client, body: form({ page: 1 }, aFile('a.txt')) })
  const query = await ask(desk, `${list}?page=2`, { asker: client, body: {} })
  const get = await ask(desk, '/api/user/check-by-email?email=a@example.com&mail=b', { method: 'GET' })
  const known = await ask(desk, '/api/user/check-by-email?email=a@example.com', { method: 'GET' })

  assert.deepEqual(
    [file, query, get].map(({ status, body }) => [status, body.errors]),
    [
      [400, ['attachments']],
      [400, ['page']],
      [400, ['mail']]
    ]
  )
  assert.equal(known.status, 200)
})

test('without it, or with lenient handling, unknown fields are ignored as ever, and no answer speaks of it', async () => {
  for (const prefer of ['', 'handling=lenient', 'respond-async']) {
    const reply = await ask(desk, '/api/check', { headers: { prefer }, body: { nonsense: 1 } })

    assert.deepEqual([reply.status, reply.applied], [200, null])
  }
})

test('a stranger hears of no field, and however many unknown ones there are, some are named', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}${'x'.repeat(200)}`, 1]))

  const stranger = await ask(desk, '/api/tickets/list', { body: { nonsense: 1 } })
  const flood = await ask(desk, '/api/check', { body: many })

  assert.deepEqual([stranger.status, stranger.body.errors, stranger.applied], [401, undefined, null])
  assert.deepEqual([flood.status, flood.body.errors.length], [400, 20])
  assert.ok(flood.body.errors.every((name: string) => name.length <= 100))
})

interface Request {
  asker?: { token: string } | undefined
  body?: object
  method?: string
  headers?: Record<string, string>
}

async function ask(desk: Desk, path: string, { asker, body, method = 'POST', headers = strict }: Request) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const response = await fetch(desk.url + path, {
    method,
    headers: {
      ...headers,
      ...(asker ? { authorization: `Bearer ${asker.token}` } : {}),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {})
    },
    body: isForm ? body : body && JSON.stringify(body)
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const answer = (await response.json()) as any
  return { status: response.status, body: answer, applied: response.headers.get('preference-applied') }
}
