import { isDeepStrictEqual } from 'node:util'
import type { Insertable } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { type StaffMember, StaffNotFound, staffMember } from './member.ts'

export const AdminHasAllPermissions = failure(
  403,
  'admin_holds_all',
  'Admins have all permissions: only supporters can be granted some'
)

/** To whom, by which admin and when permissions are granted. */
export interface Granting {
  staffId: number
  grantedBy: number
  now: Date
}

/**
 * Replaces a supporter's permissions, effective from their next request, and returns the supporter. A grant that stays keeps who granted it
 * and when. Throws `StaffNotFound`, and `AdminHasAllPermissions` for an admin.
 */
export async function replacePermissions(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  staffId: number,
  permissions: readonly Permission[]
): Promise<StaffMember> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    // The lock serializes concurrent replacements, and keeps the account from being deleted in between.
    const [member] = await roleForUpdate(db, { id: staffId })
    if (!member) throw StaffNotFound()
    if (member.role === 'admin') throw AdminHasAllPermissions()
    // All grants are deleted and inserted again, so that they are shown in the order of the request.
    const former = await withdrawAll(db, { id: staffId })
    await grantPermissions(db, { staffId, grantedBy: actor.id, now: act.now }, permissions, former)
    const supporter = await staffMember(db, staffId)
    const [before, after] = [former.map(grant => grant.permission_slug).toSorted(), supporter.permissions.toSorted()]
    if (!isDeepStrictEqual(before, after)) {
      act.happened({
        kind: 'staff.permissions_set',
        subject: { type: 'staff', id: staffId },
        before: { permissions: before },
        after: { permissions: after }
      })
    }
    return supporter
  })
}

/** Takes all permissions from a supporter. */
export async function withdrawPermissions(db: Db, id: number): Promise<void> {
  await withdrawAll(db, { id })
}

/** Grants permissions, each once, to a supporter who has none; those in `former` keep who granted them and when. */
export async function grantPermissions(
  db: Db,
  { staffId, grantedBy, now }: Granting,
  permissions: readonly Permission[],
  former: Grant[] = []
): Promise<void> {
  if (permissions.length === 0) return
  const kept = new Map(former.map(grant => [grant.permission_slug, grant]))
  const grants = [...new Set(permissions)].map(
    slug => kept.get(slug) ?? { staff_id: staffId, permission_slug: slug, granted_by: grantedBy, created_at: now }
  )
  await db.insertInto('staff_permissions').values(grants).execute()
}

type Grant = Insertable<Tables['staff_permissions']>

const roleForUpdate = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).select('role').forUpdate()
)

const withdrawAll = prepared((db, p: { id: number }) =>
  db
    .deleteFrom('staff_permissions')
    .where('staff_id', '=', p.id)
    .returning(['staff_id', 'permission_slug', 'granted_by', 'created_at'])
)
