import { isIPv4, isIPv6 } from 'node:net'

/**
 * The networks of an address for rate limits, the narrowest first: an IPv4 address itself, also if mapped to IPv6; for IPv6 the first 64 bits,
 * which one customer has as a whole, and the 56 and 48 bits around them, since providers hand out such ranges. Anything else is `unknown`, so
 * that an invented address is not a new network.
 */
export function networksOf(address: string): [string, ...string[]] {
  if (isIPv4(address)) return [address]
  const plain = address.split('%', 1)[0]!
  if (!isIPv6(plain)) return ['unknown']
  const groups = groupsOf(plain)
  const isWrapped = groups.slice(0, 5).every(group => group === '0') && groups[5] === 'ffff'
  if (isWrapped) return [ipv4Of(groups)]
  const [one, two, three, four] = groups
  const around = (Number.parseInt(four!, 16) & 0xff00).toString(16)
  return [`${one}:${two}:${three}:${four}::/64`, `${one}:${two}:${three}:${around}::/56`, `${one}:${two}:${three}::/48`]
}

/** The widest of its networks, for what somebody with a range of addresses must not have many of. */
export function widestNetworkOf(address: string): string {
  return networksOf(address).at(-1)!
}

/** The network of an address as it is shown long after: the first 24 bits of IPv4, the first 48 of IPv6. */
export function coarseNetworkOf(address: string): string {
  const widest = widestNetworkOf(address)
  return isIPv4(widest) ? `${widest.slice(0, widest.lastIndexOf('.'))}.0/24` : widest
}

/**
 * An address in its usual form: a socket for both families reports IPv4 addresses mapped to IPv6, and a closed one reports none, whatever the
 * types say.
 */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const inner = address.slice('::ffff:'.length)
  return address.startsWith('::ffff:') && isIPv4(inner) ? inner : address
}

/** The eight groups of a valid IPv6 address, without leading zeros; the URL parser knows all notations. */
function groupsOf(address: string): string[] {
  const [start = '', end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [start, end ?? ''].map(part => part.split(':').filter(group => group !== '')) as [
    string[],
    string[]
  ]
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

function ipv4Of(groups: string[]): string {
  const [high, low] = groups.slice(6).map(group => Number.parseInt(group, 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
