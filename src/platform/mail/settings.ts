import { isIP } from 'node:net'
import { integer, list, oneLine, optional, secret, Unfit, webAddress } from '../../lib/setting.ts'
import { type ImapAddress, imapAddresses } from './imap-address.ts'
import { mailListenAddress } from './listen-address.ts'

const megabyte = 1024 * 1024

/** How e-mails come in, and what goes out with them. */
export const mailSettings = {
  MAIL_MAX_BYTES: integer(
    50 * megabyte,
    megabyte,
    1024 * megabyte,
    'Size of an e-mail that comes in at most, as it is sent: files are a third larger then.'
  ),
  MAIL_RETENTION_DAYS: integer(90, 1, 3650, 'The raw messages of e-mails that came in are kept so many days.'),
  MAIL_LISTEN: optional(
    'Where mail servers hand e-mails over: lmtp://127.0.0.1:24, or smtp://0.0.0.0:25. Without it nowhere.',
    mailListenAddress
  ),
  MAIL_ATTACH_MAX_BYTES: integer(
    10 * megabyte,
    0,
    100 * megabyte,
    'Files of an answer go with its e-mail as long as they are no larger together; of others it says where they are. 0: none go.'
  ),
  MAIL_TLS_CERT: optional(
    'The certificate for STARTTLS at MAIL_LISTEN: the path of a PEM file. Without it there is none.',
    oneLine
  ),
  MAIL_TLS_KEY: optional('The path of the key that belongs to MAIL_TLS_CERT.', oneLine),
  MAIL_INBOUND_SECRET: secret(
    'Signs the e-mails that a provider hands over at /api/mail/inbound, as webhooks are signed: whsec_ and at least 24 bytes in base64. ' +
      'Without it none are taken there.',
    inboundSecret
  ),
  MAIL_TRUSTED_AUTH_HOSTS: list(
    'The mail servers (mx.example.com) whose Authentication-Results are believed, by the name at their beginning, separated by commas. ' +
      'They have to remove what others have written in their name. Without any, Deskline checks who wrote by itself.',
    authenticationHost
  ),
  MAIL_DNS_SERVERS: list(
    'The name servers (192.0.2.53, or with a port 127.0.0.1:5353) that are asked whether a sender is who they say, separated by commas; ' +
      '"off" asks none. Without any, those of the machine.',
    nameServer
  ),
  IMAP_URL: secret(
    'The mailboxes that are emptied, separated by commas or blanks: imaps://user:password@imap.example.com/INBOX?taken=seen, or imap:// ' +
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
    'Mailboxes are looked into so often, for servers that do not tell at once that something has come (IDLE), and to notice dead connections.'
  ),
  IMAP_OAUTH_TOKEN_URL: optional(
    'Where mailboxes with ?auth=xoauth2 get access tokens for their refresh tokens: https://oauth2.googleapis.com/token, or ' +
      'https://login.microsoftonline.com/TENANT/oauth2/v2.0/token.',
    tokenUrl
  ),
  IMAP_OAUTH_CLIENT_ID: optional('The client that the provider has registered for this desk.', oneLine),
  IMAP_OAUTH_CLIENT_SECRET: secret('The secret of that client, where it has one.', oneLine),
  IMAP_OAUTH_SCOPE: optional('What is asked for with it, where the provider wants it to be said.', oneLine)
}

function tokenUrl(given: string): string {
  webAddress(given)
  return given
}

function authenticationHost(given: string): string {
  if (/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/i.test(given)) return given.toLowerCase()
  throw new Unfit('must be a list of host names such as mx.example.com, separated by commas')
}

function nameServer(given: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(given) ?? []
  if (given === 'off' || isIP(bracketed ?? plain ?? given)) return given
  throw new Unfit('must be a list of addresses such as 192.0.2.53 or 127.0.0.1:5353, separated by commas, or off')
}

function inboundSecret(given: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(given)) return given
  throw new Unfit('must be whsec_ and at least 24 bytes in base64')
}

/** What is wrong with these settings together, one sentence a fault. */
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
