import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

// A changed address is a claim until its owner proves it or, if staff have changed it, until it is confirmed. Until then the client's mail is still
// that of the former address, in and out.

/** Within a query on `clients`: the address that counts for e-mails. */
export const emailInForce = sql<string>`coalesce(
  (select open.former_email from email_changes as open where open.client_id = clients.id), clients.email)`

/** Within a query on `clients`: whether the client has proven that address. */
export const isEmailInForceVerified = sql<boolean>`coalesce(
  (select open.is_former_verified from email_changes as open where open.client_id = clients.id), clients.is_email_verified)`

/** The address that counts for a client's e-mails; undefined if the client is gone. */
export async function addressInForce(db: Db, client: number): Promise<string | undefined> {
  const [found] = await inForce(db, { client })
  return found?.email
}

const inForce = prepared((db, p: { client: number }) =>
  db.selectFrom('clients').where('id', '=', p.client).select(emailInForce.as('email'))
)
