import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type DesklineClient } from '../../client/src/index.js'
import { bootDesk } from '../support/desk.ts'
import { failureOf } from '../support/failure-of.ts'
import { faultyProxy, type Outcome } from '../support/faulty-proxy.ts'
import { aClient } from '../support/people.ts'

const desk = await bootDesk({ connections: 10 })
const busy = { status: 503, headers: { 'retry-after': '0' } }
const departments = '/api/departments'

test('"later" is waited for as long as asked, so often and no more', async () => {
  const front = await faultyProxy(desk.url, (_, before) => (before < 2 ? busy : 'pass'))
  const stubborn = await faultyProxy(desk.url, () => busy)
  const far = await faultyProxy(desk.url, () => ({ status: 503, headers: { 'retry-after': '3600' } }))

  const { data } = await createClient({ baseUrl: front.url }).POST(departments)
  const failure = await failureOf(createClient({ baseUrl: stubborn.url, retries: 1 }).POST(departments))
  const late = await failureOf(createClient({ baseUrl: far.url }).POST(departments))

  assert.ok(data.departments.length > 0)
  assert.equal(front.passed.length, 3)
  assert.deepEqual([failure.status, stubborn.passed.length], [503, 2])
  assert.deepEqual([late.status, late.retryAfterSeconds, far.passed.length], [503, 3600, 1])
})

test('a refusal that no other try will change is told at once', async () => {
  for (const status of [400, 403, 404, 409, 422, 429, 500, 507]) {
    const front = await faultyProxy(desk.url, () => ({ status }))

    const failure = await failureOf(createClient({ baseUrl: front.url }).POST(departments))

    assert.deepEqual([failure.status, front.passed.length], [status, 1])
  }
})

test('a wait for another try is given up when the signal says so', async () => {
  const front = await faultyProxy(desk.url, () => ({ status: 503, headers: { 'retry-after': '60' } }))
  const leaving = new AbortController()
  const why = new Error('The reader has left')

  const call = createClient({ baseUrl: front.url }).POST(departments, { signal: leaving.signal })
  setImmediate(function look() {
    if (front.passed.length > 0) leaving.abort(why)
    else setImmediate(look)
  })

  await assert.rejects(call, why)
})

test('a question whose answer was lost is asked again, and a log-in is not', async () => {
  const fates: Outcome[] = ['lose', 'lose answer', 'half', { status: 502 }]
  const { client, front, person } = await signedIn((_, before) => fates[before] ?? 'pass')

  const { data } = await client.POST('/api/tickets/list')
  const lost = await faultyProxy(desk.url, () => 'lose answer')
  const failure = await failureOf(
    createClient({ baseUrl: lost.url }).signIn({ email: person.email, password: person.password })
  )

  assert.equal(data.total, 0)
  assert.equal(front.to('/api/tickets/list').length, 5)
  assert.deepEqual([failure.reason, lost.passed.length], ['network_error', 1])
})

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
