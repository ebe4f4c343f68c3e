import { X509Certificate } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Keys } from '../../core/keys.ts'
import type { ConnectedMailboxRow, MailboxServer } from '../../core/tables/mails.ts'
import { Flag, Id, IsoTime, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { type MailboxSecrets, mailboxSecrets } from '../../mail/mailboxes/connected-mailboxes.ts'
import { mailboxReasons } from '../../platform/mail/mailbox-fault.ts'
import type { ListedMailbox } from '../mailbox/mailbox-list.ts'
import { mailboxView as fetchedView, MailboxView as OperatorsMailbox } from '../mailbox/schemas.ts'
import { securities, unknownSenders } from './mailbox-fields.ts'
import { providerNames } from './providers.ts'
import { sendingFault } from './sending-fault.ts'
import type { StateOfMailbox } from './state-of-mailbox.ts'

export const ServerView = Type.Object({
  host: OutputText('imap.example.com'),
  port: Type.Integer({ examples: [993] }),
  security: OneOf(securities),
  user: OutputText('support@example.com'),
  has_password: Flag(),
  folder: Type.Optional(OutputText('INBOX')),
  /** The SHA-256 fingerprint of the certificate that is trusted by itself. */
  certificate: Nullable(OutputText('AB:CD:EF'))
})

const TextsView = Type.Object({
  en: Type.Optional(OutputText('Kind regards, the support team')),
  de: Type.Optional(OutputText('Viele Grüße, der Support'))
})

export const PresetServer = Type.Object({
  host: OutputText('imap.example.com'),
  port: Type.Integer({ examples: [993] }),
  security: OneOf(['tls', 'starttls'])
})

export const MailboxPreset = Type.Object({
  provider: OneOf(providerNames),
  name: OutputText('Fastmail'),
  imap: PresetServer,
  smtp: PresetServer,
  auth: OneOf(['password', 'oauth2']),
  oauth_provider: Nullable(OneOf(['google', 'microsoft'])),
  hint: Nullable(OneOf(['app_password', 'allow_imap', 'oauth_only']))
})

export const MailboxOAuthView = Type.Object({
  provider: OneOf(['google', 'microsoft', 'custom']),
  client_id: OutputText('desk-client'),
  has_client_secret: Flag(),
  authorize_url: OutputText('https://login.example.com/authorize'),
  token_url: OutputText('https://login.example.com/token'),
  scope: OutputText('openid email'),
  secret_ends_on: Nullable(OutputText('2027-11-20'))
})

export const MailboxSendingView = Type.Object({
  failing_since: Nullable(Timestamp()),
  last_error: Nullable(OutputText('The mail server cannot be used')),
  last_error_code: Nullable(OneOf(mailboxReasons, 'login_refused')),
  last_sent_at: Nullable(Timestamp()),
  waiting_emails: Type.Integer({ examples: [0] })
})

/** A mailbox that an admin has connected. */
export const ConnectedMailboxView = Type.Object({
  id: Id(),
  source: OneOf(['connected']),
  name: OutputText('Example Support'),
  address: OutputText('support@example.com'),
  deptid: Id(),
  imap: Nullable(ServerView),
  smtp: Nullable(ServerView),
  auth: OneOf(['password', 'oauth2']),
  oauth: Nullable(MailboxOAuthView),
  /** Who signed in at the provider, and when that ends, as far as the provider says. */
  is_signed_in: Flag(),
  signed_in_as: Nullable(OutputText('support@example.com')),
  signed_in_at: Nullable(Timestamp()),
  sign_in_ends_at: Nullable(Timestamp()),
  /** What ends within fourteen days. */
  ending: Nullable(Type.Object({ what: OneOf(['sign_in', 'client_secret']), at: IsoTime() })),
  signature: TextsView,
  acknowledges: Flag(),
  acknowledgement: TextsView,
  is_default: Flag(0),
  is_active: Flag(),
  unknown_senders: Nullable(OneOf(unknownSenders)),
  spam_folder: Nullable(OutputText('Junk')),
  taken: OneOf(['seen', 'move', 'delete']),
  moved_to: Nullable(OutputText('Archive')),
  begins_at: Nullable(Timestamp()),
  state: OneOf(['starting', 'working', 'failing'], 'working'),
  last_error: Nullable(OutputText('imap.example.com:993 did not answer in time')),
  last_error_code: Nullable(OneOf(mailboxReasons, 'timed_out')),
  failing_since: Nullable(Timestamp()),
  last_look_at: Nullable(Timestamp()),
  last_mail_at: Nullable(Timestamp()),
  unread_mails: Type.Integer({ examples: [0] }),
  lag_seconds: Type.Integer({ examples: [0] }),
  /** How sending goes. */
  sending: MailboxSendingView,
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

/** A mailbox of `IMAP_URL`, which the operator has set. */
export const OperatorsMailboxView = Type.Object({
  id: Type.Null(),
  source: OneOf(['operator']),
  ...OperatorsMailbox.properties
})

export function operatorsMailboxView(mailbox: ListedMailbox): Static<typeof OperatorsMailboxView> {
  return { id: null, source: 'operator', ...fetchedView(mailbox) }
}

export function connectedMailboxView(
  keys: Keys,
  mailbox: ConnectedMailboxRow,
  { fetch, state, lastError, lastErrorCode, failingSince, lagSeconds, ending, waitingEmails }: StateOfMailbox
): Static<typeof ConnectedMailboxView> {
  const secrets = secretsIfReadable(keys, mailbox)
  const { imap, smtp, oauth } = mailbox
  return {
    id: mailbox.id,
    source: 'connected',
    name: mailbox.name,
    address: mailbox.address,
    deptid: mailbox.deptid,
    imap: imap && { ...serverView(imap, secrets.imap_password), folder: imap.folder },
    smtp: smtp && serverView(smtp, secrets.smtp_password ?? secrets.imap_password),
    auth: mailbox.auth,
    oauth: oauth && {
      ...oauth,
      has_client_secret: bit(secrets.client_secret !== undefined),
      secret_ends_on: mailbox.secret_ends_at?.toISOString().slice(0, 10) ?? null
    },
    is_signed_in: bit(secrets.refresh_token !== undefined),
    signed_in_as: mailbox.signed_in_as,
    signed_in_at: moment(mailbox.signed_in_at),
    sign_in_ends_at: moment(mailbox.sign_in_ends_at),
    ending,
    signature: mailbox.signature,
    acknowledges: bit(mailbox.acknowledges),
    acknowledgement: mailbox.acknowledgement,
    is_default: bit(mailbox.is_default),
    is_active: bit(mailbox.is_active),
    unknown_senders: mailbox.unknown_senders,
    spam_folder: mailbox.spam_folder,
    taken: mailbox.taken,
    moved_to: mailbox.moved_to,
    begins_at: moment(mailbox.begins_at),
    state,
    last_error: lastError,
    last_error_code: lastErrorCode,
    failing_since: moment(failingSince),
    last_look_at: moment(fetch?.looked_at),
    last_mail_at: moment(fetch?.mail_at),
    unread_mails: fetch?.unread_mails ?? 0,
    lag_seconds: lagSeconds,
    sending: {
      failing_since: moment(mailbox.smtp_failing_since),
      last_error: mailbox.smtp_error,
      last_error_code: mailbox.smtp_error === null ? null : sendingFault(mailbox, new Error(mailbox.smtp_error)).reason,
      last_sent_at: moment(mailbox.sent_at),
      waiting_emails: waitingEmails
    },
    version: mailbox.version,
    created_at: timestamp(mailbox.created_at),
    updated_at: timestamp(mailbox.updated_at)
  }
}

function serverView({ host, port, security, user, certificate }: MailboxServer, password: string | undefined) {
  return {
    host,
    port,
    security,
    user,
    has_password: bit(password !== undefined),
    certificate: certificate && new X509Certificate(certificate).fingerprint256
  }
}

/** After a lost APP_SECRET none is there, and each has to be set anew. */
function secretsIfReadable(keys: Keys, mailbox: ConnectedMailboxRow): MailboxSecrets {
  try {
    return mailboxSecrets(keys, mailbox)
  } catch {
    return {}
  }
}

function moment(time: Date | null | undefined): string | null {
  return time ? timestamp(time) : null
}
