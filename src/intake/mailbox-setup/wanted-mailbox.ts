import { X509Certificate } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow, MailboxOAuth, MailboxServer } from '../../core/tables/mails.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { type MailboxSecrets, mailboxSecrets, sealedMailboxSecrets } from '../../mail/mailboxes/connected-mailboxes.ts'
import { requireReceivedTexts } from '../../mail/outbox/received-text.ts'
import { requirePlaceholders } from '../../mail/signatures/signatures.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import type { MailboxChanges } from './mailbox-bodies.ts'
import { oauthProviders } from './providers.ts'

/** The columns of a mailbox that follow from what an admin says. */
export type WantedMailbox = Omit<
  ConnectedMailboxRow,
  | 'id'
  | 'imap'
  | 'smtp'
  | 'oauth'
  | 'signature'
  | 'acknowledgement'
  | 'smtp_failing_since'
  | 'smtp_error'
  | 'smtp_retry_at'
  | 'sent_at'
  | 'told_at'
  | 'version'
  | 'created_at'
  | 'updated_at'
> & { imap: string | null; smtp: string | null; oauth: string | null; signature: string; acknowledgement: string }

/** The row as it is to be. Throws `InvalidFields`. */
export async function wantedMailbox(
  { keys, realClock }: Services,
  { db }: Act,
  given: MailboxChanges,
  former: ConnectedMailboxRow | undefined
): Promise<WantedMailbox> {
  const address = given.address ?? former!.address
  const deptid = given.deptid ?? former!.deptid
  if (given.deptid !== undefined) await requireDepartment(db, given.deptid)
  const auth = given.auth ?? former?.auth ?? 'password'
  if (given.signature) requirePlaceholders(given.signature, 'signature')
  if (given.acknowledgement) requireReceivedTexts(given.acknowledgement)
  const secrets: MailboxSecrets = former ? mailboxSecretsOrNone(keys, former) : {}
  const imap = serverOf('imap', given.imap, former?.imap ?? null, address, secrets)
  const smtp = serverOf('smtp', given.smtp, former?.smtp ?? null, address, secrets)
  if (former && auth === 'password') requirePasswordFor(smtp, former, given, secrets)
  if (!imap && !smtp) throw invalid('imap', 'A mailbox needs a server from which it receives, or one by which it sends')
  const oauth = oauthOf(given.oauth, former?.oauth ?? null, secrets)
  if (auth === 'oauth2' && !oauth)
    throw invalid('oauth', 'Signing in at a provider needs the client that is registered there')
  // Whoever gets the sign-in of a server must be the one for whom somebody signed in.
  const isElsewhere =
    former !== undefined &&
    (isOther(imap, [former.imap, former.smtp]) ||
      isOther(smtp, [former.smtp, former.imap]) ||
      !isDeepStrictEqual(oauth, former.oauth))
  const keepsSignIn = auth === 'oauth2' && former !== undefined && !isElsewhere
  if (!keepsSignIn) delete secrets.refresh_token
  // What somebody has begun would end at the new client or server.
  if (former && !keepsSignIn) await endSignIns(db, { mailbox: former.id })
  const taken = given.taken ?? former?.taken ?? 'seen'
  const movedTo = taken === 'move' ? (given.moved_to ?? former?.moved_to ?? null) : null
  if (taken === 'move' && !movedTo)
    throw invalid('moved_to', 'moved_to must name the folder into which e-mails are moved')
  const isDefault = given.is_default === undefined ? (former?.is_default ?? false) : given.is_default === 1
  if (isDefault) await endDefault(db, { deptid, but: former?.id ?? 0 })
  return {
    name: given.name ?? former!.name,
    address,
    address_key: baseAddress(address),
    deptid,
    imap: imap && JSON.stringify({ ...imap, folder: given.imap?.folder ?? former?.imap?.folder ?? 'INBOX' }),
    smtp: smtp && JSON.stringify(smtp),
    auth,
    oauth: oauth && JSON.stringify(oauth),
    sealed_secrets: sealedMailboxSecrets(keys, secrets),
    signed_in_as: keepsSignIn ? former.signed_in_as : null,
    signed_in_at: keepsSignIn ? former.signed_in_at : null,
    sign_in_ends_at: keepsSignIn ? former.sign_in_ends_at : null,
    secret_ends_at: secretEnd(given.oauth, former),
    signature: JSON.stringify(given.signature ?? former?.signature ?? {}),
    acknowledges: given.acknowledges === undefined ? (former?.acknowledges ?? true) : given.acknowledges === 1,
    acknowledgement: JSON.stringify(given.acknowledgement ?? former?.acknowledgement ?? {}),
    is_default: isDefault,
    is_active: given.is_active === undefined ? (former?.is_active ?? true) : given.is_active === 1,
    unknown_senders: given.unknown_senders === undefined ? (former?.unknown_senders ?? null) : given.unknown_senders,
    spam_folder: given.spam_folder === undefined ? (former?.spam_folder ?? null) : given.spam_folder,
    taken,
    moved_to: movedTo,
    begins_at: beginOf(given.begin, former, realClock.now())
  }
}

type GivenServer = NonNullable<MailboxChanges['imap']>

/** The server, with its password put among the secrets. A saved password is sent to no other host than the one for which it was entered. */
function serverOf(
  field: 'imap' | 'smtp',
  given: GivenServer | null | undefined,
  former: MailboxServer | null,
  address: string,
  secrets: MailboxSecrets
): MailboxServer | null {
  const secret = `${field}_password` as const
  if (given === undefined) return former && serverIn(former)
  if (given === null) {
    delete secrets[secret]
    return null
  }
  const usual = field === 'imap' ? 993 : 587
  const security =
    given.security ??
    former?.security ??
    (given.port === 143 || given.port === 587 || (!given.port && field === 'smtp') ? 'starttls' : 'tls')
  if (given.password !== undefined) secrets[secret] = given.password
  else if (former && former.host !== given.host && (secrets.imap_password ?? secrets.smtp_password) !== undefined)
    throw passwordElsewhere(field, former.host, given.host)
  return {
    host: given.host,
    port:
      given.port ??
      (former?.host === given.host
        ? former.port
        : security === 'tls'
          ? field === 'imap'
            ? 993
            : 465
          : field === 'imap'
            ? 143
            : usual),
    security,
    user: given.user ?? former?.user ?? address,
    certificate:
      given.certificate === undefined ? (former?.certificate ?? null) : certificateOf(field, given.certificate)
  }
}

/** A server that sends and has no password logs in with that of the other server, which so must not have been entered before it was named. */
function requirePasswordFor(
  smtp: MailboxServer | null,
  { imap, smtp: formerSmtp, auth }: ConnectedMailboxRow,
  given: MailboxChanges,
  { imap_password, smtp_password }: MailboxSecrets
): void {
  const isNew = smtp && (!formerSmtp || auth === 'oauth2') && smtp.host !== imap?.host
  const isSaved = imap_password !== undefined && !given.imap?.password
  if (isNew && isSaved && smtp_password === undefined) throw passwordElsewhere('smtp', imap?.host ?? '', smtp.host)
}

function passwordElsewhere(field: 'imap' | 'smtp', former: string, host: string) {
  return invalid(`${field}.password`, `The saved password belongs to ${former}: enter it again for ${host}`)
}

function serverIn({ host, port, security, user, certificate }: MailboxServer): MailboxServer {
  return { host, port, security, user, certificate }
}

function certificateOf(field: string, pem: string | null): string | null {
  if (pem === null) return null
  try {
    return new X509Certificate(pem).toString()
  } catch {
    throw invalid(`${field}.certificate`, `${field}.certificate must be a certificate in PEM`)
  }
}

/** The client at the provider, with its secret put among the secrets, which is sent to no other token server. */
function oauthOf(
  given: MailboxChanges['oauth'],
  former: MailboxOAuth | null,
  secrets: MailboxSecrets
): MailboxOAuth | null {
  if (given === undefined) return former
  if (given === null) {
    delete secrets.client_secret
    return null
  }
  const { provider, client_id } = given
  const known = provider === 'custom' ? undefined : oauthProviders[provider]
  const same = former?.provider === provider ? former : undefined
  const authorize_url = given.authorize_url ?? same?.authorize_url ?? known?.authorize_url
  const token_url = given.token_url ?? same?.token_url ?? known?.token_url
  const scope = given.scope ?? same?.scope ?? known?.scope ?? ''
  if (!authorize_url || !URL.canParse(authorize_url))
    throw invalid('oauth.authorize_url', 'oauth.authorize_url must be the address at which one signs in')
  if (!token_url || !URL.canParse(token_url))
    throw invalid('oauth.token_url', 'oauth.token_url must be the address that gives access tokens')
  if (given.client_secret !== undefined) secrets.client_secret = given.client_secret
  else if (former && (former.token_url !== token_url || former.client_id !== client_id)) delete secrets.client_secret
  return { provider, client_id, authorize_url, token_url, scope }
}

/** Whether it is on another host than before or, where there was none before, than the other server. */
function isOther(server: MailboxServer | null, former: readonly (MailboxServer | null)[]): boolean {
  return server !== null && server.host !== former.find(each => each !== null)?.host
}

function secretEnd(given: MailboxChanges['oauth'], former: ConnectedMailboxRow | undefined): Date | null {
  if (given === null) return null
  if (given?.secret_ends_on === undefined) return former?.secret_ends_at ?? null
  if (given.secret_ends_on === null) return null
  const end = new Date(`${given.secret_ends_on}T00:00:00Z`)
  if (Number.isNaN(end.getTime())) throw invalid('oauth', 'oauth.secret_ends_on must be a day that exists')
  return end
}

const weekSeconds = 7 * 86_400

function beginOf(begin: MailboxChanges['begin'], former: ConnectedMailboxRow | undefined, now: Date): Date | null {
  if (begin === undefined) return former?.begins_at ?? null
  if (begin === 'unread') return null
  // Times of a mail server have no fractions of a second.
  const second = new Date(Math.floor(now.getTime() / 1000) * 1000)
  return begin === 'now' ? second : secondsAfter(second, -weekSeconds)
}

export function mailboxSecretsOrNone(keys: Services['keys'], mailbox: ConnectedMailboxRow): MailboxSecrets {
  try {
    return mailboxSecrets(keys, mailbox)
  } catch {
    // After a lost APP_SECRET they are entered anew.
    return {}
  }
}

async function requireDepartment(db: Db, deptid: number): Promise<void> {
  const [known] = await department(db, { deptid })
  if (!known) throw invalid('deptid', `There is no department ${deptid}`)
}

function invalid(field: string, message: string) {
  return InvalidFields({ message, errors: [field] })
}

const department = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).select('id')
)

/** A department has one default. */
const endDefault = prepared((db, p: { deptid: number; but: number }) =>
  db
    .updateTable('connected_mailboxes')
    .where('deptid', '=', p.deptid)
    .where('id', '<>', p.but)
    .where('is_default', '=', true)
    .set(eb => ({ is_default: false, version: eb('version', '+', 1) }))
)

const endSignIns = prepared((db, p: { mailbox: number }) =>
  db.deleteFrom('mailbox_sign_ins').where('mailbox_id', '=', p.mailbox)
)
