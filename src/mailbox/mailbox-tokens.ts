import type { Config } from '../config.ts'
import { type AccessTokens, accessTokens } from '../platform/mail/access-token.ts'
import type { ImapAddress } from '../platform/mail/imap-address.ts'

/** What gives access tokens for a mailbox that wants them; undefined for one with a password. */
export function tokensFor(config: Config, { isOAuth, secret }: ImapAddress): AccessTokens | undefined {
  const { IMAP_OAUTH_TOKEN_URL: tokenUrl, IMAP_OAUTH_CLIENT_ID: id } = config
  if (!isOAuth || !tokenUrl || !id) return undefined
  const { IMAP_OAUTH_CLIENT_SECRET, IMAP_OAUTH_SCOPE: scope } = config
  return accessTokens({ tokenUrl, id, secret: IMAP_OAUTH_CLIENT_SECRET, scope }, secret)
}
