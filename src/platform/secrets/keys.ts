import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes
} from 'node:crypto'
import { readToken, type SignedClaims, signToken } from './tokens.ts'

/** All operations with the application's secrets, which never leave this module. */
export interface KeysOf<Claims> {
  /** A signed JWT (HS256) of that kind, expiring `lifetimeSeconds` after `now`. */
  sign<K extends keyof Claims & string>(kind: K, claims: Claims[K], now: Date, lifetimeSeconds: number): string
  /** The claims of a token of that kind that is genuine and not expired at `now`, with its end in seconds since 1970; else undefined. */
  verify<K extends keyof Claims & string>(kind: K, token: string, now: Date): (Claims[K] & { exp: number }) | undefined
  /** A keyed digest of a secret for later lookup, base64url, 43 characters. */
  digest(purpose: string, secret: string): string
  /** All digests under which that secret may be stored: one per application secret. */
  digests(purpose: string, secret: string): string[]
  /** Encrypts and authenticates text (AES-256-GCM), base64url. */
  seal(purpose: string, text: string): string
  /** Decrypts text; throws if none of our secrets encrypted it. */
  unseal(purpose: string, sealed: string): string
  /** The same text encrypted with the first secret; undefined if it is already. Throws like `unseal`. */
  reseal(purpose: string, sealed: string): string | undefined
}

/**
 * Keys from one or more application secrets: the first signs and encrypts, all verify and decrypt. `Claims` are the claims of each kind of
 * token; a token of one kind is not valid as another.
 */
export function keysOf<Claims>(secrets: readonly [string, ...string[]]): KeysOf<Claims> {
  const rings = secrets.map(secret => {
    // Made once: creating a key object takes several times as long as signing.
    const derive = (use: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'deskline', use, 32)))
    return { tokens: derive('tokens'), digests: derive('digests'), seals: derive('seals') }
  }) as [Ring, ...Ring[]]
  const [current] = rings
  const genuine = new Map<string, SignedClaims>()
  const claimsOf = (token: string) => {
    const known = genuine.get(token)
    if (known) return known
    for (const ring of rings) {
      const claims = readToken(ring.tokens, token)
      if (claims) return remember(genuine, token, claims)
    }
    return undefined
  }
  const digestWith = (ring: Ring, purpose: string, secret: string) =>
    createHmac('sha256', ring.digests).update(`${purpose}\0${secret}`).digest('base64url')

  const keys: KeysOf<Claims> = {
    sign(kind, claims, now, lifetimeSeconds) {
      const exp = Math.floor(now.getTime() / 1000) + lifetimeSeconds
      const jti = randomBytes(9).toString('base64url')
      const signed = { ...claims, kind, exp, jti }
      return signToken(current.tokens, signed)
    },
    verify(kind, token, now) {
      const claims = claimsOf(token)
      return claims?.kind === kind && claims.exp > now.getTime() / 1000 ? (claims as never) : undefined
    },
    digest: (purpose, secret) => digestWith(current, purpose, secret),
    digests: (purpose, secret) => rings.map(ring => digestWith(ring, purpose, secret)),
    seal(purpose, text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.seals, nonce).setAAD(Buffer.from(purpose))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url'
      )
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      for (const ring of rings) {
        const text = opened(ring, purpose, bytes)
        if (text !== undefined) return text
      }
      throw new Error(`A sealed ${purpose} does not open with APP_SECRET`)
    },
    reseal(purpose, sealed) {
      const isCurrent = opened(current, purpose, Buffer.from(sealed, 'base64url')) !== undefined
      return isCurrent ? undefined : keys.seal(purpose, keys.unseal(purpose, sealed))
    }
  }
  return keys
}

interface Ring {
  tokens: KeyObject
  digests: KeyObject
  seals: KeyObject
}

const maxRemembered = 1000

/** Caches verified tokens, so that a signature is not computed for each request; the oldest entry is dropped first. */
function remember(genuine: Map<string, SignedClaims>, token: string, claims: SignedClaims): SignedClaims {
  const [oldest] = genuine.keys()
  if (genuine.size >= maxRemembered && oldest !== undefined) genuine.delete(oldest)
  genuine.set(token, claims)
  return claims
}

function opened(ring: Ring, purpose: string, bytes: Buffer): string | undefined {
  try {
    // Refuses shorter tags, which would be easier to forge.
    const decipher = createDecipheriv('aes-256-gcm', ring.seals, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-16))
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
