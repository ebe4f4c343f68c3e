import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import pLimit from 'p-limit'

/** The addresses of a host; throws when it has none. */
export type Resolve = (host: string) => Promise<string[]>

const answerWithinMilliseconds = 2_000

/**
 * Asks name servers by themselves first, since what the system offers waits in one of four threads, which files need as well: a host whose
 * name servers are silent must not hold up the others. The system, which also knows the names of this machine, is asked for those
 * that no server knows, about two at once.
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

/** Names without a dot are in the system's own list, or mean something with its search domains alone. */
function isOfThisMachine(host: string): boolean {
  return !host.replace(/\.$/, '').includes('.') || /\.localhost\.?$/i.test(host)
}
