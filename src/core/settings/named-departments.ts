import { sql } from 'kysely'
import { InvalidFields } from '../../kit/errors.ts'
import { type Db, prepared } from '../db.ts'

/** Throws `InvalidFields` unless each of these that a setting names is the deptid of a department. */
export async function requireDepartments(db: Db, setting: string, deptids: readonly number[]): Promise<void> {
  const wanted = [...new Set(deptids)]
  if (wanted.length === 0) return
  const known = await knownDepartments(db, { wanted })
  const unknown = wanted.find(deptid => !known.some(department => department.deptid === deptid))
  if (unknown === undefined) return
  throw InvalidFields({ message: `${setting}: there is no department ${unknown}`, errors: [setting] })
}

const knownDepartments = prepared((db, p: { wanted: readonly number[] }) =>
  db.selectFrom('departments').where('deptid', '=', sql<number>`any(${p.wanted}::bigint[])`).select('deptid')
)
