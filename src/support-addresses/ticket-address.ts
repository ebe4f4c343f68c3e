import type { Db } from '../db.ts'
import type { Keys } from '../keys.ts'
import { sameSecret } from '../platform/secrets/same-secret.ts'
import { type SupportAddress, supportAddresses } from './support-addresses.ts'

const purpose = 'ticket-address'
const signatureCharacters = 20

/**
 * The address to which answers about a ticket go, `support+KEY@example.com`, at the support address of its department; undefined where
 * the desk has none. The key can be made by nobody else, and survives servers that turn it into small letters.
 */
export async function ticketAddress(
  { keys, db }: { keys: Keys; db: Db },
  ticket: { id: number; department_id: number }
): Promise<string | undefined> {
  const addresses = await supportAddresses(db)
  const deptid = addresses.length > 1 ? await deptidOf(db, ticket.department_id) : undefined
  const own: SupportAddress | undefined = addresses.find(address => address.deptid === deptid) ?? addresses[0]
  if (!own) return undefined
  const at = own.address.lastIndexOf('@')
  return `${own.address.slice(0, at)}+${ticketKey(keys, ticket.id)}${own.address.slice(at)}`
}

async function deptidOf(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('departments').where('id', '=', id).select('deptid').executeTakeFirst()
  return row?.deptid
}

function ticketKey(keys: Keys, ticketId: number): string {
  return `t${ticketId}-${inSmallLetters(keys.digest(purpose, String(ticketId)))}`
}

/** The ticket whose key an address bears; undefined where it has none that we made. */
export function ticketInAddress(keys: Keys, address: string): number | undefined {
  const [, id, signature] = /\+t([1-9]\d{0,15})-([0-9a-f]{20})@[^@]*$/i.exec(address) ?? []
  if (!id || !signature) return undefined
  const genuine = keys.digests(purpose, id).map(inSmallLetters)
  return genuine.some(digest => sameSecret(digest, signature.toLowerCase())) ? Number(id) : undefined
}

/** 80 bits of a digest. */
function inSmallLetters(digest: string): string {
  return Buffer.from(digest, 'base64url').toString('hex').slice(0, signatureCharacters)
}
