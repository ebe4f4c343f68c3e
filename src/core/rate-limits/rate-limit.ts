import { sql } from 'kysely'
import { TooManyAttempts } from '../../kit/errors.ts'
import { networksOf } from '../../lib/network.ts'
import { secondsAfter } from '../../lib/time.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'

export type RateLimitServices = Pick<Services, 'db' | 'realClock' | 'metrics'>

/** A maximum count per period. */
export interface RateLimit {
  key: string
  /** The label in the metrics. */
  kind: string
  most: number
  seconds: number
  /**
   * Who is exempt: a `device` with a token of a session of the account, or also a `network` with a recent login of the account; or a `stranger`,
   * who is neither.
   */
  exempt?: 'device' | 'network' | 'stranger'
  /** A success resets it; otherwise a success only takes its own count back. */
  resetsOnSuccess?: true
}

/** Whose known devices and networks are exempt, and the caller's evidence. */
export interface TrustedOrigin {
  /** Undefined if there is no such account: the query takes the same time. */
  account: { population: Population; id: number } | undefined
  network: string
  /** Digests of a refresh token that the caller has sent. */
  tokenDigests?: string[]
  /** The limit that replaces those from which a known device is exempt. Its session completes the key. */
  device?: RateLimit
}

/** The limits that were counted. */
export interface Counted {
  keys: string[]
  /** The keys that a success resets. */
  reset: string[]
  /** The kinds of the limits that are reached now: the next such request will be refused. */
  exhausted: string[]
}

/**
 * Counts all limits before anything is checked, in the statement that reads the counts, and refuses with 429 + `Retry-After` if one was reached
 * already. Refused requests are not counted, so that a caller above their own limit uses up nobody else's. It uses the pool, never a
 * transaction: a rollback must not undo the count.
 */
export async function countAll(
  services: RateLimitServices,
  limits: readonly RateLimit[],
  trustedOrigin?: TrustedOrigin
): Promise<Counted> {
  const now = services.realClock.now()
  const all = trustedOrigin?.device ? [...limits, trustedOrigin.device] : limits
  const rows = await counted(poolOf(services.db), now, all, trustedOrigin)
  const limitOf = (key: string) => all.find(limit => limit.key === key) ?? trustedOrigin!.device!

  const over = rows.filter(row => row.count > row.most)
  if (over.length > 0) {
    for (const { key } of over) services.metrics.attemptLimits.inc({ kind: limitOf(key).kind })
    throw tooManyRequests(
      over.map(({ key, resets_at }) => ({ limit: limitOf(key), resetsAt: resets_at.getTime() })),
      now
    )
  }
  const keys = rows.map(row => row.key)
  return {
    keys,
    reset: keys.filter(key => limitOf(key).resetsOnSuccess),
    exhausted: rows.filter(row => row.count === row.most).map(row => limitOf(row.key).kind)
  }
}

/** Counts like `countAll` and returns whether the limit is kept, for work without a caller to refuse. */
export async function isWithin(
  { db, realClock }: Pick<RateLimitServices, 'db' | 'realClock'>,
  limit: RateLimit
): Promise<boolean> {
  return (await counted(db, realClock.now(), [limit], undefined)).every(row => row.count <= row.most)
}

/** After a success: resets the attempt's own count, and takes it back from shared counts. */
export async function refundAttempt({ db }: Pick<RateLimitServices, 'db'>, { keys, reset }: Counted): Promise<void> {
  await decrement(poolOf(db), { keys, reset })
}

/** A limit for each network of an address; wider ones, with many callers, get more. */
export function networkLimits(ip: string, limit: RateLimit): RateLimit[] {
  return networksOf(ip).map((network, at) => ({ ...limit, key: `${limit.key} ${network}`, most: limit.most * 2 ** at }))
}

/** Drops limits that are turned off. */
export function enabledLimits(limits: RateLimit[]): RateLimit[] {
  return limits.filter(({ most }) => most > 0)
}

/** A limit that is reached, until a time. */
interface ReachedLimit {
  limit: Pick<RateLimit, 'kind' | 'most' | 'seconds'>
  resetsAt: number
}

/** The 429 for a caller who reached these limits. Its `RateLimit` headers (IETF draft) tell the one that ends last. */
export function tooManyRequests(reached: readonly ReachedLimit[], now: Date): Error {
  const { limit, resetsAt } = reached.toSorted((one, other) => other.resetsAt - one.resetsAt)[0]!
  const seconds = Math.max(1, Math.ceil((resetsAt - now.getTime()) / 1000))
  return TooManyAttempts({ headers: { 'retry-after': String(seconds), ...rateLimitHeaders(limit, 0, seconds) } })
}

/** What is left of a limit, and for how many seconds (IETF draft). */
export function rateLimitHeaders(
  { kind, most, seconds }: ReachedLimit['limit'],
  left: number,
  resetsIn: number
): Record<string, string> {
  return { 'ratelimit-policy': `"${kind}";q=${most};w=${seconds}`, ratelimit: `"${kind}";r=${left};t=${resetsIn}` }
}

/** Whether the caller is on a device or network that the account is known on. */
export async function isKnownOrigin({ db }: Pick<RateLimitServices, 'db'>, origin: TrustedOrigin): Promise<boolean> {
  const [row] = await known(poolOf(db), evidenceOf(origin))
  return row!.by_network
}

interface Evidence {
  client: number | null
  staff: number | null
  network: string
  tokens: string[]
}

function evidenceOf(origin: TrustedOrigin | undefined): Evidence {
  return {
    client: origin?.account?.population === 'client' ? origin.account.id : null,
    staff: origin?.account?.population === 'staff' ? origin.account.id : null,
    network: origin?.network ?? '',
    tokens: origin?.tokenDigests ?? []
  }
}

/** The tables `device` and `known`: by a token of a session of the account, and by that or by a network from which it was opened. */
function knownBy(p: Evidence) {
  return sql`
    device as (
      select session_id from refresh_tokens
      where token = any(${p.tokens}::text[])
        and (user_type, user_id) in (('client', ${p.client}::bigint), ('staff', ${p.staff}::bigint)) limit 1),
    known as (
      select exists (select from device) as by_device,
        exists (select from device)
          or exists (select from sessions where client_id = ${p.client}::bigint and network = ${p.network}::text)
          or exists (select from sessions where staff_id = ${p.staff}::bigint and network = ${p.network}::text)
          as by_network)`
}

const known = prepared((db, p: Evidence) => ({
  compile: () => sql<{ by_network: boolean }>`with ${knownBy(p)} select by_network from known`.compile(db)
}))

function counted(db: Db, now: Date, all: readonly RateLimit[], trustedOrigin: TrustedOrigin | undefined) {
  return count(db, {
    now,
    keys: all.map(limit => limit.key),
    most: all.map(limit => limit.most),
    ends: all.map(limit => secondsAfter(now, limit.seconds).toISOString()),
    exempt: all.map(limit => (limit === trustedOrigin?.device ? 'others' : (limit.exempt ?? 'nobody'))),
    ...evidenceOf(trustedOrigin)
  })
}

interface Count extends Evidence {
  now: Date
  keys: string[]
  most: number[]
  ends: string[]
  exempt: string[]
}

/** Always in the order of the keys, to avoid deadlocks. */
const count = prepared((db, p: Count) => ({
  compile: () =>
    sql<{ key: string; count: number; most: number; resets_at: Date }>`
      with ${knownBy(p)},
      due as materialized (
        select case exempt when 'others' then key || (select session_id from device) else key end as key, most, ends
        from unnest(${p.keys}::text[], ${p.most}::bigint[], ${p.ends}::timestamptz[], ${p.exempt}::text[])
          as given (key, most, ends, exempt), known
        where case exempt
          when 'others' then by_device when 'device' then not by_device
          when 'network' then not by_network when 'stranger' then by_network else true end),
      used_up as (
        select key, rate_limits.count + 1 as count, most, resets_at from rate_limits join due using (key)
        -- What ends later than a whole window from now was counted before the clock was set back; it is mended below.
        where resets_at > ${p.now}::timestamptz and resets_at <= ends and rate_limits.count >= most),
      counted as (
        insert into rate_limits (key, count, resets_at)
        select key, 1, ends from due where not exists (select from used_up) order by key collate "C"
        on conflict (key) do update set
          count = case when rate_limits.resets_at <= ${p.now}::timestamptz then 1
            else least(rate_limits.count, 1000000000) + 1 end,
          resets_at = case when rate_limits.resets_at <= ${p.now}::timestamptz then excluded.resets_at
            else least(rate_limits.resets_at, excluded.resets_at) end
        returning key, count, resets_at)
      select key, counted.count, most, resets_at from counted join due using (key)
      union all select key, count, most, resets_at from used_up`.compile(db)
}))

/** Locks them in the same order. */
const decrement = prepared((db, p: { keys: string[]; reset: string[] }) => ({
  compile: () =>
    sql`
      with chosen as (select key from rate_limits where key = any(${p.keys}::text[]) order by key for no key update)
      update rate_limits
      set count = case when rate_limits.key = any(${p.reset}::text[]) then 0 else greatest(rate_limits.count - 1, 0) end
      from chosen where rate_limits.key = chosen.key`.compile(db)
}))
