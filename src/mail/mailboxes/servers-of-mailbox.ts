import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import type { AccessTokens } from '../../platform/mail/access-token.ts'
import type { ImapAddress, OAuthClient } from '../../platform/mail/imap-address.ts'
import type { SmtpAddress } from '../../platform/mail/smtp-address.ts'
import { mailboxSecrets } from './connected-mailboxes.ts'
import { askGuarded, type mailboxTokens, type OAuthLogin } from './mailbox-tokens.ts'

type Unsealing = Pick<Services, 'keys'>

/** The name under which the state of a connected mailbox is kept, or of its folder for spam. */
export function stateNameOf({ id }: Pick<ConnectedMailboxRow, 'id'>, part?: 'spam'): string {
  return part ? `mailbox:${id}:${part}` : `mailbox:${id}`
}

/** The folder of a connected mailbox from which e-mails are fetched; undefined if it receives none. `part`: its folder for spam. */
export function imapAddressOf(
  { keys }: Unsealing,
  mailbox: ConnectedMailboxRow,
  part?: 'spam'
): ImapAddress | undefined {
  const { imap, auth, taken, moved_to } = mailbox
  if (!imap || (part && mailbox.spam_folder === null)) return undefined
  const secrets = mailboxSecrets(keys, mailbox)
  const { host, port, security, user, certificate } = imap
  return {
    name: stateNameOf(mailbox, part),
    host,
    port,
    encryption: security,
    user,
    secret: (auth === 'oauth2' ? secrets.refresh_token : secrets.imap_password) ?? '',
    isOAuth: auth === 'oauth2',
    oauthClient: oauthClientOf(mailbox, secrets.client_secret),
    folder: part ? mailbox.spam_folder! : imap.folder,
    taken: taken === 'move' ? { kind: 'move', to: moved_to! } : { kind: taken },
    beginsAt: mailbox.begins_at ?? undefined,
    certificate: certificate ?? undefined
  }
}

/** The server through which a connected mailbox sends; undefined if it has none. */
export function smtpAddressOf({ keys }: Unsealing, mailbox: ConnectedMailboxRow): SmtpAddress | undefined {
  const { smtp, auth } = mailbox
  if (!smtp) return undefined
  const { host, port, security, user } = smtp
  const secrets = mailboxSecrets(keys, mailbox)
  // A server that wants a login for neither way is one of the house itself.
  const password = auth === 'oauth2' ? '' : (secrets.smtp_password ?? secrets.imap_password)
  return { host, port, encryption: security, ...(password === undefined ? {} : { login: { user, password } }) }
}

/** The client of a mailbox at its provider; undefined with a password. */
function oauthClientOf(
  { auth, oauth }: Pick<ConnectedMailboxRow, 'auth' | 'oauth'>,
  secret: string | undefined
): OAuthClient | undefined {
  if (auth !== 'oauth2' || !oauth) return undefined
  return { tokenUrl: oauth.token_url, id: oauth.client_id, secret, scope: undefined }
}

/** Whether a secret is there with which a mailbox could log in. */
export function hasSecret({ keys }: Unsealing, mailbox: ConnectedMailboxRow): boolean {
  const secrets = mailboxSecrets(keys, mailbox)
  if (mailbox.auth === 'oauth2') return secrets.refresh_token !== undefined
  return (secrets.imap_password ?? secrets.smtp_password) !== undefined || mailbox.imap === null
}

/** The access tokens of a connected mailbox; undefined with a password. */
export function tokensOfMailbox(
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  tokensOf: ReturnType<typeof mailboxTokens>,
  mailbox: ConnectedMailboxRow
): AccessTokens | undefined {
  if (mailbox.auth !== 'oauth2') return undefined
  return tokensOf(oauthLoginOf({ keys }, mailbox), askGuarded(config))
}

/** The client and the refresh token of a mailbox; without a client for one with a password. */
export function oauthLoginOf({ keys }: Unsealing, mailbox: ConnectedMailboxRow): OAuthLogin {
  const { refresh_token: secret = '', client_secret } = mailboxSecrets(keys, mailbox)
  return {
    isOAuth: mailbox.auth === 'oauth2',
    oauthClient: oauthClientOf(mailbox, client_secret),
    secret,
    ...(mailbox.signed_in_at ? { signIn: { mailboxId: mailbox.id, at: mailbox.signed_in_at } } : {})
  }
}
