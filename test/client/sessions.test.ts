import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type TokenStorage, type Tokens } from '../../client/src/index.js'
import { bootDesk } from '../support/desk.ts'
import { failureOf } from '../support/failure-of.ts'
import { faultyProxy, type Outcome } from '../support/faulty-proxy.ts'
import { aClient } from '../support/people.ts'

const desk = await bootDesk({ connections: 10 })
const dayInSeconds = 86_400
const renewal = '/api/auth/refresh'
const profile = '/api/account/profile'

/** Somebody signed in through a network that counts, with tokens that others may look at. */
async function signedIn({ fate = () => 'pass' }: { fate?: (path: string, before: number) => Outcome } = {}) {
  const person = await aClient(desk)
  const front = await faultyProxy(desk.url, ({ path }, before) => fate(path, before))
  const storage = aStorage()
  const client = createClient({ baseUrl: front.url, storage })
  await client.signIn({ email: person.email, password: person.password })
  return { person, front, storage, client }
}

function aStorage(): TokenStorage & { kept: Tokens | undefined } {
  return {
    kept: undefined,
    load() {
      return this.kept
    },
    async save(tokens) {
      this.kept = tokens
    }
  }
}

test('a token that expires while many calls are under way is renewed once, and all of them succeed', async () => {
  const { client, front, person } = await signedIn()

  desk.clock.turn(dayInSeconds + 1)
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.POST(profile)))

  assert.ok(answers.every(({ data }) => data.profile.email === person.email))
  assert.equal(front.to(renewal).length, 1)
  assert.equal(front.to(profile).filter(({ headers }) => headers.authorization).length, 40)
})

test('a token that is about to expire is renewed before it is sent', async () => {
  const { client, front, storage } = await signedIn()

  storage.kept = { ...storage.kept!, expires_at: Date.now() + 1000 }
  await Promise.all([client.POST(profile), client.POST(profile)])

  assert.equal(front.to(renewal).length, 1)
  assert.equal(front.to(profile).length, 2)
})

test('when the session is over every call says so, and the tokens are gone', async () => {
  const { client, front, storage, person } = await signedIn()
  await desk.post('/api/auth/logout', storage.kept)

  const failures = await Promise.all([client.POST(profile), client.POST(profile)].map(failureOf))
  const later = await failureOf(client.POST(profile))

  assert.deepEqual(
    [...failures, later].map(({ reason }) => reason),
    Array(3).fill('unauthenticated')
  )
  assert.equal(storage.kept, undefined)
  assert.equal(front.to(renewal).length, 1)
  await client.signIn({ email: person.email, password: person.password })
  assert.equal((await client.POST(profile)).data.profile.email, person.email)
})

test('a renewal that fails for a moment is tried again, and one that goes on failing ends no session', async () => {
  let isDown = false
  const { client, storage, person } = await signedIn({
    fate: (path, before) => (path === renewal && (isDown || before === 0) ? { status: 503 } : 'pass')
  })

  desk.clock.turn(dayInSeconds + 1)
  const renewed = await client.POST(profile)
  isDown = true
  desk.clock.turn(dayInSeconds + 1)
  const quick = createClient({ baseUrl: desk.url, storage, retries: 0, fetch: downFetch })
  const failed = await failureOf(quick.POST(profile))

  assert.equal(renewed.data.profile.email, person.email)
  assert.equal(failed.status, 503)
  assert.ok(storage.kept)
  async function downFetch(url: string | URL | Request, init?: RequestInit) {
    return String(url).endsWith(renewal) ? new Response('', { status: 503 }) : await fetch(url, init)
  }
})

test('tokens that another window has renewed are used, and two windows that take turns renew once', async () => {
  const { front, storage, person } = await signedIn()
  let turn = Promise.resolve<unknown>(undefined)
  const shared: TokenStorage = {
    load: () => storage.kept,
    save: tokens => storage.save(tokens),
    lock(work) {
      const done = turn.then(work)
      turn = done.catch(() => {})
      return done
    }
  }
  const windows = [shared, shared].map(storage => createClient({ baseUrl: front.url, storage }))

  desk.clock.turn(dayInSeconds + 1)
  const answers = await Promise.all(windows.map(client => client.POST(profile)))

  assert.deepEqual(
    answers.map(({ data }) => data.profile.email),
    [person.email, person.email]
  )
  assert.equal(front.to(renewal).length, 1)
})

test('who signs out while a renewal is under way is signed out', async () => {
  const { client, storage } = await signedIn()

  desk.clock.turn(dayInSeconds + 1)
  const call = client.POST(profile).then(
    () => {},
    () => {}
  )
  await client.signOut()
  await call
  const { status } = await failureOf(client.POST(profile))

  assert.equal(status, 401)
  assert.equal(storage.kept, undefined)
})

test('a wrong password is no reason to renew, nor to sign anybody out', async () => {
  const { client, front, storage, person } = await signedIn()

  const wrong = await failureOf(
    client.POST('/api/account/password', { body: { current_password: 'wrong', new_password: 'another horse' } })
  )

  assert.ok([400, 401, 403].includes(wrong.status), wrong.message)
  assert.equal(front.to(renewal).length, 0)
  assert.ok(storage.kept)
  assert.equal((await client.POST(profile)).data.profile.email, person.email)
})
