import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { openJobs } from '../src/core/jobs.ts'
import { readinessOf } from '../src/operation/health/readiness.ts'
import { quiet } from './support/database.ts'
import { bootDesk, type Desk } from './support/desk.ts'
import { aClient } from './support/people.ts'
import type { Reply } from './support/requests.ts'

test('while the database takes no writes they are 503 with Retry-After, reading goes on and readiness tells; the first request after its return succeeds', async () => {
  const desk = await bootDesk({ connections: 8 })
  const { turn } = await switchOf(desk)
  const client = await aClient(desk)
  const read = () => desk.post('/api/tickets/list', client)
  const write = () =>
    desk.post('/api/tickets/create', client, { subject: 'A printer', message: 'It is on fire', department_id: 1 })
  const end = new AbortController()
  const underLoad = Promise.all([
    keepAsking(write, end.signal),
    keepAsking(write, end.signal),
    keepAsking(read, end.signal)
  ])
  const before = await Promise.all(times(10, write))

  await turn('on')
  const refused = await Promise.all(times(30, write))
  const reads = await Promise.all(times(30, read))
  const faults = await readinessOf(desk.services)()
  await turn('off')
  const after = await Promise.all([...times(30, write), ...times(30, read)])
  const ready = await readinessOf(desk.services)()
  end.abort()
  const answers = (await underLoad).flat()

  assert.ok(before.every(answer => answer.status === 201))
  assert.ok(refused.every(answer => answer.status === 503 && answer.headers.get('retry-after') === '2'))
  assert.ok(reads.every(answer => answer.status === 200))
  assert.deepEqual(
    faults.map(fault => fault.name),
    ['database']
  )
  assert.ok(after.every(answer => answer.status === 200 || answer.status === 201))
  assert.deepEqual(ready, [])
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200, 201, 503]))
})

test('the job queue goes on when the database takes writes again', async t => {
  const desk = await bootDesk()
  const { turn, waitUntil } = await switchOf(desk)
  const jobs = openJobs({ connection: desk.connection, log: quiet })
  t.after(() => jobs.stop())
  const { promise: done, resolve: finish } = Promise.withResolvers<number>()
  await jobs.work({ 'deliver-message': async ({ messageId }) => finish(messageId) })

  await turn('on')
  await waitUntil(
    `select from pg_stat_activity where datname = current_database() and application_name = 'deskline jobs'`
  )
  await turn('off')
  await jobs.send(desk.db, 'deliver-message', { messageId: 7 })

  assert.equal(await done, 7)
})

/** Turns writing off and on for new sessions, and ends those that are there, as a host does whose disk is full. */
async function switchOf(desk: Desk) {
  const where = typeof desk.connection === 'string' ? { connectionString: desk.connection } : desk.connection
  const operator = new pg.Client({
    ...where,
    application_name: 'operator',
    options: '-c default_transaction_read_only=off'
  })
  // A database that is dropped when the test is over ends its connections.
  operator.on('error', () => {})
  await operator.connect()
  after(() => operator.end())
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(desk.db)
  const waitUntil = async (query: string, values: unknown[] = []) => {
    for (const deadline = Date.now() + 60_000; (await operator.query(query, values)).rows.length === 0; ) {
      assert.ok(Date.now() < deadline, 'in time')
    }
  }
  const turn = async (isReadOnly: 'on' | 'off') => {
    await operator.query(`alter database ${rows[0]!.name} set default_transaction_read_only = ${isReadOnly}`)
    if (isReadOnly === 'off') return
    const { rows: ended } = await operator.query(
      "select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'deskline%'"
    )
    const pids = ended.map(({ pid }) => pid)
    await waitUntil('select where not exists (select from pg_stat_activity where pid = any($1))', [pids])
  }
  return { turn, waitUntil }
}

function times<T>(count: number, work: () => T): T[] {
  return Array.from({ length: count }, work)
}

async function keepAsking(ask: () => Promise<Reply>, signal: AbortSignal): Promise<Reply[]> {
  const answers: Reply[] = []
  while (!signal.aborted) answers.push(await ask())
  return answers
}
