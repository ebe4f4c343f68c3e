import { createHash, randomBytes } from 'node:crypto'
import type { Session, StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { staffActorOf } from '../../core/sessions/session-of.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import {
  connectedMailbox,
  lockedMailbox,
  mailboxSecrets,
  sealedMailboxSecrets
} from '../../mail/mailboxes/connected-mailboxes.ts'
import { askGuarded } from '../../mail/mailboxes/mailbox-tokens.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { subjectOf } from './change-mailboxes.ts'

export const NoProvider = failure(
  409,
  'no_provider',
  'This mailbox is used with a password: there is nobody to sign in with'
)

/** How long somebody may take at the provider. */
const signInSeconds = 900
const verifierPurpose = 'mailbox sign-in'

/** Where the provider sends people back. */
export function callbackUrl({ BASE_URL }: { BASE_URL: string }): string {
  return new URL('/api/mail/oauth/callback', BASE_URL).href
}

/**
 * Begins a sign-in at the provider of a mailbox (RFC 6749, with PKCE). The state that the provider sends back counts once, and only together with the
 * cookie of the browser that began. Throws `MailboxNotFound`, `NoProvider`.
 */
export async function beginSignIn(
  services: Services,
  session: Session<StaffActor>,
  id: number
): Promise<{ url: string; cookie: string }> {
  const { db, keys, realClock, config } = services
  const mailbox = await connectedMailbox(db, id)
  const { auth, oauth } = mailbox
  if (auth !== 'oauth2' || !oauth) throw NoProvider()
  const [state, cookie, verifier] = [secret(), secret(), secret()]
  const now = realClock.now()
  await removeExpired(db, { now })
  await insert(db, {
    state: digest(state),
    cookie: digest(cookie),
    mailbox: id,
    staff: session.actor.id,
    session: session.id,
    verifier: keys.seal(verifierPurpose, verifier),
    expires: secondsAfter(now, signInSeconds)
  })
  const url = new URL(oauth.authorize_url)
  const fields = {
    response_type: 'code',
    client_id: oauth.client_id,
    redirect_uri: callbackUrl(config),
    scope: oauth.scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: mailbox.imap?.user ?? mailbox.address,
    // Google gives a refresh token only to those who ask so.
    ...(oauth.provider === 'google' ? { access_type: 'offline', prompt: 'consent' } : {})
  }
  for (const [name, value] of Object.entries(fields)) if (value) url.searchParams.set(name, value)
  return { url: url.href, cookie }
}

/** How a sign-in ended, as a word for the page to which one returns. */
export type SignInOutcome =
  | { mailboxId: number; outcome: 'signed_in' }
  | { mailboxId: number | undefined; outcome: 'denied' | 'expired' | 'failed' | 'no_refresh_token' }

/** Ends a sign-in with what the provider sent back, and keeps its refresh token. */
export async function endSignIn(
  services: Services,
  given: { state: string; code: string; error: string; cookie: string },
  caller: Caller
): Promise<SignInOutcome> {
  const { db, keys, realClock, log } = services
  const now = realClock.now()
  // Once: whoever comes second finds it used.
  const [begun] = await use(db, { state: digest(given.state), cookie: digest(given.cookie), now })
  if (!begun) return { mailboxId: undefined, outcome: 'expired' }
  const { mailbox_id: mailboxId, staff_id: account, session_id: session } = begun
  if (!given.code) return { mailboxId, outcome: given.error === 'access_denied' ? 'denied' : 'failed' }
  // Whoever has begun may have lost the right since.
  const actor = await staffActorOf(db, { session, account })
  if (actor?.role !== 'admin') return { mailboxId, outcome: 'expired' }
  let tokens: Record<string, unknown>
  try {
    tokens = await exchanged(services, mailboxId, given.code, keys.unseal(verifierPurpose, begun.sealed_verifier))
  } catch (error) {
    if (!(error instanceof MailboxFault)) throw error
    log.warn({ mailboxId, reason: error.message }, 'A sign-in at the provider of a mailbox failed')
    return { mailboxId, outcome: 'failed' }
  }
  const { refresh_token: refreshToken, refresh_token_expires_in: endsIn, id_token: idToken } = tokens
  if (typeof refreshToken !== 'string' || refreshToken === '') return { mailboxId, outcome: 'no_refresh_token' }
  const endsSeconds = Number(endsIn)
  await act(services, { actor, caller }, async act => {
    const mailbox = await lockedMailbox(act.db, mailboxId)
    const signedInAs = nameIn(idToken)
    await keep(act.db, {
      id: mailboxId,
      sealed: sealedMailboxSecrets(keys, { ...mailboxSecrets(keys, mailbox), refresh_token: refreshToken }),
      as: signedInAs,
      now,
      ends: Number.isFinite(endsSeconds) && endsSeconds > 0 ? secondsAfter(now, endsSeconds) : null
    })
    act.happened({
      kind: 'mailbox.signed_in',
      subject: subjectOf(mailbox),
      after: { address: mailbox.address, signed_in_as: signedInAs }
    })
  })
  return { mailboxId, outcome: 'signed_in' }
}

async function exchanged({ db, keys, config }: Services, mailboxId: number, code: string, verifier: string) {
  const mailbox = await connectedMailbox(db, mailboxId)
  const { client_secret } = mailboxSecrets(keys, mailbox)
  const { token_url, client_id } = mailbox.oauth!
  return await askGuarded(config)(token_url, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callbackUrl(config),
    client_id,
    code_verifier: verifier,
    ...(client_secret ? { client_secret } : {})
  })
}

/** The name in an id token. It came from the token server itself, so its signature is not asked. */
function nameIn(idToken: unknown): string | null {
  if (typeof idToken !== 'string') return null
  try {
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const name = claims.email ?? claims.preferred_username
    return typeof name === 'string' ? name.replace(/\p{Cc}/gu, '').slice(0, 255) : null
  } catch {
    return null
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function digest(given: string): string {
  return createHash('sha256').update(given).digest('hex')
}

const insert = prepared(
  (
    db,
    p: {
      state: string
      cookie: string
      mailbox: number
      staff: number
      session: number
      verifier: string
      expires: Date
    }
  ) =>
    db.insertInto('mailbox_sign_ins').values({
      state_sha256: p.state,
      cookie_sha256: p.cookie,
      mailbox_id: p.mailbox,
      staff_id: p.staff,
      session_id: p.session,
      sealed_verifier: p.verifier,
      expires_at: p.expires
    })
)

const removeExpired = prepared((db, p: { now: Date }) =>
  db.deleteFrom('mailbox_sign_ins').where('expires_at', '<', p.now)
)

const use = prepared((db, p: { state: string; cookie: string; now: Date }) =>
  db
    .updateTable('mailbox_sign_ins')
    .where('state_sha256', '=', p.state)
    .where('cookie_sha256', '=', p.cookie)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .set({ used_at: p.now })
    .returning(['mailbox_id', 'staff_id', 'session_id', 'sealed_verifier'])
)

const keep = prepared((db, p: { id: number; sealed: string; as: string | null; now: Date; ends: Date | null }) =>
  db.updateTable('connected_mailboxes').where('id', '=', p.id).set({
    sealed_secrets: p.sealed,
    signed_in_as: p.as,
    signed_in_at: p.now,
    sign_in_ends_at: p.ends,
    smtp_failing_since: null,
    smtp_error: null,
    smtp_retry_at: null,
    told_at: null
  })
)
