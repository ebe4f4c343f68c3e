import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/**
 * The next in turn of a department (by its deptid) who can have tickets of `ticketDepartment` (by its own id): its active members who are not
 * away or, if it has none at all, the active supporters who see every department and may answer. Undefined if there is nobody. Until the transaction
 * ends nobody else takes a turn of this department, so that nobody is passed over and nobody gets two at once.
 */
export async function nextInTurn(
  db: Db,
  { deptid, ticketDepartment, now }: { deptid: number; ticketDepartment: number; now: Date }
): Promise<number | undefined> {
  const [turn] = await lockedTurn(db, { deptid })
  if (!turn) return undefined
  const { department_id: department, last_id: last } = turn
  const [next] = await nextAfter(db, { department, ticketDepartment, last, now })
  if (!next) return undefined
  await moveOn(db, { department, id: next.id })
  return next.id
}

const lockedTurn = prepared((db, p: { deptid: number }) =>
  db
    .insertInto('round_robins')
    .columns(['department_id', 'last_id'])
    .expression(db =>
      db
        .selectFrom('departments')
        .where('deptid', '=', p.deptid)
        .where('is_active', '=', true)
        .select(['id', sql<number>`0`.as('last_id')])
    )
    .onConflict(conflict =>
      conflict.column('department_id').doUpdateSet(eb => ({ last_id: eb.ref('round_robins.last_id') }))
    )
    .returning(['department_id', 'last_id'])
)

const nextAfter = prepared((db, p: { department: number; ticketDepartment: number; last: number; now: Date }) => {
  const isMemberOf = (department: number) =>
    sql<boolean>`exists (select from department_members as member
      where member.staff_id = staff.id and member.department_id = ${department})`
  const isLimited = sql<boolean>`exists (select from department_members as member where member.staff_id = staff.id)`
  return db
    .selectFrom('staff')
    .where('staff.is_active', '=', true)
    .where('staff.is_service_account', '=', false)
    .where(sql<boolean>`(staff.away_until is null or staff.away_until <= ${p.now}::timestamptz)`)
    .where(sql<boolean>`case when exists (select from department_members as other join staff as person on person.id = other.staff_id
        where other.department_id = ${p.department} and not person.is_service_account)
      then ${isMemberOf(p.department)}
      else staff.role = 'supporter' and not ${isLimited} and exists (select from staff_permissions as permission
        where permission.staff_id = staff.id and permission.permission_slug = 'tickets.reply') end`)
    .where(sql<boolean>`(staff.role = 'admin' or not ${isLimited} or ${isMemberOf(p.ticketDepartment)})`)
    .select('staff.id')
    .orderBy(sql`staff.id > ${p.last}`, 'desc')
    .orderBy('staff.id')
    .limit(1)
})

const moveOn = prepared((db, p: { department: number; id: number }) =>
  db.updateTable('round_robins').where('department_id', '=', p.department).set({ last_id: p.id })
)
