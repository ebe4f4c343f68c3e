import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import {
  type AccessTokens,
  type AskTokenServer,
  accessTokens,
  fieldsOfAnswer,
  renewWithinSeconds,
  tokenServerUnreachable
} from '../../platform/mail/access-token.ts'
import type { ImapAddress, OAuthClient } from '../../platform/mail/imap-address.ts'
import { outgoingHttp } from '../../platform/outgoing/outgoing.ts'

/** Who logs in, and with which refresh token. */
export type OAuthLogin = Pick<ImapAddress, 'isOAuth' | 'oauthClient' | 'secret'> & {
  /** The sign-in at the provider, if the mailbox is connected in the browser. */
  signIn?: { mailboxId: number; at: Date }
}

type TokenServices = Pick<Services, 'config' | 'db' | 'keys' | 'realClock' | 'log'>

const purpose = 'mailbox token'
/** How often to check whether another process is done. */
const pollMilliseconds = 200
/** Access tokens may be several kilobytes long. */
const tokenAnswerBytes = 32 * 1024

/**
 * Provides access tokens for mailboxes that need them; undefined for one with a password. Folders of one mailbox share theirs. If the provider
 * replaces a configured refresh token, the new one is stored encrypted for all processes. A newly configured token takes effect, since a stored
 * one belongs to the token that it replaced.
 */
export function mailboxTokens(
  services: TokenServices
): (address: OAuthLogin, ask?: AskTokenServer) => AccessTokens | undefined {
  const shared = new Map<string, AccessTokens>()
  return (address, ask) => {
    const client = clientOf(services.config, address)
    if (!client) return undefined
    const configured = digestOf(client, address.secret)
    // A client secret that is replaced leaves the refresh token as it is.
    const key = `${configured} ${client.secret ?? ''}`
    const known = shared.get(key) ?? accessTokens(client, storedTokens(services, configured, address), ask)
    shared.set(key, known)
    return known
  }
}

/** Asks the token server of a connected mailbox, which admins name: it is kept away from the internal network. */
export function askGuarded({ MAILBOX_ALLOW_PRIVATE: allowed }: TokenServices['config']): AskTokenServer {
  const outgoing = outgoingHttp({ allowed, keptBytes: tokenAnswerBytes })
  return async (tokenUrl, fields) => {
    const { status, text } = await outgoing
      .post(new URL(tokenUrl), {
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString()
      })
      .catch(() => {
        throw tokenServerUnreachable(tokenUrl)
      })
    return fieldsOfAnswer(tokenUrl, status, text)
  }
}

/** Deletes stored replacements of tokens that are no longer configured, nor those of `others`. */
export async function forgetFormerTokens(
  { config, db }: Pick<TokenServices, 'config' | 'db'>,
  others: readonly OAuthLogin[] = []
): Promise<void> {
  const configured = [...(config.IMAP_URL ?? []), ...others].flatMap((address: OAuthLogin) => {
    const client = clientOf(config, address)
    return client ? [digestOf(client, address.secret)] : []
  })
  await forgetBut(db, { configured })
}

/** Re-encrypts what a former APP_SECRET encrypted; returns how many. */
export async function resealMailboxTokens({ db, keys }: Pick<TokenServices, 'db' | 'keys'>): Promise<number> {
  let resealed = 0
  for (const { configured_sha256: configured, sealed_token: from } of await all(db, {})) {
    const to = keys.reseal(purpose, from)
    if (to !== undefined) resealed += (await replace(db, { configured, from, to })).length
  }
  return resealed
}

function clientOf(
  config: TokenServices['config'],
  { isOAuth, oauthClient }: Pick<OAuthLogin, 'isOAuth' | 'oauthClient'>
): OAuthClient | undefined {
  if (!isOAuth || oauthClient) return oauthClient
  const { IMAP_OAUTH_TOKEN_URL: tokenUrl, IMAP_OAUTH_CLIENT_ID: id } = config
  const { IMAP_OAUTH_CLIENT_SECRET: secret, IMAP_OAUTH_SCOPE: scope } = config
  return tokenUrl && id ? { tokenUrl, id, secret, scope } : undefined
}

function digestOf({ tokenUrl, id }: OAuthClient, token: string): string {
  return createHash('sha256').update([tokenUrl, id, token].join('\0')).digest('hex')
}

function storedTokens(
  { db, keys, realClock, log }: TokenServices,
  configured: string,
  { secret: given, signIn }: OAuthLogin
) {
  return {
    /** If the other process dies, the wait ends after the longest time its work can take. */
    async alone<R>(work: () => Promise<R>): Promise<R> {
      const holder = randomUUID()
      const sealed = keys.seal(purpose, given)
      for (;;) {
        const now = realClock.now()
        const until = secondsAfter(now, renewWithinSeconds)
        const [held] = await hold(db, { configured, sealed, holder, now, until })
        if (held) break
        await pause(pollMilliseconds)
      }
      try {
        return await work()
      } finally {
        await release(db, { configured, holder }).catch(error =>
          log.warn({ err: error }, 'Other processes wait a minute before they ask for an access token')
        )
      }
    },
    async known(): Promise<string[]> {
      const [stored] = await storedFor(db, { configured })
      const token = stored && unsealed(stored.sealed_token)
      return token === undefined || token === given ? [given] : [token, given]
    },
    async keep(token: string, endsInSeconds?: number | null): Promise<void> {
      const now = realClock.now()
      await store(db, { configured, sealed: keys.seal(purpose, token), now })
      if (!signIn || endsInSeconds === undefined) return
      await noteEnd(db, { ...signIn, ends: endsInSeconds === null ? null : secondsAfter(now, endsInSeconds) })
    }
  }

  /** If APP_SECRET has changed, the configured token is used. */
  function unsealed(sealed: string): string | undefined {
    try {
      return keys.unseal(purpose, sealed)
    } catch (error) {
      log.warn({ err: error }, 'A stored refresh token of a mailbox cannot be decrypted: the configured one is used')
      return undefined
    }
  }
}

const storedFor = prepared((db: Db, p: { configured: string }) =>
  db.selectFrom('mailbox_tokens').where('configured_sha256', '=', p.configured).select('sealed_token')
)

const hold = prepared((db: Db, p: { configured: string; sealed: string; holder: string; now: Date; until: Date }) =>
  db
    .insertInto('mailbox_tokens')
    .values({
      configured_sha256: p.configured,
      sealed_token: p.sealed,
      replaced_at: p.now,
      renewed_by: p.holder,
      renewing_until: p.until
    })
    .onConflict(conflict =>
      conflict
        .column('configured_sha256')
        .doUpdateSet({ renewed_by: p.holder, renewing_until: p.until })
        .where(({ or, eb }) =>
          or([eb('mailbox_tokens.renewing_until', 'is', null), eb('mailbox_tokens.renewing_until', '<=', p.now)])
        )
    )
    .returning('configured_sha256')
)

const release = prepared((db: Db, p: { configured: string; holder: string }) =>
  db
    .updateTable('mailbox_tokens')
    .where('configured_sha256', '=', p.configured)
    .where('renewed_by', '=', p.holder)
    .set({ renewed_by: null, renewing_until: null })
)

const store = prepared((db: Db, p: { configured: string; sealed: string; now: Date }) =>
  db
    .insertInto('mailbox_tokens')
    .values({ configured_sha256: p.configured, sealed_token: p.sealed, replaced_at: p.now })
    .onConflict(conflict =>
      conflict.column('configured_sha256').doUpdateSet({ sealed_token: p.sealed, replaced_at: p.now })
    )
)

/** The end of the former token is told to nobody any more. */
const noteEnd = prepared((db, p: { mailboxId: number; at: Date; ends: Date | null }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.mailboxId)
    // Somebody may have signed in anew meanwhile.
    .where('signed_in_at', '=', p.at)
    .set({ sign_in_ends_at: p.ends })
)

const forgetBut = prepared((db: Db, p: { configured: readonly string[] }) =>
  db.deleteFrom('mailbox_tokens').where(sql<boolean>`configured_sha256 <> all(${p.configured}::text[])`)
)

const all = prepared(db => db.selectFrom('mailbox_tokens').select(['configured_sha256', 'sealed_token']))

const replace = prepared((db: Db, p: { configured: string; from: string; to: string }) =>
  db
    .updateTable('mailbox_tokens')
    .set({ sealed_token: p.to })
    .where('configured_sha256', '=', p.configured)
    .where('sealed_token', '=', p.from)
    .returning('configured_sha256')
)
