import { randomInt } from 'node:crypto'
import { type Actor, system } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import { codeSeconds, maxCodeAttempts } from '../../core/limits.ts'
import { accountKey, countAttempt, isOwnAttempt, type LimitedAttempt } from '../../core/rate-limits/attempts.ts'
import { isWithin, type RateLimit, refundAttempt } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { networksOf } from '../../lib/network.ts'
import { secondsAfter } from '../../lib/time.ts'
import { afterCommit, poolOf } from '../../platform/db/outer-transaction.ts'
import { sameSecret } from '../../platform/secrets/same-secret.ts'
import { requireConfirmedEmail } from '../clients/email-changes.ts'
import { lockClient, lockClientAt } from '../clients/lock-client.ts'
import { invalidateCodes } from '../clients/sign-out-everywhere.ts'

/** The same error whether the code is wrong, expired, used, void after wrong tries, or was never sent (decision 22). */
export const CodeRefused = failure(400, 'invalid_code', 'The code is wrong, has expired or has been used')

/** What a code proves: that this client receives what is sent to this address or number. */
export interface Proof {
  type: 'email' | 'phone'
  clientId: number
  /** The e-mail address or phone number, as stored or about to be. */
  target: string
}

/**
 * Creates a code, voids older ones of its kind and lets `post` queue the e-mail or text message, all in one transaction. However many are
 * requested at once, only one is valid in the end. It counts against the account and these budgets. Throws `TooManyAttempts`,
 * `EmailUnconfirmed`, and `missing()` if the client was deleted or has another address by now.
 */
export async function sendCode(
  services: Services,
  proof: Proof,
  budgets: RateLimit[],
  { ip }: Caller,
  missing: () => Error,
  post: (db: Db, code: string) => Promise<unknown>
): Promise<string> {
  const { db, realClock, keys } = services
  const owner = { population: 'client', id: proof.clientId } as const
  const sent = { kind: 'code-sent', account: accountKey('client', proof.clientId), ip, owner } as const
  await countAttempt(services, sent, budgets)
  const code = String(randomInt(1_000_000)).padStart(6, '0')

  await transaction(db, async db => {
    if (!(await lockedFor(db, proof))) throw missing()
    // A verified address would receive the contents of the client's tickets.
    if (proof.type === 'email') await requireConfirmedEmail(db, proof.clientId)
    const now = realClock.now()
    await invalidateCodes(db, { client: proof.clientId, type: proof.type, now })
    await insertCode(db, {
      client: proof.clientId,
      type: proof.type,
      target: proof.target,
      code: cut(keys.digest(purpose(proof), code)),
      now,
      expires: secondsAfter(now, codeSeconds)
    })
    await post(db, code)
  })
  return code
}

/**
 * Consumes the open code for this proof and runs `verified` in the same transaction. Each try is counted before it is checked; the fifth of
 * the account voids the code, the fifth of a stranger voids it for their network, so that no stranger takes it from its owner. Of concurrent
 * tries with the right code at most one succeeds. Throws `CodeRefused`, `TooManyAttempts`.
 */
export async function consumeCode(
  services: Services,
  proof: Proof,
  given: { code: string; ip: string; actor: Actor | undefined },
  verified: (act: Act) => Promise<void>
): Promise<void> {
  const { db, realClock, keys } = services
  const { actor, ip } = given
  const attempt: LimitedAttempt = {
    kind: 'code',
    account: accountKey('client', proof.clientId),
    ip,
    owner: { population: 'client', id: proof.clientId },
    byStranger: actor?.population !== 'client' || actor.id !== proof.clientId
  }
  const counted = await countAttempt(services, attempt)
  const { clientId: client, type, target } = proof
  const tried = { client, type, target, now: realClock.now(), most: maxCodeAttempts }
  const isOwn = isOwnAttempt(counted, attempt)
  const [open] = await (isOwn ? tryCode : openCode)(poolOf(db), tried)
  if (!open || !(isOwn || (await isOpenToStranger(services, attempt, open.id)))) throw CodeRefused()
  if (!isRight(keys, proof, given.code, open.code)) throw CodeRefused()

  await act(services, system, async act => {
    await lockClient(act.db, proof.clientId)
    const [used] = await spendCode(act.db, { id: open.id, now: realClock.now() })
    if (!used) throw CodeRefused()
    await verified(act)
  })
  await afterCommit(db, db =>
    refundAttempt({ ...services, db }, counted).catch(error =>
      services.log.warn({ err: error }, 'The attempt of a right code still counts against its limit')
    )
  )
}

/** Counts a stranger's try of a code; false after too many from their network. */
async function isOpenToStranger(
  { db, realClock }: Services,
  { account, ip }: LimitedAttempt,
  code: number
): Promise<boolean> {
  const [network] = networksOf(ip!)
  const key = `code:${account} ${code} ${network}`
  return await isWithin(
    { db: poolOf(db), realClock },
    { key, kind: 'code', most: maxCodeAttempts, seconds: codeSeconds }
  )
}

/** Locks the client; false if there is none any more, or none with this e-mail address. A phone number may be a new one. */
async function lockedFor(db: Db, { type, clientId: id, target }: Proof): Promise<boolean> {
  return type === 'email' ? await lockClientAt(db, { id, email: target }) : await lockClient(db, id)
}

/** Binds a digest to one client and one type of code. */
function purpose({ type, clientId }: Proof): string {
  return `code:${type}:${clientId}`
}

function isRight(keys: Keys, proof: Proof, code: string, stored: string): boolean {
  return keys.digests(purpose(proof), code).some(digest => sameSecret(cut(digest), stored))
}

/** Truncates to the 20 characters of the contract's column. */
function cut(digest: string): string {
  return digest.slice(0, 20)
}

interface NewCode {
  client: number
  type: Proof['type']
  target: string
  code: string
  now: Date
  expires: Date
}

const insertCode = prepared((db, p: NewCode) =>
  db.insertInto('verification_codes').values({
    client_id: p.client,
    type: p.type,
    target: p.target,
    code: p.code,
    expires_at: p.expires,
    created_at: p.now,
    updated_at: p.now
  })
)

interface Try {
  client: number
  type: Proof['type']
  target: string
  now: Date
  most: number
}

const tryCode = prepared((db, p: Try) =>
  db
    .updateTable('verification_codes')
    .set(row => ({ attempts: row('attempts', '+', 1), updated_at: p.now }))
    .where('client_id', '=', p.client)
    .where('type', '=', p.type)
    .where('target', '=', p.target)
    .where('is_used', '=', false)
    .where('expires_at', '>', p.now)
    .where('attempts', '<', p.most)
    .returning(['id', 'code'])
)

const openCode: typeof tryCode = prepared((db, p: Try) =>
  db
    .selectFrom('verification_codes')
    .where('client_id', '=', p.client)
    .where('type', '=', p.type)
    .where('target', '=', p.target)
    .where('is_used', '=', false)
    .where('expires_at', '>', p.now)
    .where('attempts', '<', p.most)
    .select(['id', 'code'])
)

const spendCode = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('verification_codes')
    .set({ is_used: true, updated_at: p.now })
    .where('id', '=', p.id)
    .where('is_used', '=', false)
    .returning('id')
)
