import { sql } from 'kysely'
import { InvalidFields } from '../../kit/errors.ts'
import { emailIn } from '../../platform/mail-reading/addresses.ts'
import { type Db, prepared } from '../db.ts'

/** Throws `InvalidFields` unless each is an e-mail address and maps to a department. */
export async function requireMailAddresses(
  db: Db,
  addresses: Readonly<Record<string, number>> | undefined
): Promise<void> {
  if (!addresses) return
  requireAddresses('mail_addresses', Object.keys(addresses))
  const wanted = [...new Set(Object.values(addresses))]
  const known = await knownDepartments(db, { wanted })
  const unknown = wanted.find(deptid => !known.some(department => department.deptid === deptid))
  if (unknown !== undefined) throw refused('mail_addresses', `there is no department ${unknown}`)
}

/** Throws `InvalidFields` unless these of a setting are e-mail addresses. */
export function requireAddresses(setting: string, given: readonly string[] = []): void {
  const unfit = given.find(address => address.length > 255 || emailIn(address) !== address)
  if (unfit !== undefined) throw refused(setting, `${unfit.toWellFormed().slice(0, 100)} is not an e-mail address`)
}

function refused(setting: string, why: string) {
  return InvalidFields({ message: `${setting}: ${why}`, errors: [setting] })
}

const knownDepartments = prepared((db, p: { wanted: readonly number[] }) =>
  db.selectFrom('departments').where('deptid', '=', sql<number>`any(${p.wanted}::bigint[])`).select('deptid')
)
