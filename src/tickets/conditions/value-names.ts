import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Facts } from './judge-in-memory.ts'
import type { Conditions } from './schemas.ts'
import { usesIn } from './uses-in-conditions.ts'

const fields = { department: 'department_id', staff: 'assigned_staff_id', organisation: 'organisation_id' } as const
type Kind = keyof typeof fields

/** What an id in a condition, or among the facts of a ticket, is called. */
export interface ValueName {
  field: (typeof fields)[Kind]
  id: number
  name: string
}

/**
 * What the departments (by deptid), staff and organisations are called that these stored conditions and facts name; those that are gone are
 * missing. Clients are not told: whoever sees a ticket may not see the others.
 */
export async function valueNames(db: Db, conditions: readonly Conditions[], facts: Facts): Promise<ValueName[]> {
  const uses = conditions.flatMap(each => usesIn(each))
  const ids = (kind: Kind) => {
    const fact = facts[fields[kind]]
    const named = uses.filter(use => use.kind === kind).map(({ id }) => id)
    return [...new Set(typeof fact === 'number' ? [...named, fact] : named)]
  }
  const asked = { departments: ids('department'), staff: ids('staff'), organisations: ids('organisation') }
  if (Object.values(asked).every(({ length }) => length === 0)) return []
  return await named(db, asked)
}

interface Asked {
  departments: readonly number[]
  staff: readonly number[]
  organisations: readonly number[]
}

const named = prepared((db, p: Asked) =>
  db
    .selectFrom('departments')
    .where('deptid', '=', sql<number>`any(${p.departments}::bigint[])`)
    .select(['deptid as id', 'name', sql<ValueName['field']>`'department_id'`.as('field')])
    .unionAll(
      db
        .selectFrom('staff')
        .where('id', '=', sql<number>`any(${p.staff}::bigint[])`)
        .select([
          'id',
          sql<string>`first_name || ' ' || last_name`.as('name'),
          sql<ValueName['field']>`'assigned_staff_id'`.as('field')
        ])
    )
    .unionAll(
      db
        .selectFrom('organisations')
        .where('id', '=', sql<number>`any(${p.organisations}::bigint[])`)
        .select(['id', 'name', sql<ValueName['field']>`'organisation_id'`.as('field')])
    )
)
