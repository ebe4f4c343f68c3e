import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { beginAuditLog, sealEvents } from '../../src/core/audit/audit-chain.ts'
import { movableClock } from '../../src/core/clock/desk-clock.ts'
import { type Config, readConfig } from '../../src/core/config.ts'
import type { Db } from '../../src/core/db.ts'
import { catchUpWithLog } from '../../src/core/events/follow-log.ts'
import { sequence } from '../../src/core/events/read-events.ts'
import { openEventTail } from '../../src/core/events/tail.ts'
import { openJobs } from '../../src/core/jobs.ts'
import { makeKeys } from '../../src/core/keys.ts'
import { makeMetrics } from '../../src/core/metrics.ts'
import type { Services } from '../../src/core/services.ts'
import { jobHandlers } from '../../src/job-handlers.ts'
import type { DatabaseOptions } from '../../src/platform/db/open.ts'
import { diskFileStore } from '../../src/platform/files/disk.ts'
import { mailReader } from '../../src/platform/mail-reading/mail-reader.ts'
import { outgoingHttp } from '../../src/platform/outgoing/outgoing.ts'
import { notificationReader } from '../../src/tickets/notifications/pending-events.ts'
import { sendNotifications } from '../../src/tickets/notifications/send-notifications.ts'
import { type TestClock, testClock } from './clock.ts'
import { quiet, type TestDatabase, testDatabase } from './database.ts'
import { requireEventShapes } from './event-shapes.ts'
import { aFileOwner } from './file-owner.ts'
import { type Outbox, recordingOutbox } from './outbox.ts'
import { cheapPasswords } from './passwords.ts'
import { type Poster, poster } from './requests.ts'

/** A whole service for one test file: real HTTP, a new database, a clock to advance, an outbox to read. */
export interface Desk {
  url: string
  dataDir: string
  services: Services
  db: Db
  connection: DatabaseOptions['connection']
  clock: TestClock
  outbox: Outbox
  post: Poster
  /** Has the log read for what somebody may have to be notified of. */
  findPendingNotifications(): Promise<void>
  /** Sends the notifications of tickets and delivers every due e-mail and text; returns the outbox. */
  deliver(options?: { early?: boolean }): Promise<Outbox>
  /** The number of rows in each table, to assert that a refusal has written nothing. */
  rowCounts(): Promise<Record<string, number>>
}

/** The same in each database of a run. */
let countRows: string | undefined

async function countingQuery(pool: TestDatabase['pool']): Promise<string> {
  const { rows } = await pool.query(
    `select string_agg(format('select %L as table, count(*)::int as rows from %I', relname, relname), ' union all ' order by relname) as text
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = 'public' and relkind = 'r' and relpersistence = 'p' and relname not in ('rate_limits', 'sign_in_failures', 'stream_processes', 'event_streams', 'service_account_calls', 'service_account_days', 'kysely_migration', 'kysely_migration_lock')`
  )
  return rows[0].text
}

/**
 * Boots a desk that is closed when the tests are over. `connections` is 1 by default, where a query that escapes its
 * transaction hangs; races want more. `webFolder`: where the pages were built, if not where the build puts them.
 */
export async function bootDesk(
  options: { connections?: number; config?: Partial<Config>; services?: Partial<Services>; webFolder?: string } = {}
): Promise<Desk> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-desk-'))
  const database = await testDatabase({ connections: options.connections })
  const clock = testClock()
  const outbox = recordingOutbox()
  const config = { ...readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir }), ...options.config }
  const jobs = openJobs({ connection: database.connection, log: quiet })
  const keys = makeKeys(['a secret of thirty-two characters, at least'])
  await beginAuditLog(keys, database.db)
  const events = openEventTail({
    db: database.db,
    log: quiet,
    seal: (db, events) => sealEvents(keys, db, events)
  })
  const reader = mailReader()
  const services: Services = {
    config,
    clock: config.TEST_CLOCK ? movableClock(database.db, clock) : clock,
    realClock: clock,
    jobs,
    db: database.db,
    probe: database.probe,
    pool: database.pool,
    events,
    log: quiet,
    keys,
    passwords: cheapPasswords,
    files: diskFileStore(dataDir, aFileOwner()),
    scanner: undefined,
    mail: outbox.mail,
    mailReader: reader,
    texts: outbox.texts,
    outgoing: outgoingHttp({ allowed: config.WEBHOOK_ALLOW_PRIVATE }),
    pictureServers: outgoingHttp({ allowed: [] }),
    metrics: makeMetrics(),
    ...options.services
  }
  let app: Awaited<ReturnType<typeof buildApp>> | undefined = await buildApp(services, { webFolder: options.webFolder })
  // A slow machine must not close a connection just when the next request is sent.
  app.server.keepAliveTimeout = 600_000
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  after(async () => {
    app?.server.closeAllConnections()
    await app?.close()
    // The modules of tests and their hooks stay, and with them what they can reach: routes and schemas are megabytes.
    app = undefined
    await events.stop()
    await reader.close()
    const shapes = requireEventShapes(database.db)
    await shapes.catch(() => {})
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
    await shapes
  })
  const findPendingNotifications = async () => {
    await sequence(services)
    await catchUpWithLog(database.db, notificationReader(services))
  }
  return {
    url,
    dataDir,
    services,
    clock,
    outbox,
    db: database.db,
    connection: database.connection,
    post: poster(url),
    findPendingNotifications,
    async deliver({ early = false } = {}) {
      await findPendingNotifications()
      await sendNotifications(services)
      await jobs.drain(database.db, jobHandlers(services), { early })
      return outbox
    },
    async rowCounts() {
      await sequence(services)
      // What came and went is then nothing.
      await database.pool.query('select sum_up_ticket_counts()')
      countRows ??= await countingQuery(database.pool)
      // By its name it is planned once a connection: that takes longer than the counting.
      const { rows } = await database.pool.query({ name: 'row counts', text: countRows })
      return Object.fromEntries(rows.map(row => [row.table, row.rows]))
    }
  }
}
