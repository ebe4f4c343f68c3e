import { randomInt } from 'node:crypto'
import { requireConfirmedEmail } from '../clients/email-changes.ts'
import { lockClient } from '../clients/lock-client.ts'
import { voidCodes } from '../clients/sign-out-everywhere.ts'
import { type Db, prepared, transaction } from '../db.ts'
import type { Keys } from '../keys.ts'
import type { Caller } from '../kit/caller.ts'
import { failure } from '../kit/errors.ts'
import { secondsAfter } from '../lib/time.ts'
import { codeSeconds, maxCodeAttempts } from '../limits.ts'
import { afterCommit, poolOf } from '../platform/db/outer-transaction.ts'
import { sameSecret } from '../platform/secrets/same-secret.ts'
import { accountKey, countAttempt, forgiveAttempt } from '../rate-limits/attempts.ts'
import type { RateLimit } from '../rate-limits/rate-limit.ts'
import type { Services } from '../services.ts'

/** The same whether the code is wrong, old, used, spent by wrong tries, or was never sent (decision 22). */
export const CodeRefused = failure(400, 'invalid_code', 'The code is wrong, has expired or has been used')

/** What a code proves: that this client reads what is sent to this address or number. */
export interface Proof {
  type: 'email' | 'phone'
  clientId: number
  /** The e-mail address or phone number, as it is stored or about to be. */
  target: string
}

/**
 * Makes a code, voids the older of its kind and lets `post` queue the e-mail or text, all in one transaction. However
 * many are asked for at once, one is open in the end. It is counted against the account and these budgets. Throws
 * `TooManyAttempts`, `EmailUnconfirmed`, and `missing()` when the client is gone.
 */
export async function sendCode(
  services: Services,
  proof: Proof,
  budgets: RateLimit[],
  { ip }: Caller,
  missing: () => Error,
  post: (db: Db, code: string) => Promise<void>
): Promise<string> {
  const { db, clock, keys } = services
  const owner = { population: 'client', id: proof.clientId } as const
  const sent = { kind: 'code-sent', account: accountKey('client', proof.clientId), ip, owner } as const
  await countAttempt(services, sent, budgets)
  const code = String(randomInt(1_000_000)).padStart(6, '0')

  await transaction(db, async db => {
    if (!(await lockClient(db, proof.clientId))) throw missing()
    // Proved, the address would be told what stands in the client's tickets.
    if (proof.type === 'email') await requireConfirmedEmail(db, proof.clientId)
    const now = clock.now()
    await voidCodes(db, { client: proof.clientId, type: proof.type, now })
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
 * Uses up the open code for this proof and runs `verified` in the same transaction. Each try is counted before it is
 * judged; the fifth spends the code. Of any number of tries at once with the right code one succeeds at most. Throws
 * `CodeRefused`, `TooManyAttempts`.
 */
export async function consumeCode(
  services: Services,
  proof: Proof,
  given: { code: string; ip: string },
  verified: (db: Db, now: Date) => Promise<void>
): Promise<void> {
  const { db, clock, keys } = services
  const attempt = { kind: 'code', account: accountKey('client', proof.clientId), ip: given.ip } as const
  const counted = await countAttempt(services, attempt)
  const [open] = await tryCode(poolOf(db), {
    client: proof.clientId,
    type: proof.type,
    target: proof.target,
    now: clock.now(),
    most: maxCodeAttempts
  })
  if (!open || !isRight(keys, proof, given.code, open.code)) throw CodeRefused()

  await transaction(db, async db => {
    const now = clock.now()
    await lockClient(db, proof.clientId)
    const [used] = await spendCode(db, { id: open.id, now })
    if (!used) throw CodeRefused()
    await verified(db, now)
  })
  await afterCommit(db, db => forgiveAttempt({ ...services, db }, counted))
}

/** A digest of one client's code of one type fits no other's. */
function purpose({ type, clientId }: Proof): string {
  return `code:${type}:${clientId}`
}

function isRight(keys: Keys, proof: Proof, code: string, stored: string): boolean {
  return keys.digests(purpose(proof), code).some(digest => sameSecret(cut(digest), stored))
}

/** To the 20 characters of the contract's column. */
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

const spendCode = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('verification_codes')
    .set({ is_used: true, updated_at: p.now })
    .where('id', '=', p.id)
    .where('is_used', '=', false)
    .returning('id')
)
