import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { transaction } from '../../core/db.ts'
import { type JobHandlers, openJobs, queues } from '../../core/jobs.ts'
import { makeLog } from '../log.ts'
import type { Attempt } from './jobs.ts'

const log = makeLog('silent')

describe('jobs', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  test('a job exists only when the transaction that sends it commits', async () => {
    const jobs = openJobs({ connection: database.connection, log })
    const { done, handlers } = recording()

    const refused = transaction(database.db, async db => {
      await jobs.send(db, 'deliver-message', { messageId: 1 })
      throw new Error('changed my mind')
    })
    await assert.rejects(refused, /changed my mind/)
    await transaction(database.db, db => jobs.send(db, 'deliver-message', { messageId: 2 }))

    assert.deepEqual(await jobs.drain(database.db, handlers), { completed: 1, failed: 0 })
    assert.deepEqual(done, [2])
  })

  test('sending needs no connection besides that of the transaction', async () => {
    const narrow = await testDatabase({ connections: 1 })
    const jobs = openJobs({ connection: narrow.connection, log })

    await transaction(narrow.db, db => jobs.send(db, 'deliver-message', { messageId: 1 }))

    assert.equal((await jobs.drain(narrow.db, recording().handlers)).completed, 1)
    await narrow.close()
  })

  test('a job that fails is tried 13 times, knows its last try, and is not run again', async () => {
    const jobs = openJobs({ connection: database.connection, log })
    const attempts: Attempt[] = []
    const handlers = {
      ...recording().handlers,
      'deliver-message': async (_: unknown, attempt: Attempt) => {
        attempts.push(attempt)
        throw new Error('out of order')
      }
    }

    await jobs.send(database.db, 'deliver-message', { messageId: 3 })
    await jobs.drain(database.db, handlers)
    const soon = await jobs.drain(database.db, handlers)
    while ((await jobs.drain(database.db, handlers, { early: true })).failed > 0);

    assert.deepEqual(soon, { completed: 0, failed: 0 })
    assert.deepEqual(
      attempts.map(attempt => attempt.number),
      Array.from({ length: 13 }, (_, at) => at + 1)
    )
    assert.deepEqual(
      attempts.filter(attempt => attempt.isLast),
      [{ number: 13, isLast: true }]
    )
  })

  test('tries are spread over hours, further apart each time', async () => {
    const { rows } = await sql<{ seconds: number }>`
      select sum(least(3600, retry_delay * 2 ^ try)) as seconds
      from pgboss.queue, generate_series(0, retry_limit - 1) as try
      where name = 'deliver-message' and retry_backoff and retry_delay_max = 3600`.execute(database.db)

    assert.ok(rows[0]!.seconds > 4 * 3600, `${rows[0]!.seconds}`)
  })

  test('workers that cannot start, since the database has just gone, start once it is back', async t => {
    const lost = await testDatabase({ connections: 2 })
    const { promise: warned, resolve: warn } = Promise.withResolvers<void>()
    const told = (line: string) => line.includes('cannot start yet') && warn()
    const jobs = openJobs({ connection: lost.connection, log: pino({ level: 'warn' }, { write: told }) })
    t.after(() => jobs.stop())
    const { promise: done, resolve: finish } = Promise.withResolvers<number>()
    await jobs.send(lost.db, 'deliver-message', { messageId: 7 })
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(lost.db)
    const allow = (isOpen: boolean) =>
      sql`alter database ${sql.id(rows[0]!.name)} allow_connections ${sql.lit(isOpen)}`.execute(database.db)
    await allow(false)

    const working = jobs.work({ 'deliver-message': async ({ messageId }) => finish(messageId) })
    await warned
    await allow(true)
    await working

    assert.equal(await done, 7)
  })

  test('ten starters at once install the queues together', async () => {
    const empty = await testDatabase()
    await sql`drop schema pgboss cascade`.execute(empty.db)

    await Promise.all(Array.from({ length: 10 }, () => openJobs({ connection: empty.connection, log }).install()))

    const { rows } = await sql<{ name: string }>`select name from pgboss.queue order by name`.execute(empty.db)
    const schedules = await sql<{ name: string }>`select name from pgboss.schedule order by name`.execute(empty.db)
    assert.deepEqual(
      rows.map(row => row.name).filter(name => !name.startsWith('__')),
      Object.keys(queues).toSorted()
    )
    assert.deepEqual(schedules.rows, [
      { name: 'add-up-ticket-counts' },
      { name: 'record-sign-in-failures' },
      { name: 'sweep' },
      { name: 'sweep-uploads' }
    ])
    await empty.close()
  })
})

describe('workers', () => {
  // By itself the queue would poll after an hour, so whatever is done before then was caused by a notification.
  const { worker } = queues['deliver-message']
  const former = { ...worker }
  before(() => void Object.assign(worker, { notifyPollingIntervalSeconds: 3600 }))
  after(() => void Object.assign(worker, former))

  test('they take up a job when it is committed, long before they would look by themselves', async () => {
    const { db, jobs, done, close } = await working()

    await transaction(db, db => jobs.send(db, 'deliver-message', { messageId: 7 }))

    await until(() => done.includes(7), 'the job was done')
    await close()
  })

  test('they work off a backlog without a pause', async () => {
    const { db, jobs, done, close } = await working()

    await transaction(db, async db => {
      for (let messageId = 1; messageId <= 60; messageId++) await jobs.send(db, 'deliver-message', { messageId })
    })

    await until(() => done.length === 60, 'the backlog was done')
    assert.equal(new Set(done).size, 60)
    await close()
  })

  test('they hold no more than three connections and outlive their loss', async () => {
    const { db, jobs, done, close } = await working()
    const lost = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'deskline jobs'`.execute(db)

    await jobs.send(db, 'deliver-message', { messageId: 8 })

    assert.ok(lost.rows.length > 0 && lost.rows.length <= 3, `${lost.rows.length} connections`)
    await until(() => done.includes(8), 'the job was done')
    await close()
  })

  test('a clock that was set back by a day keeps neither schedules nor waiting or unfinished jobs until it has caught up', async t => {
    const database = await testDatabase()
    const { db } = database
    const jobs = openJobs({ connection: database.connection, log })
    for (const messageId of [1, 2, 3]) await jobs.send(db, 'deliver-message', { messageId })
    await sql`update pgboss.job set state = 'active', started_on = now() where data->>'messageId' = '2'`.execute(db)
    // It has failed before, and is due for a retry in an hour.
    await sql`
      update pgboss.job set state = 'retry', created_on = now() - interval '3 days', started_on = now(), retry_count = 1,
        start_after = now() + interval '1 hour' where data->>'messageId' = '3'`.execute(db)
    // As if the clock had been set back a day since.
    await sql`update pgboss.version set cron_on = now() + interval '1 day'`.execute(db)
    await sql`update pgboss.queue set monitor_on = now() + interval '1 day', monitor_claim_on = now() + interval '1 day'`.execute(
      db
    )
    await sql`
      update pgboss.job set created_on = created_on + interval '1 day', start_after = start_after + interval '1 day',
        started_on = started_on + interval '1 day', heartbeat_on = now() + interval '1 day'`.execute(db)
    const { done, handlers } = recording()
    t.after(async () => {
      await jobs.stop()
      await database.close()
    })

    await jobs.work(handlers)

    await until(() => done.includes(1), 'the waiting job was done')
    const { rows } = await sql`
      select (select count(*)::int from pgboss.version where cron_on > now()) as schedules,
        (select count(*)::int from pgboss.queue where greatest(monitor_on, monitor_claim_on) > now()) as queues,
        (select count(*)::int from pgboss.job where greatest(created_on, started_on, heartbeat_on) > now()) as jobs,
        (select count(*)::int from pgboss.job where start_after > now() and state <> 'retry') as waiting,
        (select start_after between now() + interval '55 minutes' and now() + interval '1 hour' from pgboss.job
          where data->>'messageId' = '3') as retried
    `.execute(db)
    assert.deepEqual(rows, [{ schedules: 0, queues: 0, jobs: 0, waiting: 0, retried: true }])
  })

  test('what is meant for next week stays there, however often the clock is looked at', async t => {
    const database = await testDatabase()
    const { db } = database
    const jobs = openJobs({ connection: database.connection, log })
    for (const messageId of [1, 2]) await jobs.send(db, 'deliver-message', { messageId })
    await sql`update pgboss.job set start_after = now() + interval '7 days'`.execute(db)
    await sql`update pgboss.job set state = 'retry', started_on = now() where data->>'messageId' = '2'`.execute(db)
    // A schedule may be due at this very moment, and creates jobs of its own.
    const due = () =>
      sql`select start_after from pgboss.job where name = 'deliver-message' order by data->>'messageId'`.execute(db)
    const before = await due()
    const { done, handlers } = recording()
    t.after(async () => {
      await jobs.stop()
      await database.close()
    })

    // A start checks the clock, as the timer does.
    await jobs.work(handlers)

    assert.deepEqual((await due()).rows, before.rows)
    assert.deepEqual(done, [])
  })

  test('stopping waits for the job that is running', async () => {
    const database = await testDatabase()
    const jobs = openJobs({ connection: database.connection, log })
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let isDone = false
    await jobs.work({
      'deliver-message': async () => {
        start()
        await released
        isDone = true
      },
      sweep: async () => {}
    })
    await jobs.send(database.db, 'deliver-message', { messageId: 9 })
    await started

    const stopping = jobs.stop()
    release()
    await stopping

    const { rows } = await sql`select state from pgboss.job where name = 'deliver-message'`.execute(database.db)
    assert.ok(isDone)
    assert.deepEqual(rows, [{ state: 'completed' }])
    await database.close()
  })
})

function recording(): { done: number[]; handlers: Partial<JobHandlers> } {
  const done: number[] = []
  const handlers: Partial<JobHandlers> = {
    'deliver-message': async ({ messageId }) => {
      done.push(messageId)
    },
    sweep: async () => {}
  }
  return { done, handlers }
}

async function working() {
  const { connection, db, close } = await testDatabase()
  const jobs = openJobs({ connection, log })
  const { done, handlers } = recording()
  await jobs.work(handlers)
  return {
    db,
    jobs,
    done,
    async close() {
      await jobs.stop()
      await close()
    }
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!isSo()) {
    assert.ok(Date.now() < deadline, `in time: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
