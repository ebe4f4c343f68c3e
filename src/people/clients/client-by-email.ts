import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { inEachSpelling } from '../credentials/other-spellings.ts'

/** Contract: forgot-password for an unknown e-mail. */
export const NoSuchAccount = failure(404, 'account_not_found', 'There is no account with this e-mail address')

/** What a caller who knows a client's e-mail address gets; `email` is as given at sign-up. */
export interface KnownClient {
  id: number
  email: string
  first_name: string
  last_name: string
}

/** The client with this e-mail address, in any case (decision 12), with its domain written in either way. */
export async function clientByEmail(db: Db, email: string): Promise<KnownClient | undefined> {
  return await inEachSpelling(email, email => byEmail(db, { email }))
}

const byEmail = prepared((db, p: { email: string }) =>
  db
    .selectFrom('clients')
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .select(['id', 'email', 'first_name', 'last_name'])
)
