import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Actor, Session } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { recipientOf } from '../auth/accounts.ts'
import { requireFreshSignIn } from '../auth/fresh-sign-in.ts'
import { accountOf } from '../auth/prove-password.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import { newChallenge, useChallenge } from './passkey-challenges.ts'
import { lockOwner, maxPasskeys, type OwnPasskey, passkeysOf, subjectOf } from './passkeys.ts'
import { relyingParty } from './relying-party.ts'
import type { RegistrationResponse } from './schemas.ts'

export const PasskeyRefused = failure(400, 'passkey_refused', 'This passkey could not be verified. Please try again')
export const PasskeyExists = failure(409, 'passkey_exists', 'This passkey is registered already')
export const TooManyPasskeys = failure(
  409,
  'too_many_passkeys',
  `An account has at most ${maxPasskeys} passkeys: remove one that you no longer use`
)

/** EdDSA, ES256 and RS256: what every browser and authenticator has. */
const algorithms = [-8, -7, -257]

/** The options with which a browser makes a passkey for the actor. Throws `PasskeysUnavailable`, `TooManyPasskeys`, and 429. */
export async function registrationOptions(services: Services, actor: Actor, ip: string) {
  const { host } = relyingParty(services.config)
  const known = await passkeysOf(services.db, actor)
  if (known.length >= maxPasskeys) throw TooManyPasskeys()
  const { settings } = await settingsOf(services.db)
  const { id, challenge } = await newChallenge(services, actor, ip)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: settings.name ?? 'Deskline',
    rpID: host,
    userID: userHandle(actor),
    userName: actor.email,
    userDisplayName: `${actor.firstName} ${actor.lastName}`.trim(),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    excludeCredentials: known.map(passkey => ({ id: passkey.credential_id, transports: passkey.transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms
  })
  return { options, challenge_id: id }
}

interface NewPasskey {
  challenge_id: number
  response: Static<typeof RegistrationResponse>
  name?: string
  password?: string
  code?: string
}

/**
 * Stores the passkey that a browser has made, and tells its owner by e-mail. Throws what `requireFreshSignIn` throws, `PasskeyRefused`,
 * `PasskeyExists`, `TooManyPasskeys`, `PasskeysUnavailable`.
 */
export async function registerPasskey(
  services: Services,
  session: Session,
  given: NewPasskey,
  caller: Caller
): Promise<OwnPasskey> {
  const { actor } = session
  const { response, name = 'Passkey' } = given
  const { origin, host } = relyingParty(services.config)
  await requireFreshSignIn(services, session, given, caller.ip)
  const challenge = await useChallenge(services, actor, given.challenge_id, response.response.clientDataJSON)
  if (challenge === undefined) throw PasskeyRefused()
  const made = await verified(response, { challenge, origin, host })

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await lockOwner(db, actor)
    const account = await accountOf({ db }, actor)
    if ((await passkeysOf(db, actor)).length >= maxPasskeys) throw TooManyPasskeys()
    const now = services.realClock.now()
    const [stored] = await insert(db, { population: actor.population, owner: actor.id, ...made, host, name, now })
    if (!stored) throw PasskeyExists()
    await addToOutbox(services, db, {
      kind: 'passkey-added',
      channel: 'mail',
      recipient: await recipientOf(db, account),
      clientId: actor.population === 'client' ? actor.id : undefined,
      requestId: caller.requestId,
      reader: actor,
      email: { template: 'passkey-added', values: {} }
    })
    act.happened({ kind: 'passkey.registered', subject: subjectOf(actor), after: { passkey_id: stored.id } })
    return (await passkeysOf(db, actor)).find(({ id }) => id === stored.id)!
  })
}

async function verified(
  response: Static<typeof RegistrationResponse>,
  { challenge, origin, host }: { challenge: string; origin: string; host: string }
) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms
  }).catch(() => {
    // Whatever the library cannot read or does not accept, a browser has not made for us.
    throw PasskeyRefused()
  })
  if (!registrationInfo) throw PasskeyRefused()
  const { credential, credentialBackedUp, aaguid } = registrationInfo
  if (credential.id.length > 1400) throw PasskeyRefused()
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...new Set(credential.transports ?? [])].filter(each => /^[a-z-]+$/.test(each)),
    isBackedUp: credentialBackedUp,
    aaguid
  }
}

/** By which an authenticator knows whose passkey it is, so that it keeps one for each account. */
export function userHandle({ population, id }: { population: Population; id: number }): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`${population}:${id}`))
}

interface Made {
  population: Population
  owner: number
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  isBackedUp: boolean
  aaguid: string
  host: string
  name: string
  now: Date
}

const insert = prepared((db, p: Made) =>
  db
    .insertInto('passkeys')
    .values({
      user_type: p.population,
      user_id: p.owner,
      credential_id: p.credentialId,
      public_key: p.publicKey,
      counter: p.counter,
      transports: sql<string[]>`${p.transports}::text[]`,
      is_backed_up: p.isBackedUp,
      aaguid: p.aaguid,
      host: p.host,
      name: p.name,
      created_at: p.now
    })
    .onConflict(conflict => conflict.column('credential_id').doNothing())
    .returning('id')
)
