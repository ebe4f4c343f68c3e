import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { InvalidSetting } from './setting.ts'

/** Whether this is a network, such as `10.0.0.0/8`, or an address, and not the network of all addresses. */
export function isNetwork(given: string): boolean {
  const range = rangeOf(given)
  return range !== undefined && range[1] > 0
}

/** A network or an address; throws `InvalidSetting`. */
export function network(given: string): string {
  if (isNetwork(given)) return given
  throw new InvalidSetting('must be a list of networks and addresses such as 10.0.0.0/8, separated by commas')
}

/** Whether an address is in one of these networks. An IPv4 address mapped to IPv6 is the same address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!isIP(address)) return false
  const plain = ipaddr.process(address)
  return networks.some(given => {
    const range = rangeOf(given)
    return range !== undefined && range[0].kind() === plain.kind() && plain.match(range)
  })
}

/** Whether an address is public: not private, loopback, link-local, multicast, reserved, nor a tunnel to one of these. */
export function isPublic(address: string): boolean {
  if (!isIP(address)) return false
  const plain = ipaddr.process(address)
  // Beside the global unicast addresses of IPv6 lie old forms that carry an IPv4 address, such as ::127.0.0.1.
  return plain.range() === 'unicast' && (plain.kind() === 'ipv4' || plain.match(ipaddr.parseCIDR('2000::/3')))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function rangeOf(given: string): [Address, number] | undefined {
  const [start = '', bits] = given.split('/')
  if (!isIP(start)) return undefined
  if (bits !== undefined) return ipaddr.isValidCIDR(given) ? ipaddr.parseCIDR(given) : undefined
  const address = ipaddr.process(given)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
