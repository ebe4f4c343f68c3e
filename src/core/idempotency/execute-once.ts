import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import { Unavailable } from '../../kit/errors.ts'
import {
  type ExecuteOnce,
  IdempotencyKeyReused,
  type RepeatableRequest,
  StillRunning,
  type StoredResponse,
  type Work
} from '../../kit/idempotency.ts'
import { secondsAfter } from '../../lib/time.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import { type Actor, accountName } from '../actor.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'
import { concernedBy } from './concerned.ts'

/** How long a response is kept. */
const keptSeconds = 86_400
const retryAfterSeconds = 1

/** The running requests of this process. */
interface Running {
  locks: Set<string>
  /** Further requests are refused, like those when too many wait for the database. */
  most: number
  /** Unauthenticated requests, which may have to hash a password, share a small part of the connections. */
  strangers: LimitFunction
}

/**
 * Handles a request with an idempotency key, and stores its response in the same commit: even if the response is lost or this process dies,
 * a retry within a day gets the same response, and nothing is done twice. Errors write nothing, and are not stored. Throws `StillRunning`,
 * and `IdempotencyKeyReused` if the key belongs to another request.
 */
export function makeExecuteOnce(services: Services): ExecuteOnce {
  const { DATABASE_POOL, MAX_WAITING_REQUESTS } = services.config
  const running: Running = {
    locks: new Set(),
    most: MAX_WAITING_REQUESTS + Math.ceil(DATABASE_POOL / 2),
    strangers: pLimit(Math.max(1, Math.floor(DATABASE_POOL / 8)))
  }
  return async (request, work) => {
    const scope = scopeOf(request)
    const lock = lockOf(scope)
    if (running.locks.has(lock)) throw stillRunning()
    if (running.locks.size >= running.most) throw tooManyWait()
    running.locks.add(lock)
    try {
      return await inTurn(running, request, () => answerOf(services, { scope, lock }, request, work))
    } finally {
      running.locks.delete(lock)
    }
  }
}

/** The scope of a key: its account, API token and path; for unauthenticated callers the request itself, since they have no account. */
function scopeOf({ actor, path, key, asked }: RepeatableRequest): string {
  if (!actor) return JSON.stringify(['stranger', path, key, asked])
  const caller = actor as Actor
  return JSON.stringify([accountName(caller), ...(caller.token ? [caller.token.id] : []), path, key])
}

async function inTurn<T>(
  { strangers, most }: Running,
  { actor }: RepeatableRequest,
  work: () => Promise<T>
): Promise<T> {
  if (actor) return await work()
  if (strangers.pendingCount >= most / 2) throw tooManyWait()
  return await strangers(work)
}

interface Turn {
  scope: string
  lock: string
}

async function answerOf(services: Services, { scope, lock }: Turn, request: RepeatableRequest, work: Work) {
  const { keys, realClock } = services
  // Uploaded file contents are consumed, so such a transaction cannot be retried.
  const isRepeatable = !request.hasFiles
  return await outerTransaction(services.db, { isRepeatable }, async db => {
    const [tried] = await tryLock(db, { lock })
    if (!tried!.is_taken) throw stillRunning()
    // A separate statement, so that it sees what the former holder of the lock committed.
    const [known] = await answerTo(db, { scopes: keys.digests('idempotency scope', scope), now: realClock.now() })
    if (known) {
      if (!keys.digests('idempotency request', request.asked).includes(known.fingerprint)) throw IdempotencyKeyReused()
      return { answer: JSON.parse(keys.unseal(sealPurpose, known.sealed_answer)) as StoredResponse, isReplayed: true }
    }
    const { answer, data } = await work({ ...services, db })
    await keep(services, db, scope, request, answer, data)
    return { answer, isReplayed: false }
  })
}

/** Stores the response as the last step before the commit. */
async function keep(
  { keys, realClock }: Services,
  db: Db,
  scope: string,
  { actor, about, asked, body }: RepeatableRequest,
  answer: StoredResponse,
  data: unknown
): Promise<void> {
  const now = realClock.now()
  const { people, tickets, ticketNumbers } = concernedBy(about, body, data)
  await insertAnswer(db, {
    scope: keys.digest('idempotency scope', scope),
    fingerprint: keys.digest('idempotency request', asked),
    sealed: keys.seal(sealPurpose, JSON.stringify(answer)),
    people: actor ? [accountName(actor as Actor), ...people] : people,
    tickets,
    ticketNumbers,
    now,
    expires: secondsAfter(now, keptSeconds)
  })
}

const sealPurpose = 'idempotency answer'

function stillRunning(): Error {
  return StillRunning({ headers: { 'retry-after': String(retryAfterSeconds) } })
}

function tooManyWait(): Error {
  return Unavailable({ headers: { 'retry-after': '2' } })
}

/** The same for every process, whatever its secrets. */
function lockOf(scope: string): string {
  return createHash('sha256').update(scope).digest().readBigInt64BE().toString()
}

const tryLock = prepared((db, p: { lock: string }) => ({
  compile: () => sql<{ is_taken: boolean }>`select pg_try_advisory_xact_lock(${p.lock}::bigint) as is_taken`.compile(db)
}))

const answerTo = prepared((db, p: { scopes: string[]; now: Date }) =>
  db
    .selectFrom('idempotency_keys')
    .where('scope', '=', sql<string>`any(${p.scopes}::text[])`)
    .where('expires_at', '>', p.now)
    .select(['fingerprint', 'sealed_answer'])
    .orderBy('expires_at', 'desc')
    .limit(sql.lit(1))
)

interface NewAnswer {
  scope: string
  fingerprint: string
  sealed: string
  people: string[]
  tickets: number[]
  ticketNumbers: string[]
  now: Date
  expires: Date
}

/** The clients of the tickets are added to the people. An expired response is overwritten. */
const insertAnswer = prepared((db, p: NewAnswer) => ({
  compile: () =>
    sql`
      insert into idempotency_keys (scope, fingerprint, sealed_answer, people, created_at, expires_at)
      values (${p.scope}, ${p.fingerprint}, ${p.sealed},
        array(select unnest(${p.people}::text[])
          union select 'client:' || client_id from tickets where id = any(${p.tickets}::bigint[])
          union select 'client:' || client_id from tickets where ticket_number = any(${p.ticketNumbers}::text[])),
        ${p.now}::timestamptz, ${p.expires}::timestamptz)
      on conflict (scope) do update set fingerprint = excluded.fingerprint, sealed_answer = excluded.sealed_answer,
        people = excluded.people, created_at = excluded.created_at, expires_at = excluded.expires_at
      where idempotency_keys.expires_at <= excluded.created_at`.compile(db)
}))
