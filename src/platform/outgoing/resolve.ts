import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import pLimit from 'p-limit'

/** Resolves the addresses of a host; throws if it has none. */
export type Resolve = (host: string) => Promise<string[]>

const answerWithinMilliseconds = 2_000

/**
 * Asks DNS servers directly first, since the system's resolver blocks one of four threads, which files need as well: a host with unresponsive
 * servers must not delay the others. The system, which also knows this machine's names, is asked for names that no server knows, two at a
 * time.
 */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: answerWithinMilliseconds, tries: 2 })
  const bySystem = pLimit(2)
  return async host => {
    if (isIP(host)) return [host]
    const asked = isOfThisMachine(host)
      ? []
      : await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = asked.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const addresses = await bySystem(() => lookup(host, { all: true }))
    return addresses.map(({ address }) => address)
  }
}

/** Names without a dot are in the system's hosts file, or need its search domains. */
function isOfThisMachine(host: string): boolean {
  return !host.replace(/\.$/, '').includes('.') || /\.localhost\.?$/i.test(host)
}
