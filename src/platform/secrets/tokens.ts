import { createHmac, type KeyObject } from 'node:crypto'
import { sameSecret } from './same-secret.ts'

// A JSON Web Token (RFC 7519) with one fixed algorithm (HS256) and header: a token cannot choose or downgrade the algorithm.

const header = encoded({ alg: 'HS256', typ: 'JWT' })
/** Longer than any of ours; longer tokens are not parsed. */
const longest = 2048

/** The claims of every token: its kind, and its expiry in seconds since 1970. */
export interface SignedClaims {
  kind: string
  exp: number
}

export function signToken(key: KeyObject, claims: SignedClaims): string {
  const content = `${header}.${encoded(claims)}`
  return `${content}.${signatureOf(key, content)}`
}

/** The claims of a token signed with this key, expired or not; undefined for other texts. */
export function readToken(key: KeyObject, token: string): SignedClaims | undefined {
  const end = token.lastIndexOf('.')
  const content = token.slice(0, end)
  if (token.length > longest || end < 0 || !content.startsWith(`${header}.`)) return undefined
  // Compares the encoded signatures, not the decoded bytes: another encoding of the same bytes is not our signature.
  if (!sameSecret(signatureOf(key, content), token.slice(end + 1))) return undefined
  const claims: unknown = JSON.parse(Buffer.from(content.slice(header.length + 1), 'base64url').toString())
  return isOurs(claims) ? claims : undefined
}

function isOurs(claims: unknown): claims is SignedClaims {
  const { kind, exp } = (claims ?? {}) as Partial<Record<keyof SignedClaims, unknown>>
  return typeof kind === 'string' && typeof exp === 'number'
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function signatureOf(key: KeyObject, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}
