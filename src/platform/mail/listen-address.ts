import { InvalidSetting } from '../../lib/setting.ts'

/** Where mail servers deliver e-mails. */
export interface MailListenAddress {
  protocol: 'lmtp' | 'smtp'
  host: string
  port: number
}

/** Parses `lmtp://127.0.0.1:24` or `smtp://0.0.0.0:25`. Throws `InvalidSetting`. */
export function mailListenAddress(given: string): MailListenAddress {
  const url = URL.parse(given)
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash && /^\/?$/.test(url.pathname)
  if (!isPlain || !/^(lmtp|smtp):$/.test(url.protocol) || !url.hostname) {
    throw new InvalidSetting('must be an address such as lmtp://127.0.0.1:24 or smtp://0.0.0.0:25')
  }
  const protocol = url.protocol === 'lmtp:' ? 'lmtp' : 'smtp'
  return {
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (protocol === 'lmtp' ? 24 : 25) : Number(url.port)
  }
}
