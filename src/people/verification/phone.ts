import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { codeSeconds } from '../../core/limits.ts'
import { limitsFor } from '../../core/rate-limits/attempts.ts'
import { textBudgets } from '../../core/rate-limits/outgoing.ts'
import type { Services } from '../../core/services.ts'
import { phoneCodeText } from '../../core/wording/fill-wording.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { languageOf } from '../../mail/outbox/localized-email.ts'
import { consumeCode, type Proof, sendCode } from './codes.ts'
import { isPhoneNumber, refuseMissing } from './schemas.ts'

export const NoSuchNumber = failure(404, 'phone_number_not_found', 'There is no account with this phone number')

/**
 * Sends a code to a phone number by text message. With a client's bearer token any number may be given, or none for the account's own;
 * without one the number has to be that of a client. Throws `NoSuchNumber`, `MissingFields`, `TooManyAttempts`, and `InvalidFields` if text
 * messages cannot reach the number.
 */
export async function sendPhoneCode(
  services: Services,
  actor: Actor | undefined,
  phoneNumber: string | undefined,
  caller: Caller
): Promise<{ phoneNumber: string; code: string; expiresInSeconds: number }> {
  if (phoneNumber !== undefined) await reachedNumber(services, phoneNumber)
  const proof = await proofOf(services.db, actor, phoneNumber, clientToVerify)
  const number = await reachedNumber(services, proof.target)
  // Limited per number too: many accounts may give the same number, and its owner must not be flooded.
  const perNumber = limitsFor(services.config, { kind: 'text', account: proof.target.replace(/\D/g, '') })
  const budgets = [...perNumber, ...textBudgets(services, { number, ip: caller.ip })]
  const code = await sendCode(services, proof, budgets, caller, NoSuchNumber, async (db, code) => {
    const language = await languageOf(db, { population: 'client', id: proof.clientId })
    await addToOutbox(services, db, {
      kind: 'phone-code',
      channel: 'text',
      recipient: proof.target,
      clientId: proof.clientId,
      requestId: caller.requestId,
      content: phoneCodeText({ code, expiresInSeconds: codeSeconds }, language)
    })
  })
  return { phoneNumber: proof.target, code, expiresInSeconds: codeSeconds }
}

/**
 * Verifies a phone number and stores it with the account. A new number is not stored before that, and a verified one stays verified. Throws
 * `NoSuchNumber`, `MissingFields`, `CodeRefused`, `TooManyAttempts`.
 */
export async function verifyPhoneWith(
  services: Services,
  actor: Actor | undefined,
  given: { phone_number: string | undefined; code: string | undefined },
  caller: Caller
): Promise<{ clientId: number; phoneNumber: string }> {
  const proof = await proofOf(services.db, actor, given.phone_number, clientWithCode, { code: given.code })
  await consumeCode(services, proof, { code: given.code!, ip: caller.ip, actor }, async ({ db, now }) => {
    await storeVerified(db, { client: proof.clientId, number: proof.target, now })
  })
  return { clientId: proof.clientId, phoneNumber: proof.target }
}

/** The canonical form of a number that text messages can reach, however it is written. Throws `InvalidFields` for any other. */
async function reachedNumber({ texts, config }: Services, given: string): Promise<string> {
  // Loading the phone number metadata takes 50 ms.
  const { phoneNumber } = await import('../../platform/texts/phone-number.ts')
  const number = phoneNumber(given, config.DEFAULT_COUNTRY)
  const { TEXT_COUNTRIES: countries } = config
  if (!texts.reaches(given) || (countries.length > 0 && !number)) {
    throw InvalidFields({
      message: 'No text can be sent to this phone number: give it with + and its country code',
      errors: ['phone_number']
    })
  }
  if (countries.length > 0 && !countries.includes(number?.country ?? '')) {
    throw InvalidFields({ message: 'No texts are sent to phone numbers of this country', errors: ['phone_number'] })
  }
  return number?.e164 ?? given.replace(/\D/g, '')
}

/** The client and number to verify. A bearer token of staff does not count. Throws `NoSuchNumber`, `MissingFields` with all that is missing. */
async function proofOf(
  db: Db,
  actor: Actor | undefined,
  phoneNumber: string | undefined,
  clientWith: typeof clientToVerify,
  alsoRequired: Record<string, unknown> = {}
): Promise<Proof> {
  if (actor?.population === 'client') {
    const target = phoneNumber ?? (await ownNumber(db, actor.id))
    refuseMissing({ phone_number: target, ...alsoRequired })
    return { type: 'phone', clientId: actor.id, target: target! }
  }
  refuseMissing({ phone_number: phoneNumber, ...alsoRequired })
  const [client] = await clientWith(db, { number: phoneNumber! })
  if (!client) throw NoSuchNumber()
  return { type: 'phone', clientId: client.id, target: phoneNumber! }
}

async function ownNumber(db: Db, id: number): Promise<string | undefined> {
  const [client] = await numberOf(db, { id })
  return client && isPhoneNumber(client.phone_number) ? client.phone_number : undefined
}

const numberOf = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).select('phone_number')
)

/**
 * Several clients may share a number, as in families and offices. A caller without a bearer token has most likely just signed up: the
 * newest unverified one, otherwise the newest.
 */
const clientToVerify = prepared((db, p: { number: string }) =>
  db
    .selectFrom('clients')
    .where('phone_number', '=', p.number)
    .select('id')
    .orderBy('is_phone_verified')
    .orderBy('id', 'desc')
    .limit(1)
)

/** Among the clients with this number, the one to whom the newest open code was sent. */
const clientWithCode: typeof clientToVerify = prepared((db, p: { number: string }) =>
  db
    .selectFrom('clients')
    .leftJoin('verification_codes as codes', join =>
      join
        .onRef('codes.client_id', '=', 'clients.id')
        .onRef('codes.target', '=', 'clients.phone_number')
        .on('codes.type', '=', sql.lit('phone'))
        .on('codes.is_used', '=', sql.lit(false))
    )
    .where('clients.phone_number', '=', p.number)
    .select('clients.id')
    .orderBy('codes.id', order => order.desc().nullsLast())
    .orderBy('clients.id', 'desc')
    .limit(1)
)

const storeVerified = prepared((db, p: { client: number; number: string; now: Date }) =>
  db
    .updateTable('clients')
    .set({ phone_number: p.number, is_phone_verified: true, updated_at: p.now })
    .where('id', '=', p.client)
)
