import { isIP } from 'node:net'
import { network } from '../../lib/networks.ts'
import { InvalidSetting, integer, list, oneLine, optional, secret, webAddress } from '../../lib/setting.ts'
import { type ImapAddress, imapAddresses } from './imap-address.ts'
import { mailListenAddress } from './listen-address.ts'

const megabyte = 1024 * 1024

/** The settings of incoming and outgoing e-mail. */
export const mailSettings = {
  MAIL_MAX_BYTES: integer(
    50 * megabyte,
    megabyte,
    1024 * megabyte,
    'Maximum size of an incoming e-mail in bytes, as transferred: attachments are a third larger in transfer.'
  ),
  MAIL_RETENTION_DAYS: integer(90, 1, 3650, 'Number of days for which raw messages of incoming e-mails are stored.'),
  MAIL_LOG_DAYS: integer(365, 1, 3650, 'Number of days for which the mail log has an e-mail, in or out.'),
  MAIL_LISTEN: optional(
    'The address to listen on for e-mails from mail servers: lmtp://127.0.0.1:24 or smtp://0.0.0.0:25. Without it the service does not listen for e-mails.',
    mailListenAddress
  ),
  MAIL_ATTACH_MAX_BYTES: integer(
    10 * megabyte,
    0,
    100 * megabyte,
    'Maximum total size of the attachments that are sent with a reply by e-mail, in bytes; the e-mail has links to the others. 0 attaches none.'
  ),
  MAIL_TLS_CERT: optional(
    'The path of the certificate (PEM) for STARTTLS at MAIL_LISTEN. Without it STARTTLS is off.',
    oneLine
  ),
  MAIL_TLS_KEY: optional('The path of the private key of MAIL_TLS_CERT.', oneLine),
  MAIL_INBOUND_SECRET: secret(
    'The secret with which a provider signs the e-mails that it posts to /api/mail/inbound, like webhooks: whsec_ and at least 24 bytes ' +
      'in base64. Without it the endpoint accepts none.',
    inboundSecret
  ),
  MAIL_TRUSTED_AUTH_HOSTS: list(
    'The mail servers (mx.example.com) whose Authentication-Results headers are trusted, by the name at their beginning, separated by ' +
      'commas. They must remove such headers from incoming e-mails. Without any, Deskline checks SPF, DKIM and DMARC itself.',
    authenticationHost
  ),
  MAIL_DNS_SERVERS: list(
    'The name servers (192.0.2.53, or with a port 127.0.0.1:5353) for SPF, DKIM and DMARC, separated by commas; ' +
      '"off" disables the lookups. Without any, those of the machine.',
    nameServer
  ),
  IMAP_URL: secret(
    'The mailboxes to fetch e-mails from, separated by commas or spaces: imaps://user:password@imap.example.com/INBOX?taken=seen, or imap:// ' +
      '(encrypted by STARTTLS; ?tls=off sends unencrypted, as is the default to this machine alone). The path is the folder. Taken mails are ' +
      'marked as read (taken=seen), moved (taken=move:FOLDER) or deleted (taken=delete). With ?auth=xoauth2 the password is a refresh token, for the client of the ' +
      'IMAP_OAUTH_ settings or for one of the mailbox alone: &token_url=…&client_id=…&client_secret=…&scope=…. ' +
      'Special characters are written as %40.',
    imapAddresses
  ),
  IMAP_POLL_SECONDS: integer(
    60,
    1,
    3_600,
    'Interval at which mailboxes are polled, for servers that do not push new e-mails (IDLE), and to detect dead connections.'
  ),
  IMAP_OAUTH_TOKEN_URL: optional(
    'The URL at which mailboxes with ?auth=xoauth2 exchange refresh tokens for access tokens: https://oauth2.googleapis.com/token, or ' +
      'https://login.microsoftonline.com/TENANT/oauth2/v2.0/token.',
    tokenUrl
  ),
  IMAP_OAUTH_CLIENT_ID: optional('The OAuth client id that the provider issued for this installation.', oneLine),
  IMAP_OAUTH_CLIENT_SECRET: secret('The secret of that OAuth client, if it has one.', oneLine),
  IMAP_OAUTH_SCOPE: optional('The OAuth scope to request, if the provider requires one.', oneLine),
  MAILBOX_ALLOW_PRIVATE: list(
    'The private networks (10.1.0.0/16, 127.0.0.1) in which the mail servers and token servers of mailboxes that admins connect in the browser ' +
      'may be, separated by commas. Without any, they must have public addresses.',
    network
  )
}

function tokenUrl(given: string): string {
  webAddress(given)
  return given
}

function authenticationHost(given: string): string {
  if (/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/i.test(given)) return given.toLowerCase()
  throw new InvalidSetting('must be a list of host names such as mx.example.com, separated by commas')
}

function nameServer(given: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(given) ?? []
  if (given === 'off' || isIP(bracketed ?? plain ?? given)) return given
  throw new InvalidSetting(
    'must be a list of addresses such as 192.0.2.53 or 127.0.0.1:5353, separated by commas, or off'
  )
}

function inboundSecret(given: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(given)) return given
  throw new InvalidSetting('must be whsec_ and at least 24 bytes in base64')
}

/** Errors in the combination of these settings, one sentence each. */
export function mailFaults(
  isGiven: (name: keyof typeof mailSettings) => boolean,
  mailboxes: readonly ImapAddress[] | undefined
): string[] {
  const isTokenWanted = mailboxes?.some(({ isOAuth, oauthClient }) => isOAuth && !oauthClient)
  return [
    ...(isGiven('MAIL_TLS_CERT') === isGiven('MAIL_TLS_KEY')
      ? []
      : ['MAIL_TLS_CERT and MAIL_TLS_KEY must be given together']),
    ...(isTokenWanted && !(isGiven('IMAP_OAUTH_TOKEN_URL') && isGiven('IMAP_OAUTH_CLIENT_ID'))
      ? [
          'IMAP_OAUTH_TOKEN_URL and IMAP_OAUTH_CLIENT_ID must be given when IMAP_URL has ?auth=xoauth2 without a client of its own'
        ]
      : [])
  ]
}
