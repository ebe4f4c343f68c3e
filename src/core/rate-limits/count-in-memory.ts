import { sql } from 'kysely'
import { secondsAfter } from '../../lib/time.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'
import { type RateLimit, tooManyRequests } from './rate-limit.ts'

type CountServices = Pick<Services, 'db' | 'realClock' | 'metrics' | 'log'>

interface Count {
  /** The count of all processes at the last exchange, including this one. */
  exchanged: number
  /** What this process has counted since. */
  unsent: number
  resetsAt: number
  most: number
}

interface Counts {
  byKey: Map<string, Count>
  timer: NodeJS.Timeout | undefined
}

/** What is left of a limit, and for how many seconds. */
interface CountedInMemory {
  limit: RateLimit
  left: number
  resetsIn: number
}

const exchangeMilliseconds = 1_000

// By database, so that each process (and each desk in tests) has its own.
const counts = new WeakMap<Db, Counts>()

/**
 * Counts in memory and refuses with 429 + `Retry-After` above a limit: for busy paths, which must not wait for another query. The processes
 * exchange their counts through the database every second, so together they may exceed a limit by one second's requests.
 */
export function countInMemory(services: CountServices, limits: readonly RateLimit[]): CountedInMemory[] {
  if (limits.length === 0) return []
  const now = services.realClock.now()
  const pool = poolOf(services.db)
  const own = countsOf({ db: pool })
  const counted = limits.map(limit => ({ limit, count: current(own, limit, now) }))
  const over = counted.filter(({ count }) => count.exchanged + count.unsent >= count.most)
  if (over.length > 0) {
    for (const { limit } of over) services.metrics.attemptLimits.inc({ kind: limit.kind })
    throw tooManyRequests(
      over.map(({ limit, count }) => ({ limit, resetsAt: count.resetsAt })),
      now
    )
  }
  for (const { count } of counted) count.unsent++
  own.timer ??= setTimeout(() => void exchangeCounts({ ...services, db: pool }), exchangeMilliseconds).unref()
  return counted.map(({ limit, count }) => ({
    limit,
    left: count.most - count.exchanged - count.unsent,
    resetsIn: Math.max(1, Math.ceil((count.resetsAt - now.getTime()) / 1000))
  }))
}

/** Exchanges counts with the other processes. */
export async function exchangeCounts(services: CountServices): Promise<void> {
  const own = countsOf(services)
  clearTimeout(own.timer)
  own.timer = undefined
  const now = services.realClock.now()
  const changed = [...own.byKey].filter(([, { unsent }]) => unsent > 0)
  // Callers below their limits who were idle for a second are looked up when they return.
  for (const [key, { unsent, exchanged, most, resetsAt }] of own.byKey) {
    if (unsent === 0 && (exchanged < most || resetsAt <= now.getTime())) own.byKey.delete(key)
  }
  if (changed.length === 0) return

  const sent = changed.map(([key, { unsent, resetsAt }]) => ({ key, unsent, ends: new Date(resetsAt).toISOString() }))
  for (const [, count] of changed) {
    count.exchanged += count.unsent
    count.unsent = 0
  }
  try {
    const totals = await add(services.db, {
      now,
      keys: sent.map(({ key }) => key),
      more: sent.map(({ unsent }) => unsent),
      ends: sent.map(({ ends }) => ends)
    })
    for (const { key, count: exchanged, resets_at: resetsAt } of totals) {
      const count = own.byKey.get(key)
      if (count) Object.assign(count, { exchanged, resetsAt: resetsAt.getTime() })
    }
  } catch (error) {
    // This process goes on counting alone.
    services.log.warn({ err: error }, 'Rate limit counts could not be written to the database')
  }
}

function countsOf({ db }: Pick<CountServices, 'db'>): Counts {
  const known = counts.get(db)
  if (known) return known
  const made: Counts = { byKey: new Map(), timer: undefined }
  counts.set(db, made)
  return made
}

function current({ byKey }: Counts, { key, most, seconds }: RateLimit, now: Date): Count {
  const known = byKey.get(key)
  const ends = secondsAfter(now, seconds).getTime()
  // A window that ends later than a whole window from now was counted before the clock was set back.
  if (known && known.resetsAt > now.getTime() && known.resetsAt <= ends) return known
  const made = { exchanged: 0, unsent: 0, resetsAt: ends, most }
  byKey.set(key, made)
  return made
}

/** Always in the order of the keys, to avoid deadlocks. */
const add = prepared((db, p: { now: Date; keys: string[]; more: number[]; ends: string[] }) => ({
  compile: () =>
    sql<{ key: string; count: number; resets_at: Date }>`
      insert into rate_limits (key, count, resets_at)
      select key, more, ends from unnest(${p.keys}::text[], ${p.more}::integer[], ${p.ends}::timestamptz[])
        as given (key, more, ends)
      order by key collate "C"
      on conflict (key) do update set
        count = case when rate_limits.resets_at <= ${p.now}::timestamptz then excluded.count
          else least(rate_limits.count, 1000000000) + excluded.count end,
        resets_at = case when rate_limits.resets_at <= ${p.now}::timestamptz then excluded.resets_at
          else least(rate_limits.resets_at, excluded.resets_at) end
      returning key, count, resets_at`.compile(db)
}))
