import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { watchOutbox } from '../../mail/outbox/watch-outbox.ts'
import { watchPool } from '../../platform/metrics/metrics.ts'
import { type Readiness, readinessOf } from './readiness.ts'

const token = 'a-token-of-the-watchers'
const desk = await bootDesk({ connections: 2, config: { METRICS_TOKEN: token, MAX_WRONG_PASSWORDS: 2 } })
watchPool(desk.services.metrics, desk.services.pool)
watchOutbox(desk.services)

test('/livez and /readyz answer GET and HEAD to anybody, other methods are a 405', async () => {
  for (const path of ['/livez', '/readyz']) {
    const got = await fetch(desk.url + path)
    const head = await fetch(desk.url + path, { method: 'HEAD' })
    const posted = await fetch(desk.url + path, { method: 'POST' })

    assert.deepEqual([got.status, head.status, posted.status], [200, 200, 405])
    assert.equal(((await got.json()) as { status: string }).status, 'success')
    assert.equal(await head.text(), '')
    assert.equal(posted.headers.get('allow'), 'GET, HEAD')
  }
})

test('who has been told to stop is not ready, and says so in the envelope', async () => {
  const stopping = await bootDesk({ config: {} })
  const ended = readinessOf(stopping.services, AbortSignal.abort())

  assert.deepEqual(
    (await ended()).map(fault => fault.name),
    ['ending']
  )
})

test('a schema that this code does not work with, older or newer, is named, and the answer tells no more', async () => {
  const other = await bootDesk()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', 'now')`.execute(other.db)
  const compatible = await namesOf(other)
  await sql`update schema_compatibility set oldest_code = '9999-later'`.execute(other.db)

  const refused = await fetch(`${other.url}/readyz`)

  assert.deepEqual(compatible, [])
  assert.equal(refused.status, 503)
  assert.deepEqual(await refused.json(), {
    status: 'error',
    code: 503,
    message: 'Not ready: schema',
    reason: 'not_ready',
    errors: ['schema']
  })
  await sql`delete from kysely_migration where name in ('9999-later', '0002-search')`.execute(other.db)
  assert.deepEqual(await namesOf(other), ['schema'])
})

test('e-mails that nobody has tried to deliver for MAX_OUTBOX_AGE_SECONDS are named by who does nothing else; those that wait for another try are not', async () => {
  const other = await bootDesk()
  const message = {
    channel: 'mail',
    kind: 'email-code',
    recipient: 'anna@example.com',
    sealed_content: 'sealed'
  } as const
  await other.db
    .insertInto('outbox_messages')
    .values({ ...message, created_at: other.clock.now() })
    .execute()

  other.clock.turn(890)
  const inTime = await namesOf(other)
  other.clock.turn(11)
  const late = await namesOf(other)
  const answeringRequests = await readinessOf(other.services)()
  await other.db.updateTable('outbox_messages').set({ attempts: 1 }).execute()
  const tried = await namesOf(other)

  assert.deepEqual([inTime, late, tried], [[], ['outbox'], []])
  assert.deepEqual(answeringRequests, [])
})

test('a store that takes no files is named', async () => {
  const other = await bootDesk()
  await rm(join(other.dataDir, 'uploads'), { recursive: true, force: true })
  await writeFile(join(other.dataDir, 'uploads'), 'not a folder')

  assert.deepEqual(await namesOf(other), ['files'])
})

test('a database that does not answer in time is named, and asked once however many want to know', async () => {
  const other = await bootDesk()
  const operator = await testConnection(other)
  let looks = 0
  const probe = other.services.probe.withPlugin({
    transformQuery: ({ node }) => {
      looks++
      return node
    },
    transformResult: async ({ result }) => result
  })
  const limits = { databaseMilliseconds: 200, filesMilliseconds: 10_000 }
  const readiness = readinessOf({ ...other.services, probe }, undefined, {}, limits)
  await operator.query('begin; lock table kysely_migration in access exclusive mode')

  const answers = await Promise.all(Array.from({ length: 5 }, readiness))
  await operator.query('rollback')

  assert.deepEqual(
    answers.map(faults => faults.map(fault => fault.name)),
    Array(5).fill(['database'])
  )
  // Two looks of two statements each, of which the second hangs.
  assert.ok(looks <= 4, `${looks} statements`)
})

test('however many wait for the database, that is no reason to be sent no requests', async () => {
  const other = await bootDesk()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  // The one connection there is.
  const holding = other.db.transaction().execute(() => released)
  const waiting = other.post('/api/departments')

  const ready = await fetch(`${other.url}/readyz`)
  release()
  await Promise.all([holding, waiting])

  assert.equal(ready.status, 200)
})

test('a fault counts when a second look finds it as well, and is over as soon as a look finds nothing', async () => {
  const other = await bootDesk()
  const failures: boolean[] = []
  const check = async () => {
    if (failures.shift()) throw new Error('of the disk')
  }
  const readiness = () => readinessOf({ ...other.services, files: { ...other.services.files, check } })

  failures.push(true, false)
  const once = await readiness()()
  failures.push(true, true, false)
  const lasting = readiness()
  const twice = await lasting()
  const afterwards = await eventuallyReady(lasting)

  assert.deepEqual([once, twice.map(fault => fault.name)], [[], ['files']])
  assert.ok(afterwards < 2_000, `${afterwards} ms`)
})

test('the metrics are for who has the token, and do not exist where there is none', async () => {
  const none = await bootDesk()

  const [open, stranger, wrong, right] = await Promise.all([
    fetch(`${none.url}/metrics`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${desk.url}/metrics`),
    fetch(`${desk.url}/metrics`, { headers: { authorization: `Bearer ${token}x` } }),
    fetch(`${desk.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  ])

  assert.deepEqual([open.status, stranger.status, wrong.status, right.status], [404, 401, 401, 200])
  assert.equal(stranger.headers.get('www-authenticate'), 'Bearer')
  assert.equal(right.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
})

test('requests are counted and timed by the pattern of their address, and what is watched is not', async () => {
  const before = await metricsOf()
  await desk.post('/api/check')
  await desk.post('/api/tickets/1/reply')
  await fetch(`${desk.url}/livez`)
  await fetch(`${desk.url}/nowhere-${Math.random()}`)

  const after = await metricsOf()

  const grown = (line: string) => (after.get(line) ?? 0) - (before.get(line) ?? 0)
  assert.equal(grown('deskline_http_requests_total{method="POST",route="/api/check",status="200"}'), 1)
  assert.equal(grown('deskline_http_requests_total{method="POST",route="/api/tickets/:id/reply",status="401"}'), 1)
  assert.equal(grown('deskline_http_requests_total{method="GET",route="unknown",status="404"}'), 1)
  assert.equal(grown('deskline_http_request_seconds_count{route="/api/check"}'), 1)
  assert.equal(after.get('deskline_http_requests_in_flight'), 0)
  assert.equal(after.get('deskline_database_up'), 1)
  assert.ok(![...after.keys()].some(line => /livez|metrics"|nowhere/.test(line)))
})

test('a guess that meets its limit is counted by its kind', async () => {
  const wrong = { email: 'nobody@example.com', password: 'not this one' }
  for (let attempt = 1; attempt <= 3; attempt++) await desk.post('/api/auth/login', undefined, wrong)

  const metrics = await metricsOf()

  assert.equal(metrics.get('deskline_attempt_limit_hits_total{kind="password"}'), 1)
})

test('e-mails that wait are counted with their age, and how each was settled', async () => {
  const client = await aClient(desk)
  await desk.post('/api/auth/send-email-verification', client, { email: client.email })
  desk.clock.turn(7)

  const mail = '{channel="mail",state="new"}'
  const waiting = await metricsWhen(metrics => metrics.get(`deskline_outbox_messages${mail}`) === 1)
  await desk.deliver()
  const sent = await metricsWhen(metrics => metrics.get(`deskline_outbox_messages${mail}`) === 0)

  const age = waiting.get(`deskline_outbox_oldest_seconds${mail}`)!
  // Besides the seven of the clock that was turned, as long as it took until it was looked at.
  assert.ok(age >= 7 && age < 100, `${age} s`)
  assert.equal(sent.get('deskline_outbox_deliveries_total{channel="mail",outcome="sent"}'), 1)
  assert.equal(sent.get('deskline_outbox_deliveries_total{channel="text",outcome="sent"}'), 0)
})

async function namesOf({ services }: Pick<typeof desk, 'services'>): Promise<string[]> {
  return (await readinessOf(services, undefined, { onlyJobs: true })()).map(fault => fault.name)
}

async function testConnection({ connection }: Pick<typeof desk, 'connection'>): Promise<pg.Client> {
  const client = new pg.Client(typeof connection === 'string' ? { connectionString: connection } : connection)
  // A database that is dropped when the test is over ends its connections.
  client.on('error', () => {})
  await client.connect()
  after(() => client.end())
  return client
}

/** How many milliseconds it takes until it is ready. */
async function eventuallyReady(readiness: Readiness): Promise<number> {
  const begin = performance.now()
  while ((await readiness()).length > 0) await new Promise(resolve => setTimeout(resolve, 20))
  return performance.now() - begin
}

/** How e-mails wait is looked at once a second. */
async function metricsWhen(isSo: (metrics: Map<string, number>) => boolean): Promise<Map<string, number>> {
  for (const deadline = Date.now() + 60_000; ; await new Promise(resolve => setTimeout(resolve, 50))) {
    const metrics = await metricsOf()
    if (isSo(metrics)) return metrics
    assert.ok(Date.now() < deadline, 'in time')
  }
}

/** Each line of the metrics with its value. */
async function metricsOf(): Promise<Map<string, number>> {
  const answer = await fetch(`${desk.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const lines = (await answer.text()).split('\n').filter(line => line && !line.startsWith('#'))
  return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}
