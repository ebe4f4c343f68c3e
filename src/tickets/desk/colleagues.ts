import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { Id, Nullable, OutputText } from '../../kit/schemas.ts'
import type { Page } from '../../lib/page.ts'
import { AwayUntil } from '../../people/staff/schemas.ts'
import { StaffPerson } from '../ticket/desk-schemas.ts'

export const ColleagueView = Type.Object({
  ...StaffPerson.properties,
  away_until: AwayUntil,
  departments: Nullable(Type.Array(Type.Object({ deptid: Id(), name: OutputText('Technical Support') })))
})

interface Asked {
  search?: string
  /** The public deptid (decision 11); one that is unknown, or that the actor does not see, has nobody. */
  department_id?: number
}

/**
 * A page of the active staff to whom tickets of these departments can be assigned, by name: members of departments that the actor sees, and
 * staff who see all. `departments` are those they are limited to, as far as the actor sees them; null: all.
 */
export async function colleaguesOf(db: Db, actor: StaffActor, { search, department_id }: Asked, page: Page) {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const scope = {
    pattern,
    isLimited: actor.departments !== undefined,
    seen: actor.departments ?? [],
    isOfOne: department_id !== undefined,
    deptid: department_id ?? 0
  }
  const { limit, offset } = page
  const [colleagues, [counted]] = await Promise.all([
    colleaguesByName(db, { ...scope, limit, offset }),
    colleagueCount(db, scope)
  ])
  const shown = colleagues.map(each => ({ ...each, away_until: each.away_until?.toISOString() ?? null }))
  return { colleagues: shown, total: counted!.total }
}

interface Scope {
  pattern: string
  isLimited: boolean
  /** Departments by their own ids. */
  seen: readonly number[]
  isOfOne: boolean
  deptid: number
}

const colleaguesByName = prepared((db, p: Scope & Pick<Page, 'limit' | 'offset'>) =>
  colleagues(db, p)
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'staff.away_until'])
    .select(db =>
      sql<{ deptid: number; name: string }[] | null>`case when not ${seesAll} then ${jsonArrayFrom(
        db
          .selectFrom('department_members as member')
          .innerJoin('departments', 'departments.id', 'member.department_id')
          .whereRef('member.staff_id', '=', 'staff.id')
          .where(isSeen(p, sql.ref('departments.id')))
          .select(['departments.deptid', 'departments.name'])
          .orderBy('departments.id')
      )} end`.as('departments')
    )
    .orderBy(sql`lower(staff.first_name)`)
    .orderBy(sql`lower(staff.last_name)`)
    .orderBy('staff.id')
    .limit(p.limit)
    .offset(p.offset)
)

const colleagueCount = prepared((db, p: Scope) =>
  colleagues(db, p).select(({ fn }) => fn.countAll<number>().as('total'))
)

const seesAll = sql<boolean>`(staff.role = 'admin' or not exists (
  select from department_members where department_members.staff_id = staff.id))`

/** Whether the actor sees the department with this id. */
function isSeen(p: Scope, id: ReturnType<typeof sql.ref>) {
  return sql<boolean>`(not ${p.isLimited}::boolean or ${id} = any(${p.seen}::bigint[]))`
}

function colleagues(db: Db, p: Scope) {
  // One statement for all callers: there are so few staff that an index would gain nothing.
  const wanted = db
    .selectFrom('departments')
    .where(isSeen(p, sql.ref('departments.id')))
    .where(sql<boolean>`(not ${p.isOfOne}::boolean or departments.deptid = ${p.deptid}::bigint)`)
    .select('departments.id')
  return db
    .selectFrom('staff')
    .where('staff.is_active', '=', true)
    .where('staff.is_service_account', '=', false)
    .where(sql<boolean>`(staff.first_name || ' ' || staff.last_name) ilike ${p.pattern}`)
    .where(({ exists, or, and, selectFrom }) =>
      and([
        exists(wanted),
        or([
          seesAll,
          exists(
            selectFrom('department_members as member')
              .whereRef('member.staff_id', '=', 'staff.id')
              .where('member.department_id', 'in', wanted)
              .select('member.staff_id')
          )
        ])
      ])
    )
}
