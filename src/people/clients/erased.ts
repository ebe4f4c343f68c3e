import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { failure } from '../../kit/errors.ts'

/** What remains of an erased client has no owner: assigning one would give somebody another person's tickets. */
export const ClientErased = failure(409, 'client_erased', 'This client has been erased')

/** The name that replaces that of an erased client. */
export const erasedName = { first_name: 'Deleted', last_name: 'client' }

/** A name as the timeline and the audit log show it. */
export function nameOf({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`
}

/** An address that nobody has and no server accepts mail for (RFC 2606). The random part keeps others from taking it first. */
export function erasedEmail(id: number): string {
  return `deleted-${id}-${randomBytes(16).toString('hex')}@deleted.invalid`
}

function isErased({ email, is_active }: { email: string; is_active: boolean }): boolean {
  return !is_active && /^deleted-\d+-[0-9a-f]{32}@deleted\.invalid$/.test(email)
}

/** The same within a query on `clients`. */
export const isErasedClient = sql<boolean>`(not clients.is_active
  and clients.email ~ '^deleted-[0-9]+-[0-9a-f]{32}@deleted[.]invalid$')`

/** Throws `ClientErased`. */
export function refuseErased(client: { email: string; is_active: boolean }): void {
  if (isErased(client)) throw ClientErased()
}
