import { createHmac, type KeyObject } from 'node:crypto'
import { sameSecret } from './same-secret.ts'

// A JSON Web Token (RFC 7519) of one fixed form, HS256: with one algorithm and one header there is nothing to choose, nor to be
// misled about by what a token says of itself.

const header = encoded({ alg: 'HS256', typ: 'JWT' })
/** More than any of ours has; what is longer is not looked at. */
const longest = 2048

/** What every token says: its kind, and when it ends, in seconds since 1970. */
export interface SignedClaims {
  kind: string
  exp: number
}

export function signToken(key: KeyObject, claims: SignedClaims): string {
  const content = `${header}.${encoded(claims)}`
  return `${content}.${signatureOf(key, content)}`
}

/** The claims of a token that this key has signed, whether it has expired or not; undefined for any other text. */
export function readToken(key: KeyObject, token: string): SignedClaims | undefined {
  const end = token.lastIndexOf('.')
  const content = token.slice(0, end)
  if (token.length > longest || end < 0 || !content.startsWith(`${header}.`)) return undefined
  // The letters are compared, not the bytes that they stand for: other letters for the same bytes are no signature of ours.
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
