import { type Kysely, sql, type Transaction } from 'kysely'
import { gaveWay, makeWay } from './gave-way.ts'
import type { AnyDb } from './open.ts'

/** What is done once the outer transaction is over, on the pool. */
type Effect = (db: AnyDb) => unknown

interface Outer {
  /** The pool of connections that everybody shares. */
  pool: AnyDb
  afterCommit: Effect[]
  afterRollback: Effect[]
  /** Why the last part of it had to give way to others, whether or not anybody went on nevertheless. */
  gaveWay?: unknown
}

const outers = new WeakMap<AnyDb, Outer>()
const connectionsFor = new WeakMap<AnyDb, AnyDb>()

/**
 * Gives the outer transactions of a database connections of their own. Who holds one of them may still have to wait for one of the pool,
 * which nobody holds who waits for one of these: however many come at once, none waits for another in a circle.
 */
export function useForOuterTransactions(db: AnyDb, connections: AnyDb): void {
  connectionsFor.set(db, connections)
}

/**
 * Runs `work`, which may itself call any number of verbs, as one transaction: whatever transaction a verb opens on this handle is a part of
 * it, and what it had to do after its commit is done after this one's. A throw undoes all of it. Where it had to give way to others it
 * runs again, if it can be repeated.
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
      if (!isRepeatable || tries === mostTries || !gaveWay(error)) throw error
      await makeWay(tries)
    }
  }
}

/** How often a transaction is tried that had to give way to others. */
export const mostTries = 3

async function outerTransactionOnce<T, R>(pool: Kysely<T>, work: (db: Kysely<T>) => Promise<R>): Promise<R> {
  const outer: Outer = { pool, afterCommit: [], afterRollback: [] }
  let isDone = false
  try {
    const connections: Kysely<T> = connectionsFor.get(pool) ?? pool
    const result = await connections.transaction().execute(async db => {
      outers.set(db, outer)
      const result = await work(db)
      if (outer.gaveWay !== undefined) throw outer.gaveWay
      isDone = true
      return result
    })
    await run(outer.afterCommit, pool)
    return result
  } catch (error) {
    // Should the commit itself have failed, nobody knows whether it took place.
    if (!isDone) await run(outer.afterRollback, pool)
    throw error
  }
}

/** Whether this handle is an outer transaction, so that a verb's own is a part of it. */
export function isOuterTransaction(db: AnyDb): boolean {
  return outers.has(db)
}

/** A verb's transaction within the outer one: a throw undoes what was done in it, and nothing before. */
export async function innerTransaction<T, R>(db: Kysely<T>, work: (db: Transaction<T>) => Promise<R>): Promise<R> {
  const outer = outers.get(db)!
  const [commits, rollbacks] = [outer.afterCommit.length, outer.afterRollback.length]
  await sql`savepoint verb`.execute(db)
  try {
    const result = await work(db as Transaction<T>)
    await sql`release savepoint verb`.execute(db)
    outer.gaveWay = undefined
    return result
  } catch (error) {
    outer.afterCommit.length = commits
    if (gaveWay(error)) outer.gaveWay = error
    // Where the connection broke there is nothing to go back to, and the outer transaction fails as well.
    await sql`rollback to savepoint verb`.execute(db).catch(() => {})
    await run(outer.afterRollback.splice(rollbacks), outer.pool)
    throw error
  }
}

/**
 * The pool behind a handle: for what must stay whatever becomes of the request, as the count of a guess does, and for what is kept in memory
 * for a whole database. Never ask it for a row that the transaction may have locked.
 */
export function poolOf<T>(db: Kysely<T>): Kysely<T> {
  return outers.get(db)?.pool ?? db
}

/** Does something once all that was done with `db` is committed, which it is at once unless `db` is an outer transaction. */
export async function afterCommit<T>(db: Kysely<T>, effect: (db: Kysely<T>) => Promise<unknown>): Promise<void> {
  const outer = outers.get(db)
  if (outer) outer.afterCommit.push(effect)
  else await effect(db)
}

/** Does something should the outer transaction, of which a verb's own was a part, be undone after that one is over. */
export function afterRollback(db: AnyDb, effect: (db: AnyDb) => Promise<unknown>): void {
  outers.get(db)?.afterRollback.push(effect)
}

async function run(effects: readonly Effect[], pool: AnyDb): Promise<void> {
  for (const effect of effects) await effect(pool)
}
