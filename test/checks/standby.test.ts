import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { endpoints } from '../../src/endpoints.ts'
import { eventually } from '../faults/eventually.ts'
import { isReplayed, postWithKey } from '../support/idempotency-keys.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { run, served } from '../support/program.ts'
import { poster } from '../support/requests.ts'
import { exampleBody } from '../support/routes.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'

test('a service that is led to a standby refuses to write and is not ready; led back, or the standby promoted, it works at once', async t => {
  const failover = await failoverOf(t)
  if (!failover) return
  const { primary, standby, wire, environment, service, signUp, lead } = failover
  const post = poster(service.url)
  const mary = { first_name: 'Mary', last_name: 'Shelley', email: 'mary@example.com', password: 'correct horse' }
  const once = () => postWithKey(service, 'one-key', '/api/auth/signup', undefined, mary)
  const statuses = async () => (await Promise.all(Array.from({ length: 8 }, signUp))).map(answer => answer.status)
  const all = (status: number) => Array(8).fill(status)
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status
  assert.deepEqual(await statuses(), all(201))
  const first = await once()

  await lead(standby)
  const refused = await signUp()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
  assert.deepEqual(await statuses(), all(503))
  await eventually(60, 'the refusal', async () => assert.equal(await isReady(), 503))
  assert.equal((await post('/api/departments')).status, 200)
  const told = await run(['doctor'], environment)
  assert.equal(told.code, 1)
  assert.match(told.output, /fail +database: DATABASE_URL \S+ cannot be used: it is a standby, which takes no writes/)

  wire.redirectTo(placeOf(primary))
  assert.deepEqual(await statuses(), all(201))
  await eventually(60, 'the readiness', async () => assert.equal(await isReady(), 200))

  await lead(standby)
  assert.deepEqual(await statuses(), all(503))
  await primary.stop()
  await ask(standby, 'select pg_promote()')
  assert.deepEqual(await statuses(), all(201))
  // What was done before is known to whoever took over.
  const again = await once()
  assert.deepEqual([first.status, again.body, isReplayed(again)], [201, first.body, true])
  await post('/api/auth/forgot-password', undefined, { email: 'ada.1@example.com' })
  await eventually(30, 'the delivery of an e-mail', async () =>
    assert.deepEqual(await ask(standby, 'select state from outbox_messages order by id desc limit 1'), [
      { state: 'sent' }
    ])
  )
})

test('on a standby no request fails as a bug: what needs an unlogged table is a 503 as any write is, and works at once on the primary', async t => {
  const failover = await failoverOf(t)
  if (!failover) return
  const { primary, standby, wire, environment, service, signUp, lead } = failover
  const post = poster(service.url)
  const [email, password] = ['ada.1@example.com', 'correct horse']
  await signUp()
  const created = await run(['create-admin', '--email', 'grace@example.com'], environment, `${password}\n`)
  assert.equal(created.code, 0, created.output)
  const client = (await post('/api/auth/login', undefined, { email, password })).data
  const admin = (await post('/api/admin/auth/login', undefined, { email: 'grace@example.com', password })).data
  const ticket = { department_id: 1, subject: 'A printer', message: 'It is on fire' }
  const { ticket_id: id } = (await post('/api/tickets/create', client, ticket)).data
  const requests: [string, typeof client?, object?][] = [
    ['/api/auth/login', undefined, { email, password }],
    ['/api/auth/login', undefined, { email, password: 'wrong' }],
    ['/api/admin/auth/login', undefined, { email: 'grace@example.com', password }],
    ['/api/auth/forgot-password', undefined, { email }],
    ['/api/auth/send-email-verification', client],
    ['/api/auth/verify-email', client, { code: '123456' }],
    ['/api/account/password', client, { current_password: password, new_password: password }],
    ['/api/admin/tickets/presence', admin, { id, state: 'viewing' }],
    ['/api/admin/tickets/presence', admin, { id, state: 'away' }],
    ['/api/admin/events/stream', admin],
    ['/api/events/stream', client]
  ]
  const answers = async () => {
    const got = []
    for (const [path, who, body] of requests) {
      const { status, headers } = await post(path, who, body)
      got.push(status === 503 ? [path, status, headers.get('retry-after')] : [path, status])
    }
    return got
  }

  await lead(standby)
  const refused = [...(await answers()), ['sign-up', (await signUp()).status, '2']]
  const others = await Promise.all(
    endpoints.map(async endpoint => {
      const { access, path } = endpoint
      const isForStaff = access === 'admin' || access === 'staff' || (typeof access === 'object' && !access.orClient)
      const body = { ...exampleBody(endpoint).filled, id, ticket_id: id }
      return [path, (await post(path, isForStaff ? admin : client, body)).status] as const
    })
  )
  wire.redirectTo(placeOf(primary))
  const afterwards = await answers()

  assert.deepEqual(refused, [...requests.map(([path]) => [path, 503, '2']), ['sign-up', 503, '2']])
  assert.deepEqual(
    others.filter(([, status]) => status >= 500 && status !== 503),
    []
  )
  assert.deepEqual(
    afterwards.map(([, status]) => status),
    [200, 401, 200, 200, 200, 400, 200, 200, 200, 200, 200]
  )
})

test('S16: of the clocks that fall due around a failover none is lost, and each is told late once', async t => {
  const failover = await failoverOf(t)
  if (!failover) return
  const { primary, standby, environment, service, signUp, lead } = failover
  const post = poster(service.url)
  const [email, password] = ['ada.1@example.com', 'correct horse']
  await signUp()
  const created = await run(['create-admin', '--email', 'grace@example.com'], environment, `${password}\n`)
  assert.equal(created.code, 0, created.output)
  const client = (await post('/api/auth/login', undefined, { email, password })).data
  const admin = (await post('/api/admin/auth/login', undefined, { email: 'grace@example.com', password })).data
  const { calendars } = (await post('/api/admin/calendars/list', admin)).data
  const { id: calendar_id } = calendars.find((each: { is_always: 0 | 1 }) => each.is_always === 1)
  const target = { metric: 'first_response', priority: 'Medium', minutes: 600, calendar_id }
  const policy = { name: 'Ten hours', targets: [target], warn_minutes: null, is_active: 1 }
  assert.equal((await post('/api/admin/sla-policies/create', admin, policy)).status, 201)
  const ticket = { department_id: 1, subject: 'A printer', message: 'It is on fire' }
  const opened = async (count: number) => {
    for (let each = 0; each < count; each++)
      assert.equal((await post('/api/tickets/create', client, ticket)).status, 201)
  }
  const count = async (place: Postgres, of: string) => {
    const [row] = (await ask(place, `select count(*)::integer as found from ${of}`)) as [{ found: number }]
    return row.found
  }
  const fallDue = (place: Postgres) =>
    ask(place, 'update sla_clocks set due_at = now() where breached_at is null and ended_at is null')
  await opened(5)
  await eventually(60, 'the clocks', async () => assert.equal(await count(primary, 'sla_clocks'), 5))
  await fallDue(primary)
  await eventually(60, 'the breaches', async () =>
    assert.equal(await count(primary, "events where kind = 'sla.breached'"), 5)
  )
  await opened(10)
  await fallDue(primary)

  await lead(standby)
  await primary.stop()
  await ask(standby, 'select pg_promote()')
  await eventually(60, 'all clocks', async () => assert.equal(await count(standby, 'sla_clocks'), 15))
  await fallDue(standby)
  await eventually(60, 'all breaches', async () =>
    assert.equal(await count(standby, 'sla_clocks where breached_at is not null'), 15)
  )

  const told = `(select from events where kind = 'sla.breached' group by ticket_id having count(*) = 1) as once`
  assert.deepEqual([await count(standby, told), await count(standby, "events where kind = 'sla.started'")], [15, 15])
})

/** A service in production that reaches a primary, and can be led to its standby; undefined where no PostgreSQL is installed. */
async function failoverOf(t: TestContext) {
  const primary = await startPostgres()
  if (!primary) return t.skip('no PostgreSQL is installed here')
  t.after(() => primary.remove())
  const standby = await primary.standby()
  t.after(() => standby.remove())
  const wire = await tcpProxy(placeOf(primary))
  t.after(() => wire.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-standby-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const environment = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    APP_SECRET: 'a secret of thirty-two characters',
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://deskline@127.0.0.1:${wire.port}/postgres`
  }
  const service = await served(environment)
  t.after(() => service.stop('SIGKILL'))
  const post = poster(service.url)
  let serial = 0
  const signUp = () =>
    post('/api/auth/signup', undefined, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: `ada.${++serial}@example.com`,
      password: 'correct horse'
    })
  const lead = async (to: Postgres) => {
    await caughtUp(primary, standby)
    wire.redirectTo(placeOf(to))
  }
  return { primary, standby, wire, environment, service, signUp, lead }
}

function placeOf({ url }: Postgres) {
  return { host: '127.0.0.1', port: Number(new URL(url).port) }
}

async function ask({ url }: Postgres, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

/** Waits until the standby has what the primary has. */
async function caughtUp(primary: Postgres, standby: Postgres): Promise<void> {
  const [{ place }] = (await ask(primary, 'select pg_current_wal_lsn() as place')) as [{ place: string }]
  await eventually(30, 'the replication', async () =>
    assert.deepEqual(await ask(standby, `select pg_last_wal_replay_lsn() >= '${place}' as is_there`), [
      { is_there: true }
    ])
  )
}
