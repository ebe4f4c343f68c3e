import type { Socket } from 'node:net'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { momentIn } from './moment.ts'
import { nameOf } from './prepared.ts'
import type { Tables } from './tables.ts'

/** A handle on the database: the pool, or the transaction that a verb has opened. */
export type Db = Kysely<Tables>

/** How the pool of connections stands. */
export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  /** Who waits for a connection because all are busy. */
  readonly waitingCount: number
}

export interface Database {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** A `postgres://` URL, or where the embedded server listens. */
  connection: string | { host: string; port: number; user: string; database: string }
  maxConnections: number
  statementTimeoutMilliseconds: number
  connectTimeoutMilliseconds: number
  /** A connection on which an answer takes longer is dropped; more than a statement may take. Without it answers are awaited for ever. */
  answerTimeoutMilliseconds?: number
  /** Told of each connection that breaks while idle; the pool replaces it. */
  onIdleError(error: Error): void
}

/** int8 and numeric come as numbers. */
export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, momentIn)

/**
 * Fixed queries travel by name: parsed and planned once a connection. Everything else goes as it is. A connection on which no answer
 * comes in time is dropped: its server may be gone without a word, and the system would wait for it for a quarter of an hour.
 */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg overloads `query` ten times; all pass through.
  override query(...args: any[]): any {
    const [text, values] = args
    const name = typeof text === 'string' ? nameOf(text) : undefined
    const answer = name ? this.#named(name, text, values) : super.query(...(args as [string]))
    return answer instanceof Promise ? answer.catch(error => dropSilent(this, error)) : answer
  }

  /** As `query({ name, text, values })`, of which pg would make a copy first. */
  #named(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    const query = new pg.Query(text, values, (error, result) => (error ? reject(error) : resolve(result)))
    super.query(Object.assign(query, { name }))
    return promise
  }
}

function dropSilent(client: pg.Client, error: Error): never {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  if (error.message === 'Query read timeout') connection.stream.destroy(error)
  // Who asked, instead of the socket on which the answer came.
  Error.captureStackTrace(error)
  throw error
}

/** Opens a pool on PostgreSQL. Nothing is connected before the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const where =
    typeof options.connection === 'string'
      ? { connectionString: options.connection }
      : { ...options.connection, ssl: false }
  const pool = new pg.Pool({
    ...where,
    Client: NamingClient,
    max: options.maxConnections,
    types,
    connectionTimeoutMillis: options.connectTimeoutMilliseconds,
    query_timeout: options.answerTimeoutMilliseconds,
    keepAlive: true,
    application_name: 'deskline',
    // Generic plans: a named statement is planned once, not at each execution. JIT never pays for short queries.
    options: `-c plan_cache_mode=force_generic_plan -c jit=off -c timezone=UTC -c statement_timeout=${options.statementTimeoutMilliseconds} -c idle_in_transaction_session_timeout=60000`
  })
  let isClosing = false
  // While it is closed, the server may be gone before the goodbyes have arrived.
  const onIdleError = (error: Error) => {
    if (!isClosing) options.onIdleError(error)
  }
  pool.on('error', onIdleError)
  pool.on('connect', client => client.on('error', onIdleError))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = () => {
    isClosing = true
    return db.destroy()
  }
  return { db, pool, close }
}

/**
 * Runs `work` in one transaction and answers what it answers; a throw rolls back. Name the handle `db` as well: that
 * puts the outer one, whose queries would escape the transaction, out of reach.
 */
export function transaction<T>(db: Db, work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(work)
}
