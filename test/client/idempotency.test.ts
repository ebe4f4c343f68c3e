import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type DesklineClient } from '../../client/src/index.js'
import { bootDesk } from '../support/desk.ts'
import { type ForwardedRequest, faultyProxy, type Outcome } from '../support/faulty-proxy.ts'
import { aClient } from '../support/people.ts'

const desk = await bootDesk({ connections: 10 })
const busy = { status: 503, headers: { 'retry-after': '0' } }
const create = '/api/tickets/create'
const body = { deptid: 1, subject: 'On fire', message: 'It burns.' }

test('a write whose answer was lost is done once, and its first answer comes', async () => {
  for (const fate of ['lose', 'lose answer', 'half', { status: 504 }, busy] as Outcome[]) {
    const { client, front } = await signedIn((_, before) => (before === 0 ? fate : 'pass'))

    const { data, response } = await client.POST(create, { body })
    const listed = await client.POST('/api/tickets/list')

    assert.deepEqual(
      listed.data.tickets.map(({ id }) => id),
      [data.ticket_id]
    )
    const wasDone = fate === 'lose answer' || fate === 'half'
    assert.equal(response.headers.get('idempotent-replayed'), wasDone ? 'true' : null)
    assert.equal(new Set(keysOf(front.to(create))).size, 1)
  }
})

test('an upload is sent again under its key as well', async () => {
  const { client, front } = await signedIn((_, before) => (before === 0 ? 'lose answer' : 'pass'))
  const files = [new File(['x'.repeat(100_000)], 'printer.log', { type: 'text/plain' })]

  const { data } = await client.upload(create, { fields: body, files, onProgress() {} })
  const { data: listed } = await client.POST('/api/tickets/list')

  assert.deepEqual([data.attachments.length, listed.total], [1, 1])
  assert.deepEqual([front.to(create).length, new Set(keysOf(front.to(create))).size], [2, 1])
})

test('while the first try is still running the second waits for it', async () => {
  const { client, front } = await signedIn((_, before) =>
    before === 0 ? { status: 409, headers: { 'retry-after': '0' } } : 'pass'
  )

  await client.POST(create, { body })

  assert.equal(front.to(create).length, 2)
})

test('each write has a key of its own, or the one that it was given; what takes none gets none', async () => {
  const { client, front, person } = await signedIn(() => 'pass')

  await client.POST(create, { body })
  await client.POST(create, { body })
  await client.POST(create, { body, idempotencyKey: 'mine' })
  const again = await client.POST(create, { body, idempotencyKey: 'mine' })
  await client.POST('/api/tickets/list')
  await client.signIn({ email: person.email, password: person.password })

  const [one, other, mine, same] = keysOf(front.to(create))
  assert.match(one ?? '', /^[0-9a-f]{32}$/)
  assert.notEqual(one, other)
  assert.deepEqual([mine, same, again.response.headers.get('idempotent-replayed')], ['mine', 'mine', 'true'])
  assert.deepEqual(
    keysOf(front.passed.filter(({ path }) => path !== create)),
    front.passed.filter(({ path }) => path !== create).map(() => undefined)
  )
  await assert.rejects(client.POST(create, { body: { ...body, subject: 'Else' }, idempotencyKey: 'mine' }), {
    status: 422,
    reason: 'idempotency_key_reused'
  })
})

test('a write whose token expired in flight goes through under the same key', async () => {
  const { client, front } = await signedIn(() => 'pass')

  desk.clock.turn(86_401)
  await client.POST(create, { body })

  const keys = keysOf(front.to(create))
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
})

function keysOf(passed: ForwardedRequest[]) {
  return passed.map(({ headers }) => headers['idempotency-key'] as string | undefined)
}

/** A client signed in through a network with this fate for everything but what signing in takes. */
async function signedIn(fate: (path: string, before: number) => Outcome) {
  const person = await aClient(desk)
  const front = await faultyProxy(desk.url, ({ path }, before) =>
    path.startsWith('/api/auth/') ? 'pass' : fate(path, before)
  )
  const client: DesklineClient = createClient({ baseUrl: front.url })
  await client.signIn({ email: person.email, password: person.password })
  return { client, front, person }
}
