import type { Static } from 'typebox'
import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Account, TokenPair } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { type AccountOf, type AnyAccount, accountById, recipientOf } from '../auth/accounts.ts'
import { AccountInactive } from '../auth/log-in.ts'
import { openSignIn } from '../auth/open-sign-in.ts'
import { recordSignIn } from '../auth/record-sign-in.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import { newChallenge, useChallenge } from './passkey-challenges.ts'
import { subjectOf } from './passkeys.ts'
import { userHandle } from './register-passkey.ts'
import { relyingParty } from './relying-party.ts'
import type { AuthenticationResponse } from './schemas.ts'

/** The same for every passkey that does not sign in, so that nobody learns which there are. */
export const InvalidPasskey = failure(401, 'invalid_passkey', 'This passkey does not sign in here')
export const PasskeyBlocked = failure(
  401,
  'passkey_blocked',
  'This passkey is blocked, since a copy of it may exist. Sign in another way, and remove it from your account'
)

/** The options with which a browser offers the passkeys that it has for us. Throws `PasskeysUnavailable`, and 429. */
export async function signInOptions(services: Services, population: Population, ip: string) {
  const { host } = relyingParty(services.config)
  const { id, challenge } = await newChallenge(services, { population }, ip)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required'
  })
  return { options, challenge_id: id }
}

/**
 * Signs in with a passkey, which stands for password and second factor. Throws `InvalidPasskey`, `PasskeyBlocked`, `AccountInactive`,
 * `PasskeysUnavailable`.
 */
export async function signInWithPasskey<P extends Population>(
  services: Services,
  population: P,
  given: SignedPasskey,
  caller: Caller
): Promise<{ account: AccountOf[P]; tokens: TokenPair }> {
  const { account, passkey, signed } = await signedWith(services, population, given)
  if (!account.is_active) throw AccountInactive()
  if (passkey.blocked_at !== null) throw PasskeyBlocked()

  const tokens = await act(services, auditActorOfAccount(account, caller), async act => {
    const [current] = await use(act.db, { id: passkey.id, ...signed, now: services.realClock.now() })
    if (!current) return undefined
    const opened = await openSignIn(services, act.db, account, caller, { signedInBy: 'passkey' })
    if (!opened) throw InvalidPasskey()
    recordSignIn(act, account, 'passkey')
    return opened
  })
  if (tokens) return { account: account as AccountOf[P], tokens }
  await blockPasskey(services, account, passkey, signed.counter, caller)
  throw PasskeyBlocked()
}

/**
 * Throws unless this is signed by a passkey of the person who is signed in, which proves that it is still they. Throws as `signInWithPasskey`
 * does.
 */
export async function provePasskey(services: Services, actor: Account, given: SignedPasskey, caller: Caller) {
  const { account, passkey, signed } = await signedWith(services, actor.population, given)
  if (account.id !== actor.id) throw InvalidPasskey()
  if (passkey.blocked_at !== null) throw PasskeyBlocked()
  const [current] = await use(services.db, { id: passkey.id, ...signed, now: services.realClock.now() })
  if (current) return
  await blockPasskey(services, account, passkey, signed.counter, caller)
  throw PasskeyBlocked()
}

interface SignedPasskey {
  challenge_id: number
  response: Static<typeof AuthenticationResponse>
}

/** The passkey that has signed a challenge, and whose it is. */
async function signedWith(services: Services, population: Population, { challenge_id, response }: SignedPasskey) {
  const { db } = services
  const { origin, host } = relyingParty(services.config)
  const challenge = await useChallenge(services, { population }, challenge_id, response.response.clientDataJSON)
  const [passkey] = challenge === undefined ? [] : await byCredential(db, { id: response.id, population })
  const account = passkey && (await accountById(db, { population, id: passkey.user_id }))
  if (challenge === undefined || !passkey || !account || !isOf(response, account)) throw InvalidPasskey()
  return { account, passkey, signed: await verified(response, passkey, { challenge, origin, host }) }
}

/** Whether the authenticator names the owner of the passkey, if it names one. */
function isOf({ response }: Static<typeof AuthenticationResponse>, owner: AnyAccount): boolean {
  return !response.userHandle || response.userHandle === Buffer.from(userHandle(owner)).toString('base64url')
}

interface StoredPasskey {
  id: number
  credential_id: string
  public_key: Buffer
  counter: number
}

/** Verifies everything but the counter, which is compared when it is stored. */
async function verified(
  response: Static<typeof AuthenticationResponse>,
  passkey: StoredPasskey,
  { challenge, origin, host }: { challenge: string; origin: string; host: string }
): Promise<{ counter: number; isBackedUp: boolean }> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    requireUserVerification: true
  }).catch(() => {
    // Whatever the library cannot read or does not accept, this passkey has not signed.
    throw InvalidPasskey()
  })
  if (!verified) throw InvalidPasskey()
  return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
}

/** Of two authenticators with the same key, one counts behind the other: the passkey is blocked until its owner removes it. */
async function blockPasskey(
  services: Services,
  account: AnyAccount,
  { id, counter: last_counter }: StoredPasskey,
  counter: number,
  caller: Caller
): Promise<void> {
  await act(services, auditActorOfAccount(account, caller), async act => {
    const { db } = act
    if ((await block(db, { id, now: services.realClock.now() })).length === 0) return
    await addToOutbox(services, db, {
      kind: 'passkey-blocked',
      channel: 'mail',
      recipient: await recipientOf(db, account),
      clientId: account.population === 'client' ? account.id : undefined,
      requestId: caller.requestId,
      reader: account,
      email: { template: 'passkey-blocked', values: {} }
    })
    act.happened({
      kind: 'passkey.blocked',
      subject: subjectOf(account),
      after: { passkey_id: id, counter, last_counter }
    })
  })
}

const byCredential = prepared((db, p: { id: string; population: Population }) =>
  db
    .selectFrom('passkeys')
    .where('credential_id', '=', p.id)
    .where('user_type', '=', p.population)
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'blocked_at'])
)

/** Authenticators that do not count always say 0. */
const use = prepared((db, p: { id: number; counter: number; isBackedUp: boolean; now: Date }) =>
  db
    .updateTable('passkeys')
    .set({ counter: p.counter, is_backed_up: p.isBackedUp, last_used_at: p.now })
    .where('id', '=', p.id)
    .where('blocked_at', 'is', null)
    .where(passkey =>
      passkey.or([
        passkey('counter', '<', p.counter),
        passkey.and([passkey('counter', '=', 0), passkey(passkey.val(p.counter), '=', 0)])
      ])
    )
    .returning('id')
)

const block = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('passkeys')
    .set({ blocked_at: p.now })
    .where('id', '=', p.id)
    .where('blocked_at', 'is', null)
    .returning('id')
)
