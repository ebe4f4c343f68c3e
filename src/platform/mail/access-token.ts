import { MailboxFault } from './mailbox-fault.ts'

/** The client that a provider has registered for this desk (OAuth 2.0). */
export interface OAuthClient {
  tokenUrl: string
  id: string
  secret: string | undefined
  scope: string | undefined
}

/** Gives access tokens for one mailbox. */
export interface AccessTokens {
  /** One that is still good for a minute. Throws `MailboxFault`. */
  current(): Promise<string>
  /** The mail server did not like the last one. */
  forget(): void
}

const withinMilliseconds = 15_000
const renewBeforeMilliseconds = 60_000
const usualSeconds = 3_600

/** Exchanges a refresh token for access tokens (RFC 6749, 6). Should the provider replace the refresh token, the new one is used from then on. */
export function accessTokens({ tokenUrl, id, secret, scope }: OAuthClient, refreshToken: string): AccessTokens {
  let refresh = refreshToken
  let access: { token: string; until: number } | undefined

  return {
    async current() {
      if (access && performance.now() < access.until) return access.token
      const { access_token, expires_in, refresh_token } = await ask({
        grant_type: 'refresh_token',
        refresh_token: refresh,
        client_id: id,
        ...(secret ? { client_secret: secret } : {}),
        ...(scope ? { scope } : {})
      })
      if (typeof access_token !== 'string') throw new MailboxFault(`${hostOf()} gave no access token`)
      if (typeof refresh_token === 'string' && refresh_token !== '') refresh = refresh_token
      const milliseconds = (Number(expires_in) || usualSeconds) * 1_000 - renewBeforeMilliseconds
      access = { token: access_token, until: performance.now() + milliseconds }
      return access_token
    },
    forget() {
      access = undefined
    }
  }

  async function ask(fields: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(withinMilliseconds)
    }).catch(() => {
      throw new MailboxFault(`${hostOf()} did not answer, which gives access tokens`)
    })
    const answer: unknown = await response.json().catch(() => undefined)
    const fieldsOfAnswer = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
    if (response.ok) return fieldsOfAnswer
    // An error of RFC 6749 is one word of ASCII; what else stands there may repeat what was sent.
    const word = typeof fieldsOfAnswer.error === 'string' ? /^[\w-]{1,60}$/.exec(fieldsOfAnswer.error)?.[0] : undefined
    throw new MailboxFault(`${hostOf()} gives no access token for the refresh token (${word ?? response.status})`, {
      isRefusedLogin: response.status < 500
    })
  }

  function hostOf(): string {
    return new URL(tokenUrl).host
  }
}
