import { sql } from 'kysely'
import { DatabaseClient } from '../../platform/db/database-client.ts'
import type { DatabaseOptions } from '../../platform/db/open.ts'
import type { Db } from '../db.ts'

/** How processes notify each other of new events. A process that misses a notification finds them a little later by polling. */
export interface EventChannel {
  /** Notifies all listeners, in a statement of its own: NOTIFY in a writing transaction would serialize all writers. */
  notify(db: Db): Promise<void>
  /** Starts listening, and calls `heard` with the newest position. Further calls do nothing. */
  listen(heard: (place: number) => void): void
  stop(): Promise<void>
}

const channel = 'deskline_events'
const connectWithinMilliseconds = 5_000
const connectAgainMilliseconds = 5_000

/** An event channel over PostgreSQL's LISTEN, which needs a session of its own: `connection` must not lead through a pooler in transaction mode. */
export function postgresEventChannel(connection: DatabaseOptions['connection']): EventChannel {
  let client: DatabaseClient | undefined
  let triedAt = Number.NEGATIVE_INFINITY

  return {
    async notify(db) {
      await sql`select pg_notify(${sql.lit(channel)}, last_place::text) from event_sequencer`.execute(db)
    },
    listen(heard) {
      if (client || performance.now() - triedAt < connectAgainMilliseconds) return
      triedAt = performance.now()
      client = begin(heard)
    },
    async stop() {
      triedAt = Number.POSITIVE_INFINITY
      const listening = client
      client = undefined
      await listening?.end().catch(() => {})
    }
  }

  function begin(heard: (place: number) => void): DatabaseClient {
    const where = typeof connection === 'string' ? { connectionString: connection } : { ...connection, ssl: false }
    const times = { connectionTimeoutMillis: connectWithinMilliseconds, keepAlive: true }
    const listening = new DatabaseClient({ ...where, ...times, session: { application_name: 'deskline events' } })
    // After any failure, the next poll of the log opens another connection.
    const lost = () => {
      if (client === listening) client = undefined
      listening.end().catch(() => {})
    }
    listening.on('error', lost)
    listening.on('end', lost)
    listening.on('notification', ({ payload }) => heard(Number(payload)))
    listening
      .connect()
      .then(() => listening.query(`listen ${channel}`))
      .catch(lost)
    return listening
  }
}
