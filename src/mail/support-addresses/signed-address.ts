import type { Keys } from '../../core/keys.ts'
import { sameSecret } from '../../platform/secrets/same-secret.ts'

/** What a signed address names: a ticket, a follower or a side conversation, for replies, or an e-mail, for reports about its delivery. */
const kinds = {
  ticket: { prefix: 't', purpose: 'ticket-address' },
  follower: { prefix: 'f', purpose: 'follower-address' },
  side: { prefix: 's', purpose: 'side-address' },
  email: { prefix: 'e', purpose: 'return-address' }
} as const
type Kind = keyof typeof kinds

const signatureCharacters = 20

/** A support address with a signed key behind a plus, `support+KEY@example.com`. It stays valid if a server changes its case. */
export function signedAddress(keys: Keys, kind: Kind, id: number, address: string): string {
  const { prefix, purpose } = kinds[kind]
  const at = address.lastIndexOf('@')
  const key = `${prefix}${id}-${inLowerCase(keys.digest(purpose, String(id)))}`
  return `${address.slice(0, at)}+${key}${address.slice(at)}`
}

/** As people are shown it: whoever knows the key in a reply address writes in its ticket. */
export function withoutKey(address: string): string {
  return address.replace(/\+[a-z]\d{1,16}-[0-9a-f]{20}("?@)/i, '$1')
}

/** The ticket whose key is in the address; undefined without a valid key. */
export function ticketInAddress(keys: Keys, address: string): number | undefined {
  return idInAddress(keys, 'ticket', address)
}

/** The follower whose key is in the address; undefined without a valid key. */
export function followerInAddress(keys: Keys, address: string): number | undefined {
  return idInAddress(keys, 'follower', address)
}

/** The side conversation whose key is in the address; undefined without a valid key. */
export function conversationInAddress(keys: Keys, address: string): number | undefined {
  return idInAddress(keys, 'side', address)
}

/** The outgoing e-mail whose return address this is; undefined without a valid key. */
export function emailInAddress(keys: Keys, address: string): number | undefined {
  return idInAddress(keys, 'email', address)
}

function idInAddress(keys: Keys, kind: Kind, address: string): number | undefined {
  const { prefix, purpose } = kinds[kind]
  const [, given, id, signature] = /\+([a-z])([1-9]\d{0,15})-([0-9a-f]{20})"?@[^@]*$/i.exec(address) ?? []
  if (!given || !id || !signature || given.toLowerCase() !== prefix) return undefined
  const genuine = keys.digests(purpose, id).map(inLowerCase)
  return genuine.some(digest => sameSecret(digest, signature.toLowerCase())) ? Number(id) : undefined
}

/** 80 bits of a digest. */
function inLowerCase(digest: string): string {
  return Buffer.from(digest, 'base64url').toString('hex').slice(0, signatureCharacters)
}
