import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import { InvalidFields } from '../kit/errors.ts'
import { emailIn } from '../platform/mail-reading/addresses.ts'

/** Throws `InvalidFields` unless each is an address and leads to a department. */
export async function requireMailAddresses(
  db: Db,
  addresses: Readonly<Record<string, number>> | undefined
): Promise<void> {
  if (!addresses) return
  const unfit = Object.keys(addresses).find(address => address.length > 255 || emailIn(address) !== address)
  if (unfit !== undefined) throw refused(`${unfit.toWellFormed().slice(0, 100)} is not an e-mail address`)
  const wanted = [...new Set(Object.values(addresses))]
  const known = await knownDepartments(db, { wanted })
  const unknown = wanted.find(deptid => !known.some(department => department.deptid === deptid))
  if (unknown !== undefined) throw refused(`there is no department ${unknown}`)
}

function refused(why: string) {
  return InvalidFields({ message: `mail_addresses: ${why}`, errors: ['mail_addresses'] })
}

const knownDepartments = prepared((db, p: { wanted: readonly number[] }) =>
  db.selectFrom('departments').where('deptid', '=', sql<number>`any(${p.wanted}::bigint[])`).select('deptid')
)
