import { isLoopback } from '../../lib/loopback.ts'
import { Unfit, webAddress } from '../../lib/setting.ts'
import type { OAuthClient } from './access-token.ts'

/** What becomes of a mail in its mailbox once it is stored here. */
type TakenMail = { kind: 'seen' } | { kind: 'delete' } | { kind: 'move'; to: string }

/** A folder of a mailbox, and how one gets to it. */
export interface ImapAddress {
  /** The address without its secret: by this the mailbox is known. */
  name: string
  host: string
  port: number
  /** From the first byte, by STARTTLS before anything is said, or not at all. The certificate has to fit in both cases. */
  encryption: 'tls' | 'starttls' | 'none'
  user: string
  /** The password; with `isOAuth` the refresh token. Never shown, never logged. */
  secret: string
  isOAuth: boolean
  /** The client of this mailbox; undefined where it is that of all. */
  oauthClient: OAuthClient | undefined
  folder: string
  taken: TakenMail
}

const expected =
  'must be addresses such as imaps://user:password@imap.example.com/INBOX?taken=seen, separated by commas or blanks, with special ' +
  'characters of user, password and folder written as %40'

/** Reads the mailboxes of `IMAP_URL`, separated by commas or blanks. Throws `Unfit`. */
export function imapAddresses(given: string): ImapAddress[] {
  const addresses = given
    .split(/[\s,]+/)
    .filter(part => part !== '')
    .map(imapAddress)
  if (addresses.length === 0) throw new Unfit(expected)
  if (new Set(addresses.map(({ name }) => name)).size < addresses.length)
    throw new Unfit('must not name a folder of a mailbox twice')
  return addresses
}

/**
 * Reads `imaps://user:password@host:port/FOLDER?taken=seen`. Passwords and mails pass unencrypted only on this machine, and where `?tls=off`
 * says so; `?tls=required` encrypts on this machine too. With `?auth=xoauth2` the password is a refresh token, for the client that the options behind it
 * name, or for that of all mailboxes. Throws `Unfit`.
 */
function imapAddress(given: string): ImapAddress {
  const url = URL.parse(given)
  if (!url || !/^imaps?:$/.test(url.protocol) || !url.hostname || url.hash || !url.username || !url.password) {
    throw new Unfit(expected)
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
    throw new Unfit('takes ?tls=off or ?tls=required after imap:// alone')
  if (auth !== undefined && auth !== 'xoauth2') throw new Unfit('takes no ?auth= but xoauth2')
  if (Object.keys(others).length > 0)
    throw new Unfit('takes no options but taken, tls, auth, token_url, client_id, client_secret and scope')
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

/** All of it is in the address, or all of it in the settings: the secret of one provider must not be sent to another. */
function oauthClient(
  auth: string | undefined,
  { token_url, client_id, client_secret, scope }: Record<string, string | undefined>
): OAuthClient | undefined {
  if ([token_url, client_id, client_secret, scope].every(each => each === undefined)) return undefined
  if (auth === undefined || !token_url || !client_id)
    throw new Unfit(
      'takes ?auth=xoauth2, token_url and client_id together with client_secret and scope, or none of them'
    )
  webAddress(token_url)
  return { tokenUrl: token_url, id: client_id, secret: client_secret || undefined, scope: scope || undefined }
}

function takenMail(given: string): TakenMail {
  if (given === 'seen' || given === 'delete') return { kind: given }
  const to = /^move:(.+)$/.exec(given)?.[1]
  if (to) return { kind: 'move', to }
  throw new Unfit('takes ?taken=seen, ?taken=delete or ?taken=move:FOLDER')
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    if (/^\P{Cc}*$/u.test(plain)) return plain
  } catch {
    // It is said below what is expected.
  }
  throw new Unfit(expected)
}
