import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { makeFairQueue, type Turn } from '../../lib/fair-queue.ts'
import { sameSecret } from './same-secret.ts'

/** The hashing queue is full: the caller should retry later. */
export class HashingBusy extends Error {}

/**
 * Who waits for a hash: a caller from a device or network that the account is known on, or who has proved something already; somebody else who
 * logs in as staff or as a client; or somebody who signs up. None of them can keep the others waiting.
 */
interface HashingTurn extends Turn {
  lane: 'known' | 'staff' | 'client' | 'sign-up'
  /** The network of the caller; those on one network take turns with the other networks, not each with them. */
  group: string
}

export interface Passwords {
  /** The stored hash of a password: `argon2id(sha256(password))` (decision 13). Without a `turn` the caller counts as known. */
  hash(password: string, turn?: HashingTurn): Promise<string>
  /** The stored hash for a password of which only the SHA-256 digest (hex, in any case) is known. */
  harden(digest: string, turn?: HashingTurn): Promise<string>
  /**
   * Whether the password matches the stored hash, which may be a bare SHA-256 hex digest. Undefined takes the same time and never matches.
   * `count` runs right before the comparison, so that attempts that are counted but not yet compared never exceed the concurrency, and a crowd
   * of valid logins does not look like an attack.
   */
  fits(
    password: string,
    stored: string | undefined,
    waiting?: { turn?: HashingTurn; count?: () => Promise<void> }
  ): Promise<boolean>
  /** The stored hash is a bare SHA-256 digest and should be replaced by `hash(password)`. */
  isBare(stored: string): boolean
  /** The stored hash has the format of `hash`. */
  isHardened(stored: string): boolean
}

/** What a hash takes: memory in KiB, passes over it, threads. */
interface HashingCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

// argon2id is the library's default algorithm.
const standardCost: HashingCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** How many of one network may wait, in each lane; and how many in a lane, which takes four such networks. */
const [longestGroup, longestLane] = [256, 1024]
const ofOurselves: HashingTurn = { lane: 'known', group: '' }

/** Hashes off the event loop, as many at a time as there are cores, in a fair order, and refuses before a line grows too long. */
export function makePasswords(cost = standardCost): Passwords {
  const { memoryCost, timeCost, parallelism } = cost
  // A salt of 16 bytes and a hash of 32, in Base64 without padding.
  const hardened = new RegExp(
    `^\\$argon2id\\$v=19\\$m=${memoryCost},t=${timeCost},p=${parallelism}\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}$`
  )
  const queue = makeFairQueue({
    atOnce: Math.max(2, availableParallelism()),
    longestGroup,
    longestLane,
    refusal: () => new HashingBusy('Too many passwords to check at once')
  })
  // Logins to unknown accounts are compared with this, so that they take the same time.
  let decoy: Promise<string> | undefined

  const passwords: Passwords = {
    async hash(password, turn) {
      return await passwords.harden(sha256(password), turn)
    },
    async harden(digest, turn = ofOurselves) {
      return await queue.run(turn, () => hash(digest.toLowerCase(), cost))
    },
    async fits(password, stored, { turn = ofOurselves, count } = {}) {
      if (stored === undefined || passwords.isBare(stored)) {
        decoy ??= hash(sha256('decoy'), cost)
        const decoyHash = await decoy
        await queue.run(turn, async () => {
          await count?.()
          await verify(decoyHash, sha256(password))
        })
        return stored !== undefined && sameSecret(stored.toLowerCase(), sha256(password))
      }
      return await queue.run(turn, async () => {
        await count?.()
        return await verify(stored.replace(/^!/, ''), sha256(password))
      })
    },
    isBare: stored => /^[0-9a-f]{64}$/i.test(stored),
    isHardened: stored => hardened.test(stored)
  }
  return passwords
}

/** The stored hash of a password that nobody knows; it is verified like any other. */
export function unknownPassword(hash: string): string {
  return `!${hash}`
}

/** Whether somebody knows the password of this stored hash. */
export function isKnownPassword(stored: string): boolean {
  return !stored.startsWith('!')
}

function sha256(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('hex')
}
