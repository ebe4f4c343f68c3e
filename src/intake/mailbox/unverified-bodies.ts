import { tooManyRequests } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import { Unavailable } from '../../kit/errors.ts'
import { networksOf } from '../../lib/network.ts'

/** Unverified bodies may take as much disk at once as this many e-mails of the largest size; those of one network half of it. */
const largestAtOnce = 8
/** How many unsigned requests a network may send per window. */
const limit = { kind: 'inbound-mail', most: 20, seconds: 300 }
/** After a valid signature, failures do not block a network for this long: a stranger may sit behind the same proxy. */
const knownSeconds = 86_400
const maxNetworks = 10_000

/** A body being received, whose signature can only be checked when it is complete. */
export interface UnverifiedBody {
  /** Called before this many bytes are stored. Throws 503 if other bodies have taken the room. */
  take(bytes: number): void
  /** Its signature is right. */
  verified(): void
  /** It has ended, for whatever reason. */
  end(): void
}

/** Bounds what unverified senders may have this process store. */
export interface UnverifiedBodies {
  /** Throws 429 + `Retry-After` if this network has sent too many unsigned requests. */
  begin(ip: string): UnverifiedBody
}

/** Counted in memory, per process: the limits protect its disk and its work. */
export function unverifiedBodies({
  config,
  realClock,
  metrics
}: Pick<Services, 'config' | 'realClock' | 'metrics'>): UnverifiedBodies {
  const room = largestAtOnce * config.MAIL_MAX_BYTES
  const taken = new Map<string, number>()
  const failed = new Map<string, { count: number; until: number }>()
  const known = new Map<string, number>()
  let takenByAll = 0

  return {
    begin(ip) {
      // For IPv6, the widest prefix that a provider gives one customer.
      const network = networksOf(ip).at(-1)!
      const now = realClock.now()
      const failures = current(network, now.getTime())
      if (failures.count >= limit.most) {
        metrics.attemptLimits.inc({ kind: limit.kind })
        throw tooManyRequests([{ limit, resetsAt: failures.until }], now)
      }
      let own = 0
      let isVerified = false
      const release = () => {
        move(network, -own)
        own = 0
      }
      return {
        take(bytes) {
          const ofNetwork = taken.get(network) ?? 0
          if (takenByAll + bytes > room || ofNetwork + bytes > room / 2)
            throw Unavailable({ headers: { 'retry-after': '10' } })
          own += bytes
          move(network, bytes)
        },
        verified() {
          isVerified = true
          release()
          failed.delete(network)
          remember(known, network, realClock.now().getTime() + knownSeconds * 1_000)
        },
        end() {
          release()
          if (!isVerified) fail(network)
        }
      }
    }
  }

  function move(network: string, bytes: number): void {
    takenByAll += bytes
    const rest = (taken.get(network) ?? 0) + bytes
    if (rest > 0) taken.set(network, rest)
    else taken.delete(network)
  }

  function fail(network: string): void {
    const now = realClock.now().getTime()
    if ((known.get(network) ?? 0) > now) return
    const { count, until } = current(network, now)
    remember(failed, network, { count: count + 1, until })
  }

  function current(network: string, now: number) {
    const failures = failed.get(network)
    return failures && failures.until > now ? failures : { count: 0, until: now + limit.seconds * 1_000 }
  }
}

/** The least recently used entries are dropped first. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxNetworks) map.delete(map.keys().next().value!)
}
