import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyDb } from './any-db.ts'
import { backOff, isTransactionConflict } from './transaction-conflict.ts'

/** An effect that runs after the outer transaction, on the pool. */
type Effect = (db: AnyDb) => unknown

interface Outer {
  /** The shared connection pool. */
  pool: AnyDb
  afterCommit: Effect[]
  afterRollback: Effect[]
  /** The conflict that aborted its last part, even if the caller ignored it. */
  isTransactionConflict?: unknown
}

const outers = new WeakMap<AnyDb, Outer>()
const connectionsFor = new WeakMap<AnyDb, AnyDb>()

/**
 * Gives outer transactions a pool of their own. A transaction that has one of these connections may still wait for one of the main pool, but
 * never the other way round, so that no number of them can deadlock.
 */
export function useForOuterTransactions(db: AnyDb, connections: AnyDb): void {
  connectionsFor.set(db, connections)
}

/**
 * Runs `work`, which may call any number of verbs, as one transaction: transactions that verbs open on this handle are part of it, and their
 * after-commit effects run after its commit. A throw undoes all of it. After a conflict it runs again, if it can be repeated.
 */
export async function outerTransaction<T, R>(
  db: Kysely<T>,
  { isRepeatable }: { isRepeatable: boolean },
  work: (db: Kysely<T>) => Promise<R>
): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await outerTransactionOnce(db, work)
    } catch (error) {
      if (!isRepeatable || tries === maxTries || !isTransactionConflict(error)) throw error
      await backOff(tries)
    }
  }
}

/** The same, or a part of the outer transaction if `db` is one already. */
export async function inOneTransaction<T, R>(db: Kysely<T>, work: (db: Kysely<T>) => Promise<R>): Promise<R> {
  return isOuterTransaction(db)
    ? await innerTransaction(db, work)
    : await outerTransaction(db, { isRepeatable: true }, work)
}

/** How often a transaction is tried after conflicts. */
export const maxTries = 3

async function outerTransactionOnce<T, R>(pool: Kysely<T>, work: (db: Kysely<T>) => Promise<R>): Promise<R> {
  const outer: Outer = { pool, afterCommit: [], afterRollback: [] }
  let isDone = false
  try {
    const connections: Kysely<T> = connectionsFor.get(pool) ?? pool
    const result = await connections.transaction().execute(async db => {
      outers.set(db, outer)
      const result = await work(db)
      if (outer.isTransactionConflict !== undefined) throw outer.isTransactionConflict
      isDone = true
      return result
    })
    await run(outer.afterCommit, pool)
    return result
  } catch (error) {
    // If the commit itself failed, nobody knows whether it took place.
    if (!isDone) await run(outer.afterRollback, pool)
    throw error
  }
}

/** Whether this handle is an outer transaction, so that a verb's transaction is a part of it. */
export function isOuterTransaction(db: AnyDb): boolean {
  return outers.has(db)
}

/** A verb's transaction within the outer one: a throw undoes only what was done in it. */
export async function innerTransaction<T, R>(db: Kysely<T>, work: (db: Transaction<T>) => Promise<R>): Promise<R> {
  const outer = outers.get(db)!
  const [commits, rollbacks] = [outer.afterCommit.length, outer.afterRollback.length]
  await sql`savepoint verb`.execute(db)
  try {
    const result = await work(db as Transaction<T>)
    await sql`release savepoint verb`.execute(db)
    outer.isTransactionConflict = undefined
    return result
  } catch (error) {
    outer.afterCommit.length = commits
    if (isTransactionConflict(error)) outer.isTransactionConflict = error
    // If the connection broke there is no savepoint, and the outer transaction fails as well.
    // It would stay otherwise, and end the rollback of a part around this one, whose savepoint has the same name.
    await sql`rollback to savepoint verb`
      .execute(db)
      .then(() => sql`release savepoint verb`.execute(db))
      .catch(() => {})
    await run(outer.afterRollback.splice(rollbacks), outer.pool)
    throw error
  }
}

/**
 * The pool behind a handle: for rows that must survive a rollback, such as the count of an attempt, and as the key of per-database caches. Never
 * use it for a row that the transaction may have locked.
 */
export function poolOf<T>(db: Kysely<T>): Kysely<T> {
  return outers.get(db)?.pool ?? db
}

/**
 * Runs an effect once everything done with `db` is committed: at once, unless `db` is an outer transaction. The effect must not fail, since the
 * write that it follows has been done.
 */
export async function afterCommit<T>(db: Kysely<T>, effect: (db: Kysely<T>) => Promise<unknown>): Promise<void> {
  const outer = outers.get(db)
  if (outer) outer.afterCommit.push(effect)
  else await effect(db)
}

/** Runs an effect if the outer transaction is rolled back after a verb's part of it has ended. */
export function afterRollback(db: AnyDb, effect: (db: AnyDb) => Promise<unknown>): void {
  outers.get(db)?.afterRollback.push(effect)
}

async function run(effects: readonly Effect[], pool: AnyDb): Promise<void> {
  for (const effect of effects) await effect(pool)
}
