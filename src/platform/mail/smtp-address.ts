import { isLoopback } from '../../lib/loopback.ts'
import { InvalidSetting } from '../../lib/setting.ts'

/** The server that outgoing e-mails are sent to. */
export interface SmtpAddress {
  host: string
  port: number
  /** Encryption from the first byte (`tls`), by STARTTLS before anything else is sent, or none. The first two verify the certificate. */
  encryption: 'tls' | 'starttls' | 'none'
  login?: { user: string; password: string }
}

const expected =
  'must be an address such as smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465, ' +
  'with special characters as %40'

/**
 * Parses `smtp://user:password@host:port`. Connections are unencrypted only to this machine, or with `?tls=off`; `?tls=required` encrypts on
 * this machine too. Throws `InvalidSetting`.
 */
export function smtpAddress(given: string): SmtpAddress {
  const url = URL.parse(given)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname) || url.hash) {
    throw new InvalidSetting(expected)
  }
  if (Boolean(url.username) !== Boolean(url.password))
    throw new InvalidSetting('must have both a user and a password, or neither')

  const isSecure = url.protocol === 'smtps:'
  const mayBeOverheard = isOpen(url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(url.port) || (isSecure ? 465 : 587),
    encryption: isSecure ? 'tls' : mayBeOverheard ? 'none' : 'starttls',
    ...(url.username ? { login: { user: decoded(url.username), password: decoded(url.password) } } : {})
  }
}

function isOpen({ hostname, protocol, searchParams }: URL): boolean {
  const { tls, ...others } = Object.fromEntries(searchParams)
  const isKnown = tls === undefined || (protocol === 'smtp:' && ['off', 'required'].includes(tls))
  if (!isKnown || Object.keys(others).length > 0)
    throw new InvalidSetting('takes no option but ?tls=off or ?tls=required after smtp://')
  return tls ? tls === 'off' : isLoopback(hostname)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidSetting(expected)
  }
}
