import type { Db } from '../../core/db.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import { type ClientAccount, clientAccountByEmail, clientAccountById } from '../clients/client-account.ts'
import { addressInForce } from '../credentials/email-in-force.ts'
import { type StaffAccount, staffAccountByEmail, staffAccountById } from '../staff/staff-account.ts'

/** The account type of each population, as login reads it. */
export interface AccountOf {
  client: ClientAccount
  staff: StaffAccount
}
export type AnyAccount = AccountOf[Population]

/** The account with that e-mail address among clients or among staff, which are separate. */
export function accountByEmail<P extends Population>(
  db: Db,
  population: P,
  email: string
): Promise<AccountOf[P] | undefined> {
  return byEmail[population](db, email)
}

export function accountById(db: Db, { population, id }: Account): Promise<AnyAccount | undefined> {
  return population === 'client' ? clientAccountById(db, id) : staffAccountById(db, id)
}

const byEmail: { [P in Population]: (db: Db, email: string) => Promise<AccountOf[P] | undefined> } = {
  client: clientAccountByEmail,
  staff: staffAccountByEmail
}

/** The address for e-mails to an account: for a client the former one while a change is open. */
export async function recipientOf(db: Db, { population, id, email }: AnyAccount): Promise<string> {
  return (population === 'client' && (await addressInForce(db, id))) || email
}
