import { Resolver } from 'node:dns/promises'

const tryMilliseconds = 1_500
const tries = 2

/** Asks the domain name system, as `mailauth` wants it. */
export type Lookup = (name: string, type: string) => Promise<string[]>

/**
 * A way to ask these servers, or those of the system, so many questions within that time from the first. What is beyond fails as a server does that does
 * not answer: what cannot be looked up now is a passing fault, and nothing passes by it.
 */
export function boundedDns(
  servers: readonly string[],
  { lookups, milliseconds }: { lookups: number; milliseconds: number }
): Lookup {
  const resolver = new Resolver({ timeout: tryMilliseconds, tries })
  if (servers.length > 0) resolver.setServers(servers)
  let end: number | undefined
  let left = lookups
  return async (name, type) => {
    end ??= performance.now() + milliseconds
    const remaining = end - performance.now()
    if (left-- <= 0 || remaining <= 0) throw noAnswer()
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      left = 0
      reject(noAnswer())
    }, remaining)
    try {
      return await Promise.race([resolver.resolve(name, type) as Promise<string[]>, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }
}

function noAnswer(): Error {
  return Object.assign(new Error('No answer in time'), { code: 'ETIMEOUT' })
}
