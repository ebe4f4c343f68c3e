import { sql } from 'kysely'
import { coarseNetworkOf } from '../../lib/network.ts'
import { dateOf } from '../../lib/time.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import type { Actor } from '../actor.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'
import { isServiceAddress } from './service-address.ts'

// What programs have called lately, so that an admin sees which right one of them lacks. No request waits for it: calls are kept in memory, and
// written every two seconds at most, by account the last of those that were refused and of the others, and how many there were. A process that is killed loses what it has not written.

type CallServices = Pick<Services, 'db' | 'log'>

export const maxCalls = 50
const flushMilliseconds = 2_000
/** So many accounts in between at most: each is an admin's work. */
const maxAccounts = 1_000

/** A call of a service account. */
interface ServiceCall {
  account: number
  token: string
  path: string
  status: number
  /** Why it failed, and the permissions any of which would have done. */
  reason: string | null
  missing: readonly string[] | null
  network: string
  at: Date
}

interface Kept {
  calls: number
  refused: number
  last: { refused: ServiceCall[]; other: ServiceCall[] }
}

interface Unwritten {
  byAccount: Map<number, Kept>
  timer: NodeJS.Timeout | undefined
  writing: Promise<void>
}

// By database, as the counts of rate limits.
const unwritten = new WeakMap<Db, Unwritten>()

/** The service account and the token of this actor; undefined for a person. */
export function programOf(actor: Actor): { account: number; token: string } | undefined {
  if (!actor.token || actor.population !== 'staff' || !isServiceAddress(actor.email)) return undefined
  return { account: actor.id, token: actor.token.name }
}

/** Keeps a call in memory until the next writing. */
export function noteCall(services: CallServices, { ip, ...call }: Omit<ServiceCall, 'network'> & { ip: string }): void {
  const pool = poolOf(services.db)
  const own = unwrittenOf(pool)
  const known = own.byAccount.get(call.account)
  if (!known && own.byAccount.size >= maxAccounts) return
  const kept = known ?? { calls: 0, refused: 0, last: { refused: [], other: [] } }
  own.byAccount.set(call.account, kept)
  const isRefused = wasRefused(call.status)
  kept.calls++
  if (isRefused) kept.refused++
  const last = kept.last[isRefused ? 'refused' : 'other']
  if (last.length === maxCalls) last.shift()
  last.push({ ...call, path: call.path.slice(0, 200), network: coarseNetworkOf(ip) })
  own.timer ??= setTimeout(() => void writeCalls({ ...services, db: pool }), flushMilliseconds).unref()
}

/** Writes what this process has kept. It never throws: no request fails for this. */
export async function writeCalls(services: CallServices): Promise<void> {
  const db = poolOf(services.db)
  const own = unwrittenOf(db)
  clearTimeout(own.timer)
  own.timer = undefined
  const kept = [...own.byAccount].toSorted(([one], [other]) => one - other)
  own.byAccount.clear()
  // Whoever reads waits for a writing that is under way as well.
  own.writing = own.writing.then(async () => {
    try {
      for (const [account, each] of kept) await write(db, account, each)
    } catch (error) {
      services.log.warn({ err: error }, 'The calls of service accounts could not be noted')
    }
  })
  await own.writing
}

function wasRefused(status: number): boolean {
  return status === 401 || status === 403 || status === 429
}

async function write(db: Db, account: number, { calls, refused, last }: Kept): Promise<void> {
  const all = [...last.refused, ...last.other].toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const rows = all.map(({ account: _, at, ...call }) => ({
    ...call,
    is_refused: wasRefused(call.status),
    at: at.toISOString()
  }))
  await insert(db, { account, rows: JSON.stringify(rows), day: dateOf(all.at(-1)!.at), calls, refused })
  await trim(db, { account })
}

function unwrittenOf(db: Db): Unwritten {
  const known = unwritten.get(db)
  if (known) return known
  const made: Unwritten = { byAccount: new Map(), timer: undefined, writing: Promise.resolve() }
  unwritten.set(db, made)
  return made
}

/** Nothing of an account that is gone. */
const insert = prepared((db, p: { account: number; rows: string; day: string; calls: number; refused: number }) => ({
  compile: () =>
    sql`
      with account as (select id from staff where id = ${p.account}::bigint for key share),
      counted as (
        insert into service_account_days (staff_id, day, calls, refused)
        select id, ${p.day}::date, ${p.calls}::bigint, ${p.refused}::bigint from account
        on conflict (staff_id, day) do update set
          calls = service_account_days.calls + excluded.calls, refused = service_account_days.refused + excluded.refused
      )
      insert into service_account_calls (staff_id, token_name, path, status, is_refused, reason, missing, network, at)
      select account.id, token, path, status, is_refused, reason, missing, network, at
      from account, jsonb_to_recordset(${p.rows}::jsonb) as given (
        token text, path text, status smallint, is_refused boolean, reason text, missing text[], network text, at timestamptz)`.compile(
      db
    )
}))

const trim = prepared((db, p: { account: number }) =>
  db.deleteFrom('service_account_calls').where(
    'id',
    'in',
    db
      .selectFrom(
        db
          .selectFrom('service_account_calls')
          .where('staff_id', '=', p.account)
          .select(['id', sql<number>`row_number() over (partition by is_refused order by id desc)`.as('place')])
          .as('ranked')
      )
      .where('place', '>', sql.lit(maxCalls))
      .select('id')
  )
)
