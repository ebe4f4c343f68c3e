import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { sameSecret } from './same-secret.ts'

/** The hashing queue is full: the caller should retry later. */
export class HashingBusy extends Error {}

export interface Passwords {
  /**
   * The stored hash of a password: `argon2id(sha256(password))` (decision 13). Sign-ups of strangers have a queue of their own, so that a flood
   * of them keeps nobody from logging in.
   */
  hash(password: string, as?: 'stranger'): Promise<string>
  /** The stored hash for a password of which only the SHA-256 digest (hex, in any case) is known. */
  harden(digest: string, as?: 'stranger'): Promise<string>
  /**
   * Whether the password matches the stored hash, which may be a bare SHA-256 hex digest. Undefined takes the same time and never matches.
   * `count` runs right before the comparison, so that attempts that are counted but not yet compared never exceed the concurrency, and a crowd
   * of valid logins does not look like an attack.
   */
  fits(password: string, stored: string | undefined, count?: () => Promise<void>): Promise<boolean>
  /** The stored hash is a bare SHA-256 digest and should be replaced by `hash(password)`. */
  isBare(stored: string): boolean
  /** The stored hash has the format of `hash`. */
  isHardened(stored: string): boolean
}

// argon2id is the library's default algorithm.
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
const longestQueue = 256
// A salt of 16 bytes and a hash of 32, in Base64 without padding.
const hardened = new RegExp(
  `^\\$argon2id\\$v=19\\$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}$`
)

/** Hashes off the event loop, about as many at a time as there are cores, and refuses before the queue grows too long. */
export function makePasswords(): Passwords {
  const cores = availableParallelism()
  const line = pLimit(Math.max(2, cores))
  const lineOfStrangers = pLimit(Math.max(1, Math.floor(cores / 2)))
  const queued = <T>(work: () => Promise<T>, limit = line): Promise<T> => {
    if (limit.pendingCount >= longestQueue) throw new HashingBusy('Too many passwords to check at once')
    return limit(work)
  }
  // Logins to unknown accounts are compared with this, so that they take the same time.
  let decoy: Promise<string> | undefined

  const passwords: Passwords = {
    async hash(password, as) {
      return await passwords.harden(sha256(password), as)
    },
    async harden(digest, as) {
      return await queued(() => hash(digest.toLowerCase(), cost), as === 'stranger' ? lineOfStrangers : line)
    },
    async fits(password, stored, count) {
      if (stored === undefined || passwords.isBare(stored)) {
        decoy ??= hash(sha256('decoy'), cost)
        const decoyHash = await decoy
        await queued(async () => {
          await count?.()
          await verify(decoyHash, sha256(password))
        })
        return stored !== undefined && sameSecret(stored.toLowerCase(), sha256(password))
      }
      return await queued(async () => {
        await count?.()
        return await verify(stored, sha256(password))
      })
    },
    isBare: stored => /^[0-9a-f]{64}$/i.test(stored),
    isHardened: stored => hardened.test(stored)
  }
  return passwords
}

function sha256(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('hex')
}
