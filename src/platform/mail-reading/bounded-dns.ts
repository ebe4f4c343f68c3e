import { Resolver } from 'node:dns/promises'

const tryMilliseconds = 1_500
const tries = 2

/** A DNS lookup, as `mailauth` expects it. */
export type Lookup = (name: string, type: string) => Promise<string[]>

/**
 * DNS lookups at these servers, or the system's, limited in number and in time since the first. Beyond the limit a lookup fails like an
 * unanswered one: a temporary error, with which no check passes.
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
