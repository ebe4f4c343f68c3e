import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { type Db, prepared } from '../db.ts'
import type { Caller } from '../kit/caller.ts'
import { failure, InvalidFields } from '../kit/errors.ts'
import { codeSeconds } from '../limits.ts'
import { addToOutbox } from '../outbox/add-to-outbox.ts'
import { languageOf } from '../outbox/worded-for.ts'
import { limitsFor } from '../rate-limits/attempts.ts'
import { textBudgets } from '../rate-limits/outgoing.ts'
import type { Services } from '../services.ts'
import { phoneCodeText } from '../wording/fill-wording.ts'
import { consumeCode, type Proof, sendCode } from './codes.ts'
import { isPhoneNumber, refuseMissing } from './schemas.ts'

export const NoSuchNumber = failure(404, 'phone_number_not_found', 'There is no account with this phone number')

/**
 * Texts a code to a phone number. A client's bearer may name any number, or none for the account's own; without one the
 * number must be some client's. Throws `NoSuchNumber`, `MissingFields`, `TooManyAttempts`, and `InvalidFields` when no
 * text can reach the number.
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
  // Any number of accounts may name one number: whoever has the phone is not to pay for that.
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
 * Verifies a phone number and stores it with the account. Before that nothing of a new number is stored there, and a
 * number that was verified stays so. Throws `NoSuchNumber`, `MissingFields`, `CodeRefused`, `TooManyAttempts`.
 */
export async function verifyPhoneWith(
  services: Services,
  actor: Actor | undefined,
  given: { phone_number: string | undefined; code: string | undefined },
  caller: Caller
): Promise<{ clientId: number; phoneNumber: string }> {
  const proof = await proofOf(services.db, actor, given.phone_number, clientWithCode, { code: given.code })
  await consumeCode(services, proof, { code: given.code!, ip: caller.ip }, async (db, now) => {
    await storeVerified(db, { client: proof.clientId, number: proof.target, now })
  })
  return { clientId: proof.clientId, phoneNumber: proof.target }
}

/** One spelling of a number to which texts go, for all that it may be written in. Throws `InvalidFields` for any other. */
async function reachedNumber({ texts, config }: Services, given: string): Promise<string> {
  // What it knows of the world's phone numbers takes 50 ms to load.
  const { phoneNumber } = await import('../platform/texts/phone-number.ts')
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

/** Whose number is meant; whatever is missing for that or beside it is refused. A staff bearer counts as none. */
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
 * Several clients may have one number, as families and offices do. Who asks without a bearer has most likely just signed
 * up: the newest that is not verified, else the newest.
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

/** Among those who have the number, the one that the newest open code was sent for. */
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
