import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { codeSeconds } from '../../core/limits.ts'
import { accountKey } from '../../core/rate-limits/attempts.ts'
import { emailBudget } from '../../core/rate-limits/outgoing.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { clientByEmail, NoSuchAccount } from '../clients/client-by-email.ts'
import { proveByCode } from '../clients/prove-email.ts'
import { consumeCode, type Proof, sendCode } from './codes.ts'
import { refuseMissing } from './schemas.ts'

/**
 * E-mails a code to the client with this address, or else to the client of the bearer token. A verified address gets one as well. Throws
 * `NoSuchAccount`, `MissingFields`, `TooManyAttempts`.
 */
export async function sendEmailCode(
  services: Services,
  actor: Actor | undefined,
  email: string | undefined,
  caller: Caller
): Promise<{ email: string; code: string; expiresInSeconds: number }> {
  const proof = await proofOf(services.db, actor, email)
  const budget = emailBudget(services, accountKey('client', proof.target))
  const code = await sendCode(services, proof, budget, caller, NoSuchAccount, (db, code) =>
    addToOutbox(services, db, {
      kind: 'email-code',
      channel: 'mail',
      recipient: proof.target,
      clientId: proof.clientId,
      requestId: caller.requestId,
      reader: { population: 'client', id: proof.clientId },
      email: { template: 'email-code', values: { code, 'code.valid_for': codeSeconds } }
    })
  )
  return { email: proof.target, code, expiresInSeconds: codeSeconds }
}

/** Verifies the e-mail address. Throws `NoSuchAccount`, `MissingFields`, `CodeRefused`, `TooManyAttempts`. */
export async function verifyEmailWith(
  services: Services,
  actor: Actor | undefined,
  given: { email: string | undefined; code: string | undefined },
  caller: Caller
): Promise<{ clientId: number; email: string }> {
  const proof = await proofOf(services.db, actor, given.email, { code: given.code })
  await consumeCode(services, proof, { code: given.code!, ip: caller.ip, actor }, act =>
    proveByCode(act, proof.clientId)
  )
  return { clientId: proof.clientId, email: proof.target }
}

/**
 * The account with this e-mail address, whoever asks; without an address, that of a client's bearer token. Throws `NoSuchAccount`, and
 * `MissingFields` with all that is missing.
 */
async function proofOf(
  db: Db,
  actor: Actor | undefined,
  email: string | undefined,
  alsoRequired: Record<string, unknown> = {}
): Promise<Proof> {
  if (email === undefined && actor?.population === 'client') {
    refuseMissing(alsoRequired)
    return { type: 'email', clientId: actor.id, target: actor.email }
  }
  refuseMissing({ email, ...alsoRequired })
  const client = await clientByEmail(db, email!)
  if (!client) throw NoSuchAccount()
  return { type: 'email', clientId: client.id, target: client.email }
}
