import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { deleteStoredResponses } from '../../core/idempotency/delete-stored-responses.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import type { Page } from '../../lib/page.ts'
import { revokeSignIns } from '../credentials/end-sign-ins.ts'
import { isOfStaffInOtherSpelling } from '../credentials/other-spellings.ts'
import { refuseCommonPassword } from '../credentials/refuse-common-password.ts'
import { setPassword } from '../credentials/set-password.ts'
import { grantPermissions } from './grants.ts'
import { grantedSlugs, memberColumns, type StaffMember, StaffNotFound, staffMember } from './member.ts'

export const StaffEmailInUse = failure(
  409,
  'staff_email_in_use',
  'A member of staff with this e-mail address exists already'
)
export const OwnDeactivation = failure(403, 'own_deactivation', 'You cannot deactivate your own account')
export const OwnPassword = failure(
  403,
  'own_password',
  'Change your own password with /api/account/password, which asks for the current one'
)
export const NoPassword = failure(403, 'service_account', 'A service account has no password')
export const AdminNotDeletable = failure(403, 'admin_stays', 'Admin accounts cannot be deleted')

export interface NewSupporter {
  first_name: string
  last_name: string
  email: string
  password: string
  phone_number?: string
  permissions?: Permission[]
}

/** What an admin may change about a staff member; missing fields stay. */
export interface StaffChanges {
  first_name?: string
  last_name?: string
  phone_number?: string
  is_active?: 0 | 1
  password?: string
}

/** A page of the staff by id, and the total. Service accounts have a list of their own. */
export async function listStaff(db: Db, { limit, offset }: Page): Promise<{ staff: StaffMember[]; total: number }> {
  const [staff, [counted]] = await Promise.all([staffById(db, { limit, offset }), staffCount(db, {})])
  return { staff, total: counted!.total }
}

/** Creates an account with the role supporter. Throws `StaffEmailInUse`. */
export async function createSupporter(
  services: Services,
  actor: StaffActor,
  caller: Pick<Caller, 'ip' | 'requestId'>,
  { password, permissions = [], ...person }: NewSupporter
): Promise<StaffMember> {
  await refuseCommonPassword(services, password)
  const hashed = await services.passwords.hash(password)

  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    if (await isOfStaffInOtherSpelling(db, person.email)) throw StaffEmailInUse()
    const [created] = await insertSupporter(db, {
      ...person,
      phone_number: person.phone_number ?? null,
      password: hashed,
      now
    })
    if (!created) throw StaffEmailInUse()
    await grantPermissions(db, { staffId: created.id, grantedBy: actor.id, now }, permissions)
    const member = await staffMember(db, created.id)
    act.happened({
      kind: 'staff.created',
      subject: { type: 'staff', id: member.id },
      after: { role: member.role, permissions: member.permissions }
    })
    return member
  })
}

/**
 * Changes the given fields and returns the member. A new password ends all sessions opened with the former one; deactivation and
 * reactivation end all sessions. Throws `StaffNotFound`; `OwnPassword`; `OwnDeactivation` or `Forbidden` if no active admin might be left.
 */
export async function updateStaffMember(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  staffId: number,
  changes: StaffChanges
): Promise<StaffMember> {
  const { db, passwords } = services
  const member = await staffMember(db, staffId)
  const isDeactivation = changes.is_active === 0
  if (isDeactivation && staffId === actor.id) throw OwnDeactivation()
  if (changes.password !== undefined && staffId === actor.id) throw OwnPassword()
  if (Object.values(changes).every(value => value === undefined)) return member

  if (changes.password !== undefined) {
    await refuseForServiceAccount(db, staffId)
    await refuseCommonPassword(services, changes.password)
  }
  const password = changes.password === undefined ? null : await passwords.hash(changes.password)

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    if (isDeactivation && member.role === 'admin') await remainAdmin(db, actor)
    const [former] = await lockedMember(db, { id: staffId })
    if (!former) throw StaffNotFound()
    const { now } = act
    const [changed] = await changeMember(db, {
      id: staffId,
      first_name: changes.first_name ?? null,
      last_name: changes.last_name ?? null,
      phone_number: changes.phone_number ?? null,
      is_active: changes.is_active === undefined ? null : changes.is_active === 1,
      now
    })
    const account = { population: 'staff', id: staffId } as const
    const isSwitched = former.is_active !== changed!.is_active
    const ended = isSwitched ? await revokeSignIns(db, account, now) : 0
    // The names of the fields only: the values are personal data, and the audit log is kept for ever.
    const fields = changeable.filter(name => former[name] !== changed![name])
    if (fields.length > 0) {
      act.happened({
        kind: 'staff.updated',
        subject: { type: 'staff', id: staffId },
        before: { is_active: former.is_active },
        after: { is_active: changed!.is_active, fields, sessions_ended: ended }
      })
    }
    if (password !== null) await setPassword(services, act, account, { to: password, by: 'admin' })
    return changed!
  })
}

/**
 * Permanently deletes a supporter with grants and sessions; their tickets become unassigned. Throws `StaffNotFound`, and `AdminNotDeletable` for
 * an admin.
 */
export async function deleteSupporter(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  staffId: number
): Promise<{ id: number; email: string }> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const [deleted] = await removeSupporter(db, { id: staffId })
    if (!deleted) {
      await staffMember(db, staffId)
      throw AdminNotDeletable()
    }
    await deleteStoredResponses(db, { population: 'staff', id: staffId })
    act.happened({
      kind: 'staff.deleted',
      subject: { type: 'staff', id: staffId },
      before: { is_active: deleted.is_active, permissions: deleted.permissions }
    })
    return { id: deleted.id, email: deleted.email }
  })
}

async function refuseForServiceAccount(db: Db, id: number): Promise<void> {
  if ((await serviceAccount(db, { id })).length > 0) throw NoPassword()
}

/**
 * Ensures that an active admin remains while another one is deactivated: the actor. The locks serialize admins who deactivate one another,
 * and the second finds itself deactivated: `Forbidden`.
 */
async function remainAdmin(db: Db, actor: StaffActor): Promise<void> {
  const admins = await lockedActiveAdmins(db, {})
  if (!admins.some(({ id }) => id === actor.id)) throw Forbidden()
}

const serviceAccount = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).where('is_service_account', '=', true).select('id')
)

const staffById = prepared((db, p: Pick<Page, 'limit' | 'offset'>) =>
  db
    .selectFrom('staff')
    .where('staff.is_service_account', '=', false)
    .select(memberColumns)
    .select(grantedSlugs.as('permissions'))
    .orderBy('staff.id')
    .limit(p.limit)
    .offset(p.offset)
)

const staffCount = prepared(db =>
  db
    .selectFrom('staff')
    .where('is_service_account', '=', false)
    .select(db => db.fn.countAll<number>().as('total'))
)

const insertSupporter = prepared(
  (db, p: Omit<NewSupporter, 'phone_number' | 'permissions'> & { phone_number: string | null; now: Date }) =>
    db
      .insertInto('staff')
      .values({
        first_name: p.first_name,
        last_name: p.last_name,
        email: p.email,
        phone_number: p.phone_number,
        password: p.password,
        role: 'supporter',
        created_at: p.now,
        updated_at: p.now
      })
      // The unique index decides, also between concurrent requests; no row means that it refused.
      .onConflict(conflict => conflict.expression(sql`lower(email)`).doNothing())
      .returning('id')
)

const changeable = ['first_name', 'last_name', 'phone_number', 'is_active'] as const

const lockedMember = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).select(changeable).forNoKeyUpdate()
)

interface ChangedColumns {
  id: number
  first_name: string | null
  last_name: string | null
  phone_number: string | null
  is_active: boolean | null
  now: Date
}

const changeMember = prepared((db, p: ChangedColumns) =>
  db
    .updateTable('staff')
    .set({
      first_name: sql`coalesce(${p.first_name}, first_name)`,
      last_name: sql`coalesce(${p.last_name}, last_name)`,
      phone_number: sql`coalesce(${p.phone_number}, phone_number)`,
      is_active: sql`coalesce(${p.is_active}, is_active)`,
      updated_at: p.now
    })
    .where('staff.id', '=', p.id)
    .returning(memberColumns)
    .returning(grantedSlugs.as('permissions'))
)

/** Always in the same order, to avoid deadlocks. */
const lockedActiveAdmins = prepared(db =>
  db
    .selectFrom('staff')
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
)

const removeSupporter = prepared((db, p: { id: number }) =>
  db
    .deleteFrom('staff')
    .where('id', '=', p.id)
    .where('role', '=', 'supporter')
    .returning(['id', 'email', 'is_active'])
    .returning(grantedSlugs.as('permissions'))
)
