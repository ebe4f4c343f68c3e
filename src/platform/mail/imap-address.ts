import { isLoopback } from '../../lib/loopback.ts'
import { InvalidSetting, webAddress } from '../../lib/setting.ts'

/** The OAuth 2.0 client registered for this desk at a provider. */
export interface OAuthClient {
  tokenUrl: string
  id: string
  secret: string | undefined
  scope: string | undefined
}

/** What happens to a mail in its mailbox once it is stored here. */
type TakenMail = { kind: 'seen' } | { kind: 'delete' } | { kind: 'move'; to: string }

/** A folder of a mailbox, and how to connect to it. */
export interface ImapAddress {
  /** The URL without its secret, which identifies the mailbox. */
  name: string
  host: string
  port: number
  /** Encryption from the first byte (`tls`), by STARTTLS before anything else is sent, or none. The first two verify the certificate. */
  encryption: 'tls' | 'starttls' | 'none'
  user: string
  /** The password; with `isOAuth` the refresh token. Never shown, never logged. */
  secret: string
  isOAuth: boolean
  /** The OAuth client of this mailbox; undefined for the common one. */
  oauthClient: OAuthClient | undefined
  folder: string
  taken: TakenMail
  /** E-mails that arrived before stay in the mailbox. */
  beginsAt?: Date | undefined
  /** The certificate (PEM) that is trusted although nobody vouches for it, and no other. */
  certificate?: string | undefined
}

const expected =
  'must be addresses such as imaps://user:password@imap.example.com/INBOX?taken=seen, separated by commas or blanks, with special ' +
  'characters of user, password and folder written as %40'

/** Parses the mailboxes of `IMAP_URL`, separated by commas or blanks. Throws `InvalidSetting`. */
export function imapAddresses(given: string): ImapAddress[] {
  const addresses = given
    .split(/[\s,]+/)
    .filter(part => part !== '')
    .map(imapAddress)
  if (addresses.length === 0) throw new InvalidSetting(expected)
  if (new Set(addresses.map(({ name }) => name)).size < addresses.length)
    throw new InvalidSetting('must not name a folder of a mailbox twice')
  return addresses
}

/**
 * Parses `imaps://user:password@host:port/FOLDER?taken=seen`. Connections are unencrypted only on this machine, or with `?tls=off`;
 * `?tls=required` encrypts on this machine too. With `?auth=xoauth2` the password is a refresh token, for the client named by the further
 * options, or for the common one. Throws `InvalidSetting`.
 */
function imapAddress(given: string): ImapAddress {
  const url = URL.parse(given)
  if (!url || !/^imaps?:$/.test(url.protocol) || !url.hostname || url.hash || !url.username || !url.password) {
    throw new InvalidSetting(expected)
  }
  const {
    tls,
    auth,
    taken = 'seen',
    token_url,
    client_id,
    client_secret,
    scope,
    ...others
  } = Object.fromEntries(url.searchParams)
  const isSecure = url.protocol === 'imaps:'
  if (tls !== undefined && (isSecure || !['off', 'required'].includes(tls)))
    throw new InvalidSetting('takes ?tls=off or ?tls=required after imap:// alone')
  if (auth !== undefined && auth !== 'xoauth2') throw new InvalidSetting('takes no ?auth= but xoauth2')
  if (Object.keys(others).length > 0)
    throw new InvalidSetting('takes no options but taken, tls, auth, token_url, client_id, client_secret and scope')
  const mayBeOverheard = tls ? tls === 'off' : isLoopback(url.hostname)
  const folder = decoded(url.pathname.slice(1)) || 'INBOX'
  const user = decoded(url.username)
  return {
    name: `${url.protocol}//${encodeURIComponent(user)}@${url.host}/${encodeURIComponent(folder)}`,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 993 : 143),
    encryption: isSecure ? 'tls' : mayBeOverheard ? 'none' : 'starttls',
    user,
    secret: decoded(url.password),
    isOAuth: auth === 'xoauth2',
    oauthClient: oauthClient(auth, { token_url, client_id, client_secret, scope }),
    folder,
    taken: takenMail(taken)
  }
}

/** Either all of it is in the URL or all in the settings: one provider's secret must not be sent to another. */
function oauthClient(
  auth: string | undefined,
  { token_url, client_id, client_secret, scope }: Record<string, string | undefined>
): OAuthClient | undefined {
  if ([token_url, client_id, client_secret, scope].every(each => each === undefined)) return undefined
  if (auth === undefined || !token_url || !client_id)
    throw new InvalidSetting(
      'takes ?auth=xoauth2, token_url and client_id together with client_secret and scope, or none of them'
    )
  webAddress(token_url)
  return { tokenUrl: token_url, id: client_id, secret: client_secret || undefined, scope: scope || undefined }
}

function takenMail(given: string): TakenMail {
  if (given === 'seen' || given === 'delete') return { kind: given }
  const to = /^move:(.+)$/.exec(given)?.[1]
  if (to) return { kind: 'move', to }
  throw new InvalidSetting('takes ?taken=seen, ?taken=delete or ?taken=move:FOLDER')
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    if (/^\P{Cc}*$/u.test(plain)) return plain
  } catch {
    // The error below says what is expected.
  }
  throw new InvalidSetting(expected)
}
