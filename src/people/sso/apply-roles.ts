import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type Permission, permissionSlugs } from '../../core/permissions.ts'
import type { OidcPerson } from '../../platform/oidc/oidc.ts'
import type { AnyAccount } from '../auth/accounts.ts'
import { setDepartmentsOf } from '../departments/members.ts'
import { grantsOf, rolesIn } from './judge-person.ts'
import type { SsoProvider } from './providers.ts'

/**
 * Gives a supporter the permissions and departments of their roles at the provider. A claim that is not there changes nothing, and none makes or
 * changes an admin. Whoever belongs to no department sees all of them, so nobody leaves theirs because no role is known, and roles of departments
 * that are all gone give nothing.
 */
export async function applyRoles(
  act: Act,
  provider: SsoProvider,
  account: AnyAccount,
  person: OidcPerson
): Promise<void> {
  if (account.population === 'client') return
  const roles = rolesIn(provider, person.claims)
  if (roles === undefined) return
  const { db, now } = act
  const { id } = account
  if ((await supporter(db, { id })).length === 0) return
  const wanted = grantsOf(provider, roles)
  const isKnown = roles.some(role => Object.hasOwn(provider.role_map, role))
  const isAnywhere = wanted.deptids.length === 0 || (await departmentsWith(db, { deptids: wanted.deptids })).length > 0
  if (isKnown && isAnywhere) await setDepartmentsOf(act, id, wanted.deptids)
  await lockSupporter(db, { id })
  const permissions = permissionSlugs.filter(slug => isAnywhere && wanted.permissions.includes(slug))
  const before = (await granted(db, { id })).map(({ permission_slug }) => permission_slug)
  if (isDeepStrictEqual(before, permissions.toSorted())) return
  await withdraw(db, { id, permissions })
  await grant(db, { id, permissions, now })
  act.happened({
    kind: 'staff.permissions_set',
    subject: { type: 'staff', id },
    before: { permissions: before },
    after: { permissions: permissions.toSorted() }
  })
}

const supporter = prepared((db, p: { id: number }) => supporters(db, p))

const lockSupporter = prepared((db, p: { id: number }) => supporters(db, p).forUpdate())

function supporters(db: Db, p: { id: number }) {
  return db
    .selectFrom('staff')
    .where('id', '=', p.id)
    .where('role', '=', sql.lit('supporter' as const))
    .select('id')
}

const departmentsWith = prepared((db, p: { deptids: readonly number[] }) =>
  db.selectFrom('departments').where('deptid', '=', sql<number>`any(${p.deptids}::bigint[])`).select('id')
)

const granted = prepared((db, p: { id: number }) =>
  db
    .selectFrom('staff_permissions')
    .where('staff_id', '=', p.id)
    .select('permission_slug')
    .orderBy(sql`permission_slug collate "C"`)
)

const withdraw = prepared((db, p: { id: number; permissions: readonly Permission[] }) =>
  db
    .deleteFrom('staff_permissions')
    .where('staff_id', '=', p.id)
    .where('permission_slug', '<>', sql<string>`all(${p.permissions}::text[])`)
)

const grant = prepared((db, p: { id: number; permissions: readonly Permission[]; now: Date }) =>
  db
    .insertInto('staff_permissions')
    .columns(['staff_id', 'permission_slug', 'created_at'])
    .expression(db =>
      db
        .selectFrom(sql<{ slug: string }>`unnest(${p.permissions}::text[])`.as<'wanted'>(sql`wanted (slug)`))
        .select([
          sql<number>`${p.id}::bigint`.as('staff_id'),
          'wanted.slug as permission_slug',
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
    )
    .onConflict(conflict => conflict.doNothing())
)
