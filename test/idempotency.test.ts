import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../src/core/db.ts'
import { eventually } from './faults/eventually.ts'
import { databaseUrl, testDatabase } from './support/database.ts'
import { served } from './support/program.ts'
import { post, signUp } from './support/requests-by-url.ts'

// Real processes on one database, which are killed, and callers who hang up.

type Service = Awaited<ReturnType<typeof served>>

const opening = { department_id: 1, subject: 'The printer is on fire', message: 'Please hurry.' }
const crowd = 20

describe('requests with an idempotency key', { concurrency: 1 }, () => {
  let folder: string
  let db: Db
  let env: NodeJS.ProcessEnv
  let one: Service
  let other: Service
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deskline-idempotency-'))
    const database = await testDatabase({ connections: 3 })
    db = database.db
    env = { DATA_DIR: folder, DATABASE_URL: databaseUrl(database.connection), APP_SECRET: 'x'.repeat(40) }
    const both = [served(env, '--no-worker'), served(env, '--no-worker')] as const
    ;[one, other] = await Promise.all(both)
  })
  after(async () => {
    await Promise.all([one?.stop('SIGKILL'), other?.stop('SIGKILL')])
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  test('make one ticket, however many come to two processes at once', async () => {
    const { token } = await signUp(one.url, 'crowd@example.com')
    const open = (at: number) => openTicket([one, other][at % 2]!.url, token)

    const answers = await Promise.all(Array.from({ length: crowd }, (_, at) => open(at)))

    const made = answers.filter(answer => answer.status === 201)
    assert.equal(made.filter(answer => !answer.isReplayed).length, 1)
    assert.equal(made.length + answers.filter(answer => answer.status === 409).length, crowd)
    assert.equal(await ticketsOf('crowd@example.com'), 1)
    const again = await openTicket(other.url, token)
    assert.deepEqual([again.isReplayed, again.text], [true, made[0]!.text])
  })

  test('make one ticket for whoever hangs up before the answer and comes again', async () => {
    const { token } = await signUp(one.url, 'gone@example.com')
    const standing = await standStill('trigger stand_still before insert', '')
    const socket = connect(one.port, '127.0.0.1')
    await once(socket, 'connect')
    const body = JSON.stringify(opening)
    const headers = [
      ...['Host: desk', `Authorization: Bearer ${token}`, `Idempotency-Key: ${token.slice(-40)}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`]
    ]
    socket.write(['POST /api/tickets/create HTTP/1.1', ...headers, '', body].join('\r\n'))
    await standing.isReached()

    socket.resetAndDestroy()
    await standing.release()
    await eventually(60, 'the ticket', async () => assert.equal(await ticketsOf('gone@example.com'), 1))
    const again = await openTicket(one.url, token)

    assert.deepEqual([again.status, again.isReplayed], [201, true])
    assert.equal(await ticketsOf('gone@example.com'), 1)
  })

  for (const [moment, timing, deferral, isDone] of [
    ['before its commit', 'trigger stand_still before insert', '', false],
    ['at its commit', 'constraint trigger stand_still after insert', 'deferrable initially deferred', true]
  ] as const) {
    test(`make one ticket where the process is killed ${moment}`, async () => {
      const email = `killed.${isDone}@example.com`
      const { token } = await signUp(one.url, email)
      const standing = await standStill(timing, deferral)
      const lost = openTicket(one.url, token).catch(() => undefined)
      await standing.isReached()

      await one.stop('SIGKILL')
      // Without its client the server goes on with what it was told last; before the commit that is not the commit.
      await standing.release()
      await lost
      await eventually(60, 'the end of what was going on', async () => {
        assert.equal(await ticketsOf(email), isDone ? 1 : 0)
        assert.equal((await openTicket(other.url, token)).status, 201)
      })
      const again = await openTicket(other.url, token)

      assert.deepEqual([again.status, again.isReplayed], [201, true])
      assert.equal(await ticketsOf(email), 1)
      one = await served(env, '--no-worker')
    })
  }

  /** Lets whoever keeps an answer stand still, until it is released. */
  async function standStill(timing: string, deferral: string) {
    await sql`create or replace function stand_still() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(4712); return new; end'`.execute(db)
    await sql`create ${sql.raw(timing)} on idempotency_keys ${sql.raw(deferral)} for each row
      execute function stand_still()`.execute(db)
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
    const standing = db.transaction().execute(async db => {
      await sql`select pg_advisory_xact_lock(4712)`.execute(db)
      hold()
      await released
    })
    await held
    return {
      isReached: () =>
        eventually(60, 'somebody who stands still', async () => {
          const { rows } = await sql`
            select from pg_locks where locktype = 'advisory' and objid = 4712 and not granted`.execute(db)
          assert.equal(rows.length, 1)
        }),
      async release() {
        letGo()
        await standing
        await sql`drop trigger stand_still on idempotency_keys`.execute(db)
      }
    }
  }

  async function ticketsOf(email: string): Promise<number> {
    const rows = await db
      .selectFrom('tickets')
      .innerJoin('clients', 'clients.id', 'tickets.client_id')
      .where('email', '=', email)
      .select('tickets.id')
      .execute()
    return rows.length
  }
})

/** Of one caller always with the same key. */
async function openTicket(url: string, token: string) {
  const answer = await post(url, '/api/tickets/create', opening, token, { 'idempotency-key': token.slice(-40) })
  const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
  return { status: answer.status, text: await answer.text(), isReplayed }
}
