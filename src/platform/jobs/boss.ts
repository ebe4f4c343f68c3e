import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import type { AnyDb } from '../db/any-db.ts'
import { DatabaseClient } from '../db/database-client.ts'
import type { DatabaseOptions } from '../db/open.ts'
import type { Log } from '../log.ts'
import type { HandlersOf, JobData, JobSender, Queues } from './jobs.ts'
import { shiftFutureJobs } from './shift-future-jobs.ts'
import { wakeAfterErrors } from './wake-after-errors.ts'

const expiryCheckSeconds = 15
const clockCheckMilliseconds = 600_000
/** A connection without a response for this long is dropped: its server has vanished. */
const silenceMilliseconds = 60_000
const stopTimeoutMilliseconds = 10_000
const startAgainMilliseconds = 1_000
/** The schema version of the queue's own tables. */
const newestVersion = manifest.pgboss.schema
const indexCheckMilliseconds = 200

/** Jobs in the database: sent with the caller's transaction, run by workers in this process. */
export interface JobRunner<D extends JobData<D>> extends JobSender<D> {
  /** Creates or updates the tables and queues. Safe with concurrent starters. */
  install(): Promise<void>
  /** Whether the tables and queues are as this code needs them, or newer. */
  isInstalled(db: AnyDb): Promise<boolean>
  /** Removes every job of that queue, in the transaction `db`. */
  clear(db: AnyDb, name: keyof D & string): Promise<void>
  /**
   * Starts the workers, on three connections of their own. They survive a database outage, also during the start; `signal` stops waiting for
   * that. Queues without a handler are ignored.
   */
  work(handlers: Partial<HandlersOf<D>>, signal?: AbortSignal): Promise<void>
  /**
   * Runs due jobs and the jobs they cause, one after the other, through `db`. With `early`, jobs waiting for a retry run once as well. Returns
   * how many jobs were completed and how many failed.
   */
  drain(
    db: AnyDb,
    handlers: Partial<HandlersOf<D>>,
    options?: { early?: boolean }
  ): Promise<{ completed: number; failed: number }>
  /** Stops the workers; running jobs get ten seconds, and are retried later otherwise. */
  stop(): Promise<void>
}

/** Jobs in these queues. */
export function jobsOf<D extends JobData<D>>(queues: Queues<D>): (options: JobOptions) => JobRunner<D> {
  return options => openJobs(queues, options)
}

interface JobOptions {
  connection: DatabaseOptions['connection']
  log: Log
}

/** Opens nothing yet: `install` connects while it runs, `work` until `stop`; `send` and `drain` use the given handle. */
function openJobs<D extends JobData<D>>(queues: Queues<D>, { connection, log }: JobOptions): JobRunner<D> {
  const names = Object.keys(queues) as (keyof D & string)[]
  let workers: PgBoss | undefined
  let clockWatch: NodeJS.Timeout | undefined
  let waking: ReturnType<typeof wakeAfterErrors> | undefined

  const openBoss = (options: {
    max: number
    supervise: boolean
    schedule: boolean
    useListenNotify: boolean
    bamIntervalSeconds?: number
    query_timeout?: number
  }) => {
    const where = typeof connection === 'string' ? { connectionString: connection } : connection
    const session = { application_name: 'deskline jobs', jit: 'off', timezone: 'UTC' }
    const times = {
      superviseIntervalSeconds: expiryCheckSeconds,
      monitorIntervalSeconds: expiryCheckSeconds,
      cronWorkerIntervalSeconds: 30
    }
    const boss = new PgBoss({ ...where, ...{ Client: DatabaseClient, session, keepAlive: true }, ...options, ...times })
    // Without a listener an error, such as a broken connection, would end the process.
    boss.on('error', error => log.warn({ err: error }, 'The job queue met an error and goes on'))
    boss.on('warning', ({ message, data }) => log.warn({ data }, message))
    return boss
  }

  return {
    async send(db, name, data) {
      await bossOn(db).send(name, data)
    },

    async install() {
      const boss = openBoss({
        max: 1,
        supervise: false,
        schedule: false,
        useListenNotify: false,
        bamIntervalSeconds: 10
      })
      await boss.start()
      try {
        await indexesMade(boss)
        for (const name of names) {
          const { queue, schedule } = queues[name]
          await boss.createQueue(name, queue)
          await boss.updateQueue(name, queue)
          if (schedule) await boss.schedule(name, schedule)
        }
      } finally {
        await boss.stop({ graceful: false })
      }
    },

    async isInstalled(db) {
      const { rows: tables } = await sql<{ name: string | null }>`select to_regclass('pgboss.version') as name`.execute(
        db
      )
      if (!tables[0]?.name) return false
      const { rows } = await sql<{ version: number; queues: string[] }>`
        select version, array(select name from pgboss.queue) as queues from pgboss.version`.execute(db)
      const [found] = rows
      return Boolean(found && found.version >= newestVersion && names.every(name => found.queues.includes(name)))
    },

    async clear(db, name) {
      await bossOn(db).deleteAllJobs(name)
    },

    async work(handlers, signal) {
      while (!signal?.aborted) {
        try {
          return await startWorkers(handlers)
        } catch (error) {
          log.warn({ err: error }, 'The job queue cannot start yet, and tries again')
          await workers?.stop({ graceful: false }).catch(() => {})
          await pause(startAgainMilliseconds, undefined, { signal }).catch(() => {})
        }
      }
    },

    async drain(db, handlers, { early = false } = {}) {
      const boss = bossOn(db)
      const result = { completed: 0, failed: 0 }
      let ignoreStartAfter = early
      while (true) {
        const found = []
        for (const name of names.filter(name => handlers[name])) {
          found.push(...(await boss.fetch<object>(name, { includeMetadata: true, batchSize: 1000, ignoreStartAfter })))
        }
        if (found.length === 0) return result

        for (const job of found) {
          const error = await errorOf(handlers, job)
          if (error) await boss.fail(job.name, job, { error: error.message })
          else await boss.complete(job.name, job)
          result[error ? 'failed' : 'completed']++
        }
        // Otherwise a failing job would be retried forever.
        ignoreStartAfter = false
      }
    },

    async stop() {
      clearInterval(clockWatch)
      waking?.stop()
      await workers?.stop({ timeout: stopTimeoutMilliseconds })
      workers = undefined
    }
  }

  async function startWorkers(handlers: Partial<HandlersOf<D>>): Promise<void> {
    const boss = openBoss({
      max: 2,
      supervise: true,
      schedule: true,
      useListenNotify: true,
      query_timeout: silenceMilliseconds
    })
    workers = boss
    const ids: string[] = []
    waking?.stop()
    waking = wakeAfterErrors({
      isWritable: () => isWritable(boss),
      wake: () => {
        for (const id of ids) boss.notifyWorker(id)
      }
    })
    boss.on('error', waking.onError)
    await boss.start()
    await watchClock(boss)
    for (const name of names.filter(name => handlers[name])) {
      const options = { ...queues[name].worker, includeMetadata: true, perJobResults: true } as const
      const id = await boss.work(name, options, (jobs: JobWithMetadata<object>[]) =>
        Promise.all(
          jobs.map(async job => {
            const error = await errorOf(handlers, job)
            return error
              ? { id: job.id, status: 'failed' as const, output: { error: error.message } }
              : { id: job.id, status: 'completed' as const }
          })
        )
      )
      ids.push(id)
    }
  }

  /** Uses a timer, which does not depend on the time of day: a schedule would stop with the clock. */
  async function watchClock(boss: PgBoss): Promise<void> {
    await shiftFutureJobs(boss.getDb())
    clearInterval(clockWatch)
    clockWatch = setInterval(() => {
      shiftFutureJobs(boss.getDb()).catch(error =>
        log.warn({ err: error }, 'The job queue could not check its schedule')
      )
    }, clockCheckMilliseconds).unref()
  }

  /** A new version of the queue creates its indexes one by one, while it works. */
  async function indexesMade(boss: PgBoss): Promise<void> {
    const isUnderWay = async () =>
      (await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress')
    while (await isUnderWay()) await pause(indexCheckMilliseconds)
  }

  async function errorOf(handlers: Partial<HandlersOf<D>>, job: JobWithMetadata<object>): Promise<Error | undefined> {
    const attempt = { number: job.retryCount + 1, isLast: job.retryCount >= job.retryLimit }
    try {
      await handlers[job.name as keyof D]!(job.data as never, attempt)
      return undefined
    } catch (error) {
      log.warn({ err: error, job: job.name, data: job.data, attempt }, 'A job failed')
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

async function isWritable(boss: PgBoss): Promise<boolean> {
  const { rows } = await boss.getDb().executeSql("select current_setting('transaction_read_only') as read_only")
  return rows[0]?.read_only === 'off'
}

/** All its statements use `db`, so that looking up a queue never needs a second connection. */
function bossOn(db: AnyDb): PgBoss {
  return new PgBoss({ db: fromKysely(db) })
}
