import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { networksOf } from '../../lib/network.ts'
import { secondsAfter } from '../../lib/time.ts'
import { type Db, prepared } from '../db.ts'
import { accessTokenSeconds, refreshTokenSeconds } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'
import type { SignedInBy } from '../tables/sessions.ts'

export type SessionServices = Pick<Services, 'db' | 'realClock' | 'keys'>

export interface Account {
  population: Population
  id: number
}

/** The address and user agent that open or refresh a session, for the refresh token record. */
export interface Device {
  ip: string
  userAgent: string
}

/** The contract's token pair; `expires_in` is in seconds. */
export interface TokenPair {
  token: string
  refresh_token: string
  expires_in: number
  token_type: 'Bearer'
}

/** When a session ends, however often it is renewed; whether a provider has asked for a second factor. */
export interface SessionOptions {
  endsAt?: Date | null
  hasProviderFactor?: boolean
}

/**
 * Opens a session for an active account whose stored password still is `password`, and returns it with its tokens; undefined if that has changed
 * since the caller read it. The account row is locked meanwhile, so that a concurrent reset either comes first and wins, or finds this
 * session and ends it. Pass a transaction as `db` if more depends on it.
 */
export async function openSession(
  { keys, realClock }: Pick<SessionServices, 'keys' | 'realClock'>,
  db: Db,
  account: Account & { password: string },
  device: Device,
  signedInBy: SignedInBy = 'password',
  { endsAt = null, hasProviderFactor = false }: SessionOptions = {}
): Promise<{ session: number; tokens: TokenPair } | undefined> {
  const now = realClock.now()
  const refreshToken = newRefreshToken()
  const open = account.population === 'client' ? openClientSession : openStaffSession
  const [session] = await open(db, {
    account: account.id,
    password: account.password,
    token: keys.digest('refresh', refreshToken),
    now,
    expiresAt: earlierOf(secondsAfter(now, refreshTokenSeconds), endsAt),
    network: networksOf(device.ip)[0],
    signedInBy,
    endsAt,
    hasProviderFactor,
    ...recorded(device)
  })
  if (!session) return undefined
  const { session_id: sessionId } = session
  return { session: sessionId, tokens: tokenPair(keys, now, { ...account, sessionId, endsAt }, refreshToken) }
}

/** Ends the session of this refresh token, if there is one. */
export async function endSessionOfToken({ db, keys, realClock }: SessionServices, refreshToken: string): Promise<void> {
  const owner = await db
    .selectFrom('refresh_tokens')
    .where('token', 'in', keys.digests('refresh', refreshToken))
    .select('session_id')
    .executeTakeFirst()
  if (owner) await endSession(db, owner.session_id, realClock.now())
}

/** Ends one session: both its tokens become invalid at once. */
export async function endSession(db: Db, sessionId: number, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
  await db
    .updateTable('refresh_tokens')
    .set({ is_revoked: true, updated_at: now })
    .where('session_id', '=', sessionId)
    .where('is_revoked', '=', false)
    .execute()
}

/**
 * Ends every session of an account except `except`, inside the transaction that changed its password or deactivated it, and returns how
 * many. Its API tokens end with them, unless `keepTokens`.
 */
export async function endSessionsOf(
  db: Db,
  account: Account,
  now: Date,
  { except, keepTokens = false }: { except?: number | undefined; keepTokens?: boolean } = {}
): Promise<number> {
  const column = account.population === 'client' ? 'client_id' : 'staff_id'
  let going = db.updateTable('sessions').set({ ended_at: now }).where(column, '=', account.id)
  if (except !== undefined) going = going.where('id', '<>', except)
  if (keepTokens) going = going.where('signed_in_by', '<>', 'token')
  const ended = await going.where('ended_at', 'is', null).returning('id').execute()
  if (ended.length === 0) return 0
  await db
    .updateTable('refresh_tokens')
    .set({ is_revoked: true, updated_at: now })
    // One parameter: a program may open more sessions than a statement has parameters.
    .where('session_id', '=', sql<number>`any(${ended.map(({ id }) => id)}::bigint[])`)
    .where('is_revoked', '=', false)
    .execute()
  return ended.length
}

/** A token pair for the session of this account, with a refresh token that is already stored. */
export function tokenPair(
  keys: SessionServices['keys'],
  now: Date,
  { population, id, sessionId, endsAt }: Account & { sessionId: number; endsAt: Date | null },
  refreshToken: string
): TokenPair {
  const claims = { session: sessionId, population, account: id }
  const left = endsAt ? Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / 1000)) : accessTokenSeconds
  const seconds = Math.min(accessTokenSeconds, left)
  return {
    token: keys.sign('access', claims, now, seconds),
    refresh_token: refreshToken,
    expires_in: seconds,
    token_type: 'Bearer'
  }
}

/** The sooner of two moments; null is never. */
export function earlierOf(one: Date, other: Date | null): Date {
  return other && other < one ? other : one
}

interface NewSession {
  account: number
  password: string
  token: string
  now: Date
  expiresAt: Date
  userAgent: string
  ip: string
  network: string
  signedInBy: SignedInBy
  endsAt: Date | null
  hasProviderFactor: boolean
}

const openClientSession = prepared((db, p: NewSession) => openStatement(db, 'client', p))
const openStaffSession = prepared((db, p: NewSession) => openStatement(db, 'staff', p))

function openStatement(db: Db, population: Population, p: NewSession) {
  return db
    .with('account', db =>
      db
        .selectFrom(population === 'client' ? 'clients' : 'staff')
        .where('id', '=', p.account)
        .where('password', '=', p.password)
        .where('is_active', '=', true)
        .forShare()
        .select('id')
    )
    .with('session', db =>
      db
        .insertInto('sessions')
        .columns(['user_type', 'user_id', 'network', 'signed_in_by', 'ends_at', 'has_provider_factor', 'created_at'])
        .expression(
          db
            .selectFrom('account')
            .select([
              sql.lit(population).as('user_type'),
              'account.id',
              sql<string>`${p.network}::varchar`.as('network'),
              sql<SignedInBy>`${p.signedInBy}::text`.as('signed_in_by'),
              sql<Date | null>`${p.endsAt}::timestamptz`.as('ends_at'),
              sql<boolean>`${p.hasProviderFactor}::boolean`.as('has_provider_factor'),
              moment(p.now).as('created_at')
            ])
        )
        .returning('id')
    )
    .insertInto('refresh_tokens')
    .columns([
      'session_id',
      'user_id',
      'user_type',
      'token',
      'expires_at',
      'user_agent',
      'ip_address',
      'created_at',
      'updated_at'
    ])
    .expression(db =>
      db
        .selectFrom('session')
        .select([
          'session.id',
          sql<number>`${p.account}::bigint`.as('user_id'),
          sql.lit(population).as('user_type'),
          sql<string>`${p.token}::text`.as('token'),
          moment(p.expiresAt).as('expires_at'),
          sql<string>`${p.userAgent}::varchar`.as('user_agent'),
          sql<string>`${p.ip}::varchar`.as('ip_address'),
          moment(p.now).as('created_at'),
          moment(p.now).as('updated_at')
        ])
    )
    .returning('session_id')
}

function moment(time: Date) {
  return sql<Date>`${time}::timestamptz`
}

export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a device's data. */
export function recorded(device: Device): { userAgent: string; ip: string } {
  return { userAgent: device.userAgent.replaceAll('\0', '').slice(0, 255), ip: device.ip.slice(0, 45) }
}
