import type { OAuthClient } from './imap-address.ts'
import { MailboxFault } from './mailbox-fault.ts'

/** Provides the access tokens of one mailbox. */
export interface AccessTokens {
  /** A token that is valid for at least another minute. Throws `MailboxFault`. */
  current(): Promise<string>
  /** The mail server has refused the last one. */
  forget(): void
}

/** Stores the refresh tokens of a mailbox. */
export interface RefreshTokens {
  /** Runs `work` while no other process uses one of them. */
  alone<R>(work: () => Promise<R>): Promise<R>
  /** The tokens that may be valid, newest first. */
  known(): Promise<string[]>
  /** This one is valid, and those before it may not be any more. */
  keep(token: string): Promise<void>
}

const withinMilliseconds = 15_000
/** The time limit for getting an access token. */
export const renewWithinSeconds = 60
const renewBeforeMilliseconds = 60_000
const usualSeconds = 3_600
const maxTries = 3

/**
 * Exchanges a refresh token for access tokens (RFC 6749, 6). If the provider rotates it, the new one is stored before the access token is used.
 * One process at a time does so: a provider with single-use tokens may revoke all if one is used twice. A refused token may have been replaced
 * by a process of an older version: then the next known one is tried.
 */
export function accessTokens({ tokenUrl, id, secret, scope }: OAuthClient, refreshTokens: RefreshTokens): AccessTokens {
  let access: { token: string; until: number } | undefined
  let renewing: Promise<string> | undefined
  /** Received from the provider, and not stored yet. */
  let unkept: string | undefined

  return {
    async current() {
      if (access && performance.now() < access.until) return access.token
      renewing ??= refreshTokens.alone(renewed).finally(() => {
        renewing = undefined
      })
      return await renewing
    },
    forget() {
      access = undefined
    }
  }

  async function renewed(): Promise<string> {
    const refused = new Set<string>()
    for (;;) {
      const known = [...(unkept === undefined ? [] : [unkept]), ...(await refreshTokens.known())]
      const refresh = known.find(token => !refused.has(token)) ?? known[0]!
      try {
        return await renewedBy(refresh, refused.size > 0)
      } catch (error) {
        refused.add(refresh)
        if (!(error instanceof MailboxFault && error.isRefusedLogin) || refused.size >= maxTries) throw error
        if ((await refreshTokens.known()).every(token => refused.has(token))) throw error
      }
    }
  }

  async function renewedBy(refresh: string, isOther: boolean): Promise<string> {
    const { access_token, expires_in, refresh_token } = await ask({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: id,
      ...(secret ? { client_secret: secret } : {}),
      ...(scope ? { scope } : {})
    })
    if (typeof access_token !== 'string') throw new MailboxFault('no_access_token', `${hostOf()} gave no access token`)
    const isReplaced = typeof refresh_token === 'string' && refresh_token !== '' && refresh_token !== refresh
    if (isReplaced) unkept = refresh_token
    else if (isOther) unkept = refresh
    if (unkept !== undefined) {
      await refreshTokens.keep(unkept)
      unkept = undefined
    }
    const milliseconds = (Number(expires_in) || usualSeconds) * 1_000 - renewBeforeMilliseconds
    access = { token: access_token, until: performance.now() + milliseconds }
    return access_token
  }

  async function ask(fields: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(withinMilliseconds)
    }).catch(() => {
      throw new MailboxFault('token_server_unreachable', `${hostOf()} did not answer, which gives access tokens`)
    })
    const answer: unknown = await response.json().catch(() => undefined)
    const fieldsOfAnswer = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
    if (response.ok) return fieldsOfAnswer
    // An error of RFC 6749 is one ASCII word; anything else may repeat the request.
    const word = typeof fieldsOfAnswer.error === 'string' ? /^[\w-]{1,60}$/.exec(fieldsOfAnswer.error)?.[0] : undefined
    const said = word ?? String(response.status)
    const isRefusedLogin = response.status < 500
    throw new MailboxFault(
      isRefusedLogin ? 'refresh_token_refused' : 'no_access_token',
      `${hostOf()} gives no access token for the refresh token (${said})`,
      { said, isRefusedLogin }
    )
  }

  function hostOf(): string {
    return new URL(tokenUrl).host
  }
}
