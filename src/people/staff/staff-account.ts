import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { StaffRow } from '../../core/tables/staff.ts'
import { inEachSpelling } from '../credentials/other-spellings.ts'
import { grantedSlugs, memberColumns, type StaffMember } from './member.ts'

/** What login reads of a staff member, secrets included: never sent out as it is. */
export type StaffAccount = { population: 'staff' } & StaffMember & Pick<StaffRow, (typeof secretColumns)[number]>

/** The staff member with that e-mail address, in any case (decision 12), with its domain written in either way. */
export async function staffAccountByEmail(db: Db, email: string): Promise<StaffAccount | undefined> {
  return await inEachSpelling(email, email => byEmail(db, { email }))
}

export async function staffAccountById(db: Db, id: number): Promise<StaffAccount | undefined> {
  const [member] = await byId(db, { id })
  return member
}

const secretColumns = ['password', 'two_factor_enabled', 'two_factor_secret', 'two_factor_pending_secret'] as const

const byEmail = prepared((db, p: { email: string }) =>
  accounts(db)
    .where(sql`lower(staff.email)`, '=', sql`lower(${p.email})`)
    // Nobody signs in to a service account.
    .where('staff.is_service_account', '=', false)
)

const byId = prepared((db, p: { id: number }) => accounts(db).where('staff.id', '=', p.id))

function accounts(db: Db) {
  return db
    .selectFrom('staff')
    .select(memberColumns)
    .select(secretColumns)
    .select([grantedSlugs.as('permissions'), sql<'staff'>`'staff'`.as('population')])
}
