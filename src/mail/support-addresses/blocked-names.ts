import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { baseAddress } from './support-addresses.ts'

/** The entries that block these addresses: the address, or the domain with an @. */
export async function blockedNames(db: Db, addresses: readonly string[]): Promise<string[]> {
  const blocked = await blockedOf(db, { names: [...new Set(addresses.flatMap(namesOf))] })
  return blocked.map(({ sender }) => sender)
}

/** By which entries an address may be blocked. */
export function namesOf(address: string): string[] {
  const email = address.toLowerCase().slice(0, 500)
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  const domains = labels.slice(0, -1).map((_, at) => `@${labels.slice(at).join('.')}`)
  return [email, baseAddress(email), ...domains]
}

const blockedOf = prepared((db, p: { names: readonly string[] }) =>
  db
    .selectFrom('blocked_senders')
    .where('sender', '=', sql<string>`any(${p.names}::text[])`)
    .select('sender')
    .orderBy('id')
)
