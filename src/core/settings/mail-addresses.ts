import { InvalidFields } from '../../kit/errors.ts'
import { emailIn } from '../../platform/mail-reading/addresses.ts'
import type { Db } from '../db.ts'
import { requireDepartments } from './named-departments.ts'

/** Throws `InvalidFields` unless each is an e-mail address and maps to a department. */
export async function requireMailAddresses(
  db: Db,
  addresses: Readonly<Record<string, number>> | undefined
): Promise<void> {
  if (!addresses) return
  requireAddresses('mail_addresses', Object.keys(addresses))
  await requireDepartments(db, 'mail_addresses', Object.values(addresses))
}

/** Throws `InvalidFields` unless these of a setting are e-mail addresses. */
export function requireAddresses(setting: string, given: readonly string[] = []): void {
  const unfit = given.find(address => address.length > 255 || emailIn(address) !== address)
  if (unfit === undefined) return
  throw InvalidFields({
    message: `${setting}: ${unfit.toWellFormed().slice(0, 100)} is not an e-mail address`,
    errors: [setting]
  })
}
