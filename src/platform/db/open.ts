import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { DatabaseClient, type Session } from './database-client.ts'
import { innerTransaction, isOuterTransaction, maxTries, useForOuterTransactions } from './outer-transaction.ts'
import { backOff, isTransactionConflict } from './transaction-conflict.ts'

/** The state of connection pools. */
export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  /** Requests waiting for a connection because all are busy. */
  readonly waitingCount: number
}

export interface Database<T> {
  db: Kysely<T>
  /** One connection beside the pool, opened when it is used: it tells whether the database works, however many wait for the pool. */
  probe: Kysely<T>
  pool: pg.Pool
  /** The state of the pool and that of outer transactions together. */
  load: PoolCounts
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** A `postgres://` URL, or where the embedded server listens. */
  connection: string | { host: string; port: number; user: string; database: string }
  /** Outer transactions may open half as many in addition. */
  maxConnections: number
  statementTimeoutMilliseconds: number
  connectTimeoutMilliseconds: number
  /** A connection whose response takes longer is dropped; must exceed the statement timeout. Without it, responses are awaited forever. */
  answerTimeoutMilliseconds?: number
  /** Called for each connection that breaks while idle; the pool replaces it. */
  onIdleError(error: Error): void
}

/** int8 and numeric are parsed as numbers, and timestamptz, as pg does by itself, as `Date`. */
export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// The numbers in an int8[], such as {1,2}, which pg would leave as text.
types.setTypeParser(1016, text => text.match(/-?\d+/g)?.map(Number) ?? [])

/** Opens a pool on PostgreSQL. Nothing is connected before the first query. */
export function openDatabase<T>(options: DatabaseOptions): Database<T> {
  const where =
    typeof options.connection === 'string'
      ? { connectionString: options.connection }
      : { ...options.connection, ssl: false }
  const ofMost = (max: number) =>
    new pg.Pool({
      ...where,
      ...{ session: { application_name: 'deskline', ...neededSettings(options.statementTimeoutMilliseconds) } },
      Client: DatabaseClient,
      max,
      types,
      connectionTimeoutMillis: options.connectTimeoutMilliseconds,
      query_timeout: options.answerTimeoutMilliseconds,
      keepAlive: true
    })
  const pool = ofMost(options.maxConnections)
  const outerPool = ofMost(Math.ceil(options.maxConnections / 2))
  let isClosing = false
  // While closing, the server may be gone before its connections have ended.
  const onIdleError = (error: Error) => {
    if (!isClosing) options.onIdleError(error)
  }
  // A connection in use fails the query of whoever uses it.
  const probePool = ofMost(1)
  for (const each of [pool, outerPool, probePool]) each.on('error', onIdleError)
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool }) })
  const outerDb = new Kysely<T>({ dialect: new PostgresDialect({ pool: outerPool }) })
  const probe = new Kysely<T>({ dialect: new PostgresDialect({ pool: probePool }) })
  useForOuterTransactions(db, outerDb)
  const close = async () => {
    isClosing = true
    await Promise.all([db.destroy(), outerDb.destroy(), probe.destroy()])
    // Kysely does not close a pool that it has not used, although others may have.
    await Promise.all([pool, outerPool, probePool].map(each => (each.ending ? undefined : each.end())))
  }
  return { db, probe, pool, load: sumOf([pool, outerPool]), close }
}

function sumOf(pools: readonly PoolCounts[]): PoolCounts {
  const sum = (name: keyof PoolCounts) => pools.reduce((total, pool) => total + pool[name], 0)
  return {
    get totalCount() {
      return sum('totalCount')
    },
    get idleCount() {
      return sum('idleCount')
    },
    get waitingCount() {
      return sum('waitingCount')
    }
  }
}

/**
 * Generic plans: a named statement is planned once, not at each execution. JIT never pays for short queries, nor do parallel workers: a generic plan
 * expects a tenth of the table behind a limit, so that each look at the newest events would start two processes, which takes 25 ms.
 */
export function neededSettings(statementTimeoutMilliseconds: number): Session {
  return {
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    timezone: 'UTC',
    statement_timeout: String(statementTimeoutMilliseconds),
    idle_in_transaction_session_timeout: '60000'
  }
}

/**
 * Runs `work` in one transaction and returns its result; a throw rolls back. Name the inner handle `db` as well: that shadows the outer one,
 * whose queries would escape the transaction. After a conflict `work` runs again, three times in all, so its effects outside the database must
 * be repeatable. Within an outer transaction it is a part of that one, which is repeated as a whole.
 */
export async function transaction<T, R>(db: Kysely<T>, work: (db: Transaction<T>) => Promise<R>): Promise<R> {
  if (isOuterTransaction(db)) return await innerTransaction(db, work)
  for (let tries = 1; ; tries++) {
    try {
      return await transactionOnce(db, work)
    } catch (error) {
      if (tries === maxTries || !isTransactionConflict(error)) throw error
      await backOff(tries)
    }
  }
}

/** The same for work that must not be repeated. */
export function transactionOnce<T, R>(db: Kysely<T>, work: (db: Transaction<T>) => Promise<R>): Promise<R> {
  return db.transaction().execute(work)
}
