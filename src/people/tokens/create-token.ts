import { sql } from 'kysely'
import { type Actor, accountName, hasPermission, type Session, type StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { newApiToken } from '../../core/api-tokens/secret.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { isNetwork } from '../../lib/networks.ts'
import { instantOf, secondsAfter } from '../../lib/time.ts'
import { accountOf, knowsPassword, WrongPassword } from '../auth/prove-password.ts'
import { PasskeysUnavailable } from '../passkeys/relying-party.ts'
import { InvalidPasskey, PasskeyBlocked, provePasskey } from '../passkeys/sign-in-with-passkey.ts'
import { tokenView, tokenWithId } from './api-tokens.ts'
import { longestLifeOf } from './token-policy.ts'

const ReauthenticationRequired = failure(
  403,
  'reauthentication_required',
  'Enter your password or use a passkey, or sign in again: that was more than ten minutes ago'
)
/** Of every endpoint that wants proof. */
export const proofFailures = [
  ReauthenticationRequired,
  WrongPassword,
  InvalidPasskey,
  PasskeyBlocked,
  PasskeysUnavailable
] as const
export const TokenNameTaken = failure(409, 'token_name_taken', 'There is an API token with this name already')
export const TooManyTokens = failure(409, 'too_many_tokens', 'This account has 20 API tokens already: revoke one first')

const freshSeconds = 600
export const maxTokens = 20
/** So far the clock may be ahead of ours by which a page counts the days. */
const clockSkewSeconds = 300
const longestLifeSeconds = 10 * 366 * 86_400

export interface Proof {
  password?: string
  passkey?: Parameters<typeof provePasskey>[2]
}

export interface NewToken {
  name: string
  permissions?: readonly Permission[] | null
  departments?: readonly number[] | null
  addresses?: readonly string[] | null
  read_only?: 0 | 1
  expires_at?: string | null
}

/**
 * Somebody who has taken over an open session must not leave themselves a way in: who makes a token has signed in within ten minutes, or gives
 * their password or a passkey. Throws `proofFailures`, 429.
 */
export async function requireFresh(
  services: Services,
  { id: session, actor }: Session,
  { password, passkey }: Proof,
  caller: Caller
): Promise<void> {
  const { db, realClock } = services
  const { ip } = caller
  if (password !== undefined) {
    if (!(await knowsPassword(services, await accountOf(services, actor), password, { ip, session }))) {
      throw WrongPassword()
    }
    return
  }
  if (passkey !== undefined) return await provePasskey(services, actor, passkey, caller)
  const [opened] = await openedAt(db, { session })
  if (!opened || opened.created_at < secondsAfter(realClock.now(), -freshSeconds)) throw ReauthenticationRequired()
}

/**
 * Makes an API token for `owner`: the actor, or a service account. It may never do more than its owner, and is shown only now. Throws
 * `StaffTokensOff`, `TokenNameTaken`, `TooManyTokens`, and `InvalidFields` for what the owner may not, or an end that is not in the future.
 */
export async function createToken(
  services: Services,
  { actor, caller }: { actor: Actor; caller: Caller },
  owner: Actor,
  given: NewToken
) {
  const { name, read_only: readOnly = 0 } = given
  const permissions = permissionsFor(owner, given.permissions)
  const addresses = addressesFor(given.addresses)
  const longestDays = await longestLifeOf(services.db, actor, owner)
  const expiresAt = endOf(given.expires_at, services.realClock.now(), longestDays)

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const names = (await lockTokensOf(db, owner)).filter(each => !each.replaced_by).map(each => each.name)
    if (names.includes(name)) throw TokenNameTaken({ errors: ['name'] })
    if (names.length >= maxTokens) throw TooManyTokens()
    const departments = await departmentsFor(db, owner, given.departments)
    const made = await storeToken(services, db, owner, {
      name,
      permissions,
      departments,
      addresses,
      is_read_only: readOnly === 1,
      expires_at: expiresAt,
      created_by: accountName(owner) === accountName(actor) ? null : actor.id
    })
    const facts = { token_id: made.api_token.id, name, permissions, read_only: readOnly === 1, expires_at: expiresAt }
    recordCreation(act, owner, facts)
    return made
  })
}

/** Stores a token with a new secret, which only the answer has. */
export async function storeToken(
  { keys, realClock }: Pick<Services, 'keys' | 'realClock'>,
  db: Db,
  { population, id: owner }: Pick<Actor, 'population' | 'id'>,
  given: Omit<TokenRow, 'id' | 'digest' | 'last_four'>
) {
  const token = newApiToken()
  const [session] = await insertSession(db, { population, owner, now: realClock.now() })
  const id = session!.id
  await insertToken(db, { ...given, id, digest: keys.digest('api-token', token), last_four: token.slice(-4) })
  return { token, api_token: tokenView(await tokenWithId(db, id)) }
}

/** The tokens of this account, which gets no other one, and none another name, until the transaction ends. */
export async function lockTokensOf(db: Db, { population, id }: Pick<Actor, 'population' | 'id'>) {
  await lock[population](db, { id })
  return await living(db, { population, owner: id })
}

interface Made {
  token_id: number
  name: string
  permissions: readonly Permission[] | null
  read_only: boolean
  expires_at: Date | null
}

function recordCreation(act: Act, { population: type, id }: Actor, { expires_at, ...made }: Made): void {
  const after = { ...made, expires_at: expires_at?.toISOString() ?? null }
  act.happened({ kind: 'api_token.created', subject: { type, id }, after })
}

/** In the order of the catalogue, each once. */
function permissionsFor(owner: Actor, given: NewToken['permissions']): Permission[] | null {
  if (given === undefined || given === null) return null
  if (owner.population === 'client') throw onlyForStaff('permissions')
  const beyond = given.filter(slug => !hasPermission(owner, slug))
  if (beyond.length > 0) {
    throw InvalidFields({
      message: `A token may not do more than its owner, who lacks: ${beyond.join(', ')}`,
      errors: ['permissions']
    })
  }
  return [...new Set(given)]
}

/** By their own ids. */
async function departmentsFor(db: Db, owner: Actor, given: NewToken['departments']): Promise<number[] | null> {
  if (given === undefined || given === null) return null
  if (owner.population === 'client') throw onlyForStaff('departments')
  const found = await departmentsWith(db, { deptids: given })
  const seen = found.filter(({ id }) => owner.departments?.includes(id) ?? true)
  const unknown = given.filter(deptid => !seen.some(each => each.deptid === deptid))
  if (unknown.length > 0) {
    const message = `These are no departments that its owner sees: ${unknown.slice(0, 10).join(', ')}`
    throw InvalidFields({ message, errors: ['departments'] })
  }
  if (given.length === 0) {
    throw InvalidFields({
      message: 'Without a department it could do nothing: name one, or null for all',
      errors: ['departments']
    })
  }
  return seen.map(({ id }) => id)
}

function addressesFor(given: NewToken['addresses']): string[] | null {
  if (given === undefined || given === null) return null
  const addresses = given.map(each => each.trim())
  const wrong = addresses.filter(each => !isNetwork(each))
  if (wrong.length > 0) {
    const message = `These are no addresses or networks such as 192.0.2.0/24: ${wrong.join(', ')}`
    throw InvalidFields({ message, errors: ['addresses'] })
  }
  return [...new Set(addresses)]
}

function onlyForStaff(field: string) {
  return InvalidFields({ message: `Only tokens of staff have ${field}`, errors: [field] })
}

function endOf(given: string | null | undefined, now: Date, longestDays: number | null): Date | null {
  const end = given === undefined || given === null ? null : instantOf(given)
  if (longestDays !== null && (end === null || end > secondsAfter(now, longestDays * 86_400 + clockSkewSeconds))) {
    const message = `On this desk an API token ends within ${longestDays} days: expires_at must name an end in that time`
    throw InvalidFields({ message, errors: ['expires_at'] })
  }
  if (end === null) return null
  if (end <= now || end > secondsAfter(now, longestLifeSeconds)) {
    throw InvalidFields({ message: 'expires_at must be in the future, within ten years', errors: ['expires_at'] })
  }
  return end
}

const openedAt = prepared((db, p: { session: number }) =>
  db.selectFrom('sessions').where('id', '=', p.session).select('created_at')
)

// One new token or name of an account at a time, so that names differ and there are not too many.
const lock = {
  client: prepared((db, p: { id: number }) =>
    db.selectFrom('clients').where('id', '=', p.id).select('id').forNoKeyUpdate()
  ),
  staff: prepared((db, p: { id: number }) =>
    db.selectFrom('staff').where('id', '=', p.id).select('id').forNoKeyUpdate()
  )
}

type Owner = { population: StaffActor['population'] | 'client'; owner: number }

const living = prepared((db, p: Owner) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('sessions', 'sessions.id', 'api_tokens.id')
    .where('sessions.user_type', '=', p.population)
    .where('sessions.user_id', '=', p.owner)
    .where('sessions.ended_at', 'is', null)
    .select(['api_tokens.id', 'api_tokens.name', 'api_tokens.replaced_by'])
)

const departmentsWith = prepared((db, p: { deptids: readonly number[] }) =>
  db
    .selectFrom('departments')
    .where('deptid', '=', sql<number>`any(${p.deptids}::bigint[])`)
    .select(['id', 'deptid'])
    .orderBy('id')
)

const insertSession = prepared((db, p: Owner & { now: Date }) =>
  db
    .insertInto('sessions')
    .values({ user_type: p.population, user_id: p.owner, signed_in_by: 'token', created_at: p.now })
    .returning('id')
)

interface TokenRow {
  id: number
  name: string
  digest: string
  last_four: string
  permissions: Permission[] | null
  departments: number[] | null
  addresses: string[] | null
  is_read_only: boolean
  expires_at: Date | null
  created_by: number | null
}

const insertToken = prepared((db, p: TokenRow) =>
  db.insertInto('api_tokens').values({
    id: p.id,
    name: p.name,
    digest: p.digest,
    last_four: p.last_four,
    permissions: p.permissions,
    departments: p.departments,
    addresses: p.addresses,
    is_read_only: p.is_read_only,
    expires_at: p.expires_at,
    created_by: p.created_by
  })
)
