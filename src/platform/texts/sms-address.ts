import { isLoopback } from '../../lib/loopback.ts'
import { InvalidSetting, webAddress } from '../../lib/setting.ts'

/** The gateway of our texts: with our own small protocol, or Twilio's. */
export type SmsAddress =
  | { kind: 'signed'; url: string }
  | { kind: 'twilio'; url: string; account: string; token: string; sender: string }

/** Parses `https://gateway/path` or `twilio://ACCOUNT_SID:AUTH_TOKEN@host?from=SENDER`. Throws `InvalidSetting`. */
export function smsAddress(given: string): SmsAddress {
  const url = URL.parse(given)
  if (url?.protocol === 'twilio:') return twilioAddress(url)
  const { protocol, hostname, hash, href } = webAddress(given)
  if (hash) throw new InvalidSetting('must be an address without #')
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw new InvalidSetting('must begin with https:// unless it leads to this machine: texts carry codes')
  }
  return { kind: 'signed', url: href }
}

function twilioAddress({
  host,
  hostname,
  username: account,
  password: token,
  pathname,
  searchParams,
  hash
}: URL): SmsAddress {
  const { from, ...others } = Object.fromEntries(searchParams)
  // A + in a query means a blank.
  const sender = from?.replace(/^ /, '+')
  const isWhole = hostname && /^\w+$/.test(account) && /^\w+$/.test(token) && /^\/?$/.test(pathname) && !hash
  if (!isWhole || !sender || Object.keys(others).length > 0) {
    throw new InvalidSetting('must be an address such as twilio://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?from=+15550100')
  }
  const scheme = isLoopback(hostname) ? 'http' : 'https'
  return {
    kind: 'twilio',
    url: `${scheme}://${host}/2010-04-01/Accounts/${account}/Messages.json`,
    account,
    token,
    sender
  }
}
