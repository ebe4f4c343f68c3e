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
  /** This one is valid, and those before it may not be any more. `endsInSeconds` of one that is new: null if the provider does not say. */
  keep(token: string, endsInSeconds?: number | null): Promise<void>
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
export function accessTokens(
  { tokenUrl, id, secret, scope }: OAuthClient,
  refreshTokens: RefreshTokens,
  ask: AskTokenServer = askByFetch
): AccessTokens {
  let access: { token: string; until: number } | undefined
  let renewing: Promise<string> | undefined
  /** Received from the provider, and not stored yet. */
  let unkept: { token: string; endsInSeconds?: number | null } | undefined

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
      const known = [...(unkept === undefined ? [] : [unkept.token]), ...(await refreshTokens.known())]
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
    const { access_token, expires_in, refresh_token, refresh_token_expires_in } = await ask(tokenUrl, {
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: id,
      ...(secret ? { client_secret: secret } : {}),
      ...(scope ? { scope } : {})
    })
    if (typeof access_token !== 'string')
      throw new MailboxFault('no_access_token', `${new URL(tokenUrl).host} gave no access token`)
    const isReplaced = typeof refresh_token === 'string' && refresh_token !== '' && refresh_token !== refresh
    if (isReplaced) unkept = { token: refresh_token, endsInSeconds: endIn(refresh_token_expires_in) }
    else if (isOther) unkept = { token: refresh }
    if (unkept !== undefined) {
      await refreshTokens.keep(unkept.token, unkept.endsInSeconds)
      unkept = undefined
    }
    const milliseconds = (Number(expires_in) || usualSeconds) * 1_000 - renewBeforeMilliseconds
    access = { token: access_token, until: performance.now() + milliseconds }
    return access_token
  }
}

const tenYearsSeconds = 315_360_000

function endIn(given: unknown): number | null {
  const seconds = Number(given)
  return seconds > 0 && seconds <= tenYearsSeconds ? seconds : null
}

/** Sends a form to a token server and returns the fields of its answer. Throws `MailboxFault`. */
export type AskTokenServer = (tokenUrl: string, fields: Record<string, string>) => Promise<Record<string, unknown>>

const askByFetch: AskTokenServer = async (tokenUrl, fields) => {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(withinMilliseconds)
  }).catch(() => {
    throw tokenServerUnreachable(tokenUrl)
  })
  return fieldsOfAnswer(tokenUrl, response.status, await response.text().catch(() => ''))
}

export function tokenServerUnreachable(tokenUrl: string): MailboxFault {
  return new MailboxFault(
    'token_server_unreachable',
    `${new URL(tokenUrl).host} did not answer, which gives access tokens`
  )
}

/** Throws a `MailboxFault` if the token server refuses. */
export function fieldsOfAnswer(tokenUrl: string, status: number, text: string): Record<string, unknown> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    // An answer that cannot be read has no fields.
  }
  const fields = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  if (status >= 200 && status < 300) return fields
  // An error of RFC 6749 is one ASCII word; anything else may repeat the request.
  const word = typeof fields.error === 'string' ? /^[\w-]{1,60}$/.exec(fields.error)?.[0] : undefined
  const said = word ?? String(status)
  // A redirect or "too many requests" says nothing of the token.
  const isRefusedLogin = status >= 400 && status < 500 && ![408, 425, 429].includes(status)
  throw new MailboxFault(
    isRefusedLogin ? 'refresh_token_refused' : 'no_access_token',
    `${new URL(tokenUrl).host} gives no access token for the refresh token (${said})`,
    { said, isRefusedLogin }
  )
}
