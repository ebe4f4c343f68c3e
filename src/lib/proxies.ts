import { isIP } from 'node:net'
import { commaSeparated, InvalidSetting } from './setting.ts'

/** How many proxies are in front of the service, or their addresses and ranges (CIDR). */
export type Proxies = number | string[]

const maxHops = 10

/** Parses `2` or `10.0.0.0/8, 192.0.2.7`; throws `InvalidSetting`, also for ranges of all addresses, which would trust everybody. */
export function proxies(given: string): Proxies {
  if (/^\d+$/.test(given) && Number(given) >= 1 && Number(given) <= maxHops) return Number(given)
  const ranges = commaSeparated(given)
  if (ranges.length > 0 && ranges.every(isRange)) return ranges
  throw new InvalidSetting(
    `must be the number of proxies, from 1 to ${maxHops}, or their addresses and ranges such as 10.0.0.0/8, separated by commas`
  )
}

function isRange(given: string): boolean {
  const [, address, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(given) ?? []
  const family = isIP(address ?? '')
  if (family === 0) return false
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
}
