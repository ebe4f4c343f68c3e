import { sql } from 'kysely'
import { asciiLowerCase } from '../../lib/ascii-lower-case.ts'
import { networksOf } from '../../lib/network.ts'
import type { Db } from '../db.ts'
import { type AttemptKind, attemptLimits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'
import { emailsKey } from './outgoing.ts'
import {
  type Counted,
  countAll,
  isKnownOrigin,
  networkLimits,
  type RateLimit,
  type TrustedOrigin
} from './rate-limit.ts'

type AttemptServices = Pick<Services, 'db' | 'realClock' | 'config' | 'metrics'>

export interface LimitedAttempt {
  kind: AttemptKind
  /** The account whose secret is attempted (see `accountKey`), or the recipient. Never only the token or the network address. */
  account: string
  /** The network address; left out if only messages to an account are counted. */
  ip?: string
  /** The account, whose known networks and devices are exempt from strangers' limits; undefined if there is none. */
  owner?: { population: Population; id: number }
  /** Digests of a refresh token that the caller has sent: if it is of one of the owner's sessions, the device is known. */
  tokenDigests?: string[]
  /** The session of a logged-in caller: it is counted separately, so that nobody else can use it up. */
  session?: number
  /** Of an attempt at a code: the caller is not logged in to the account. */
  byStranger?: boolean
}

/** Strangers can attempt these: one network must not lock the owner out. */
const anonymousKinds: readonly AttemptKind[] = ['password', 'code', 'code-sent', 'reset-mail']
const daySeconds = 86_400
/** Messages sent on request; there is no secret to attempt. */
const requests: readonly AttemptKind[] = ['code-sent', 'text', 'reset-mail']

/**
 * The key of an account's attempts, whether the account exists or not. It is truncated to the column's length, which no account's e-mail address
 * exceeds. It has no blanks: a blank separates it from the network or session.
 */
export function accountKey(population: 'client' | 'staff', emailOrId: string | number): string {
  return `${population}:${asciiLowerCase(String(emailOrId)).slice(0, 300).replace(/\s/g, '_')}`
}

/** The account of a key, which need not exist. */
export function accountOfKey(key: string): { population: Population; email: string } {
  const colon = key.indexOf(':')
  return { population: key.slice(0, colon) as Population, email: key.slice(colon + 1) }
}

/**
 * Counts an attempt before it is checked, and refuses with 429 + `Retry-After` if there have been too many: from this network at this account,
 * from all networks at this account, from this network at any account, or of the limits in `more`. It uses the pool, never a transaction.
 */
export async function countAttempt(
  services: AttemptServices,
  attempt: LimitedAttempt,
  more: readonly RateLimit[] = []
): Promise<Counted> {
  return await countAll(
    services,
    [...limitsFor(services.config, attempt), ...more],
    trustedOriginOf(services.config, attempt)
  )
}

/** Whether the caller is logged in to the account, or on a device or network that it is known on. */
export async function isOriginTrusted(services: AttemptServices, attempt: LimitedAttempt): Promise<boolean> {
  if (attempt.session !== undefined) return true
  const origin = trustedOriginOf(services.config, attempt)
  return origin !== undefined && (await isKnownOrigin(services, origin))
}

/** Whether an attempt at a code was counted as one of the account itself, not as one of strangers. */
export function isOwnAttempt(counted: Counted, attempt: LimitedAttempt): boolean {
  return counted.keys.includes(keyOf(attempt))
}

/** The limits of an attempt. */
export function limitsFor(config: AttemptServices['config'], attempt: LimitedAttempt): RateLimit[] {
  const { kind, ip, session } = attempt
  const limit = { key: keyOf(attempt), kind, most: config[attemptLimits[kind]], seconds: config.GUESS_WINDOW_SECONDS }
  if (session !== undefined) return [{ ...sessionLimit(limit), key: `${limit.key} session:${session}` }]
  if (!ip) return [{ ...limit, resetsOnSuccess: true }]

  const address: RateLimit = {
    ...limit,
    key: 'address',
    kind: 'address',
    most: config.MAX_FAILURES_PER_ADDRESS,
    exempt: 'device'
  }
  const ofAddress = requests.includes(kind) ? [] : networkLimits(ip, address)
  if (kind === 'code') return [...codeLimits(config, attempt, limit), ...ofAddress]
  if (!anonymousKinds.includes(kind)) return [{ ...limit, resetsOnSuccess: true }, ...ofAddress]
  const [own, ...around] = networkLimits(ip, { ...limit, exempt: 'device' })
  return [
    { ...own!, resetsOnSuccess: true },
    ...around,
    { ...limit, most: limit.most * config.ALL_NETWORKS_FACTOR, exempt: 'network' },
    ...ofAddress
  ]
}

/**
 * A code is not known to its owner alone before it is used: whoever has an account with a foreign address may guess as well. So all who are
 * logged in to the account, or on a network that it is known on, share one limit. Strangers have others, one of them for a day, so that
 * they keep out nobody else and together guess no code either.
 */
function codeLimits(
  config: AttemptServices['config'],
  { ip, byStranger }: LimitedAttempt,
  limit: RateLimit
): RateLimit[] {
  const own = { ...limit, resetsOnSuccess: true } as const
  if (!byStranger) return [own]
  const [narrowest, ...around] = networkLimits(ip!, { ...limit, exempt: 'network' })
  return [
    { ...own, exempt: 'stranger' },
    { ...narrowest!, resetsOnSuccess: true },
    ...around,
    {
      ...limit,
      key: `${limit.key} strangers`,
      most: limit.most * config.ALL_NETWORKS_FACTOR,
      seconds: daySeconds,
      exempt: 'network'
    }
  ]
}

/** Callers who are exempt from strangers' limits. */
function trustedOriginOf(config: AttemptServices['config'], attempt: LimitedAttempt): TrustedOrigin | undefined {
  const { kind, owner: account, ip, tokenDigests, session } = attempt
  if (!ip || session !== undefined || !anonymousKinds.includes(kind)) return undefined
  const limit = { key: keyOf(attempt), kind, most: config[attemptLimits[kind]], seconds: config.GUESS_WINDOW_SECONDS }
  return { account, network: networksOf(ip)[0], tokenDigests, device: sessionLimit(limit) }
}

/** Resets all counts of these accounts and numbers, whoever caused them, and returns how many there were. */
export async function deleteAttempts(
  db: Db,
  accounts: string[],
  kinds = Object.keys(attemptLimits) as AttemptKind[]
): Promise<number> {
  const keys = accounts.flatMap(account => [
    `warned:${account}`,
    emailsKey(account),
    ...kinds.map(kind => keyOf({ kind, account }))
  ])
  // The key itself, and keys with a network or session after a blank; "!" is the character after the blank.
  const { numAffectedRows } = await sql`
    delete from rate_limits using unnest(${keys}::text[]) as account
    where key = account or (key >= account || ' ' and key < account || '!')`.execute(db)
  return Number(numAffectedRows)
}

function keyOf({ kind, account }: Pick<LimitedAttempt, 'kind' | 'account'>): string {
  return `${kind}:${account}`
}

/** The session's number is left out, since only the database may know it. */
function sessionLimit(limit: RateLimit): RateLimit {
  return { ...limit, key: `${limit.key} session:`, resetsOnSuccess: true }
}
