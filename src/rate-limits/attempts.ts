import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { networksOf } from '../lib/network.ts'
import { smallLetters } from '../lib/small-letters.ts'
import { type AttemptKind, attemptLimits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'
import { emailsKey } from './outgoing.ts'
import { type Counted, countAll, type KnownBy, networkLimits, type RateLimit, takeBack } from './rate-limit.ts'

type World = Pick<Services, 'db' | 'clock' | 'config' | 'metrics'>

export interface LimitedAttempt {
  kind: AttemptKind
  /** Whose secret is tried (see `accountKey`), or who is written to. Never the token or the network address alone. */
  account: string
  /** The network address; left out where only what is sent to an account is counted. */
  ip?: string
  /** The account itself, whose known networks and devices are not held up by what others do; undefined where there is none. */
  owner?: { population: Population; id: number }
  /** Digests of a refresh token that the caller has shown: of one of the owner's sessions, it is a known device. */
  tokenDigests?: string[]
  /** The session of the caller, who is logged in: it is counted by itself, and nobody else can use it up. */
  session?: number
}

/** Strangers can do these: what one network does must not keep the owner out. */
const strangersDo: readonly AttemptKind[] = ['password', 'code-sent', 'reset-mail']
/** Messages that are sent on request; there is no secret to try. */
const requests: readonly AttemptKind[] = ['code-sent', 'text', 'reset-mail']

/**
 * The key under which attempts at an account are counted, whether it exists or not. It is cut to what the table holds; no e-mail address
 * of an account is that long. It has no blanks: what comes after
 * one is the network or session.
 */
export function accountKey(population: 'client' | 'staff', emailOrId: string | number): string {
  return `${population}:${smallLetters(String(emailOrId)).slice(0, 300).replace(/\s/g, '_')}`
}

/** Whose key that is: there may be no such account. */
export function accountOfKey(key: string): { population: Population; email: string } {
  const colon = key.indexOf(':')
  return { population: key.slice(0, colon) as Population, email: key.slice(colon + 1) }
}

/**
 * Counts an attempt before it is judged, and refuses with 429 + `Retry-After` when there have been too many: of this network at this
 * account, of all networks at this account, of this network at any account, or of what is counted along as `more`. It takes the
 * pool, never a transaction.
 */
export async function countAttempt(
  services: World,
  attempt: LimitedAttempt,
  more: readonly RateLimit[] = []
): Promise<Counted> {
  return await countAll(
    services,
    [...limitsFor(services.config, attempt), ...more],
    knownByOf(services.config, attempt)
  )
}

/** The attempt succeeded: its own count starts anew, and the counts that it shares get this one back. */
export async function forgiveAttempt(services: World, counted: Counted): Promise<void> {
  await takeBack(services, counted)
}

/** The limits of an attempt. */
export function limitsFor(config: World['config'], attempt: LimitedAttempt): RateLimit[] {
  const { kind, ip, session } = attempt
  const limit = { key: keyOf(attempt), kind, most: config[attemptLimits[kind]], seconds: config.GUESS_WINDOW_SECONDS }
  if (session !== undefined) return [{ ...sessionLimit(limit), key: `${limit.key} session:${session}` }]
  if (!ip) return [{ ...limit, startsAnew: true }]

  const address: RateLimit = {
    ...limit,
    key: 'address',
    kind: 'address',
    most: config.MAX_FAILURES_PER_ADDRESS,
    exempt: 'device'
  }
  const ofAddress = requests.includes(kind) ? [] : networkLimits(ip, address)
  if (!strangersDo.includes(kind)) return [{ ...limit, startsAnew: true }, ...ofAddress]
  const [own, ...around] = networkLimits(ip, { ...limit, exempt: 'device' })
  return [
    { ...own!, startsAnew: true },
    ...around,
    { ...limit, most: limit.most * config.ALL_NETWORKS_FACTOR, exempt: 'network' },
    ...ofAddress
  ]
}

/** Who need not share the limits of strangers. */
function knownByOf(config: World['config'], attempt: LimitedAttempt): KnownBy | undefined {
  const { kind, owner: account, ip, tokenDigests, session } = attempt
  if (!ip || session !== undefined || !strangersDo.includes(kind)) return undefined
  const limit = { key: keyOf(attempt), kind, most: config[attemptLimits[kind]], seconds: config.GUESS_WINDOW_SECONDS }
  return { account, network: networksOf(ip)[0], tokenDigests, device: sessionLimit(limit) }
}

/** Forgets all that was counted for these accounts and numbers, by whomever, and answers how much it was. */
export async function forgetAttempts(
  db: Db,
  accounts: string[],
  kinds = Object.keys(attemptLimits) as AttemptKind[]
): Promise<number> {
  const keys = accounts.flatMap(account => [
    `warned:${account}`,
    emailsKey(account),
    ...kinds.map(kind => keyOf({ kind, account }))
  ])
  // The key alone, and with a network or a session behind a blank, which is followed by the exclamation mark.
  const { numAffectedRows } = await sql`
    delete from guesses using unnest(${keys}::text[]) as account
    where key = account or (key >= account || ' ' and key < account || '!')`.execute(db)
  return Number(numAffectedRows)
}

function keyOf({ kind, account }: Pick<LimitedAttempt, 'kind' | 'account'>): string {
  return `${kind}:${account}`
}

/** Without the number of the session, which may be known to the database alone. */
function sessionLimit(limit: RateLimit): RateLimit {
  return { ...limit, key: `${limit.key} session:`, startsAnew: true }
}
