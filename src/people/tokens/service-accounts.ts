import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { newServiceAddress } from '../../core/api-tokens/service-address.ts'
import { type Db, prepared } from '../../core/db.ts'
import { deleteStoredResponses } from '../../core/idempotency/delete-stored-responses.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Services } from '../../core/services.ts'
import { staffActorWithId } from '../../core/sessions/session-of.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { Flag, Id, IsoTime, Nullable, OutputText } from '../../kit/schemas.ts'
import { requireVersion, Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import { unusablePassword } from '../clients/unusable-password.ts'
import { revokeSignIns } from '../credentials/end-sign-ins.ts'
import { withDepartmentsLocked } from '../departments/department-lock.ts'
import { grantPermissions, withdrawPermissions } from '../staff/grants.ts'
import { grantedSlugs } from '../staff/member.ts'
import { ShownPermissions } from '../staff/schemas.ts'

export const ServiceAccountNotFound = failure(404, 'service_account_not_found', 'There is no such service account')

/** A member of staff that is a program: no password, no e-mails, nobody who could sign in. It acts by its API tokens. */
export const ServiceAccountView = Type.Object({
  id: Id(),
  name: OutputText('Shop system'),
  version: Version,
  purpose: Nullable(OutputText('Opens tickets for orders that failed')),
  is_active: Flag(),
  permissions: ShownPermissions,
  departments: Nullable(Type.Array(Type.Object({ deptid: Id(), name: OutputText('Technical Support') }))),
  // Null: unknown, or gone since.
  created_by: Nullable(Type.Object({ id: Id(), name: OutputText('Jonas Petersen') })),
  token_count: Type.Integer({ examples: [1] }),
  // When each of them ends that was not replaced; null: never.
  token_ends: Type.Array(Nullable(IsoTime())),
  last_used_on: Nullable(Type.String({ format: 'date', examples: ['2026-11-23'] })),
  // When the last of its tokens ends; null: it has none, or one without an end.
  access_ends_at: Nullable(IsoTime()),
  created_at: IsoTime()
})

export interface ServiceAccountChanges {
  name?: string
  purpose?: string | null
  permissions?: readonly Permission[]
  /** Deptids; null: all. */
  departments?: readonly number[] | null
  is_active?: 0 | 1
  expected_version?: number | undefined
}

type By = { actor: StaffActor; caller: Caller }

/** A page of the service accounts by name, and their number. */
export async function listServiceAccounts(db: Db, page: Page) {
  const [accounts, [counted]] = await Promise.all([listed(db, page), count(db, {})])
  return { accounts: accounts.map(viewOf), total: counted!.total }
}

/** Makes a service account: a supporter without a password that anybody knows. Throws `InvalidFields` for unknown departments. */
export async function createServiceAccount(
  services: Services,
  by: By,
  given: ServiceAccountChanges & { name: string }
): Promise<Static<typeof ServiceAccountView>> {
  const password = await unusablePassword(services.passwords)
  return await withDepartmentsLocked(services, by, async act => {
    const { db, now } = act
    const { name, purpose = null } = given
    const [created] = await insert(db, { name, purpose, email: newServiceAddress(), password, by: by.actor.id, now })
    const id = created!.id
    await limit(act, by, id, given)
    const account = await serviceAccount(db, id)
    act.happened({ kind: 'service_account.created', subject: { type: 'staff', id }, after: factsOf(account) })
    return account
  })
}

/** Changes the given fields. A deactivated account’s tokens end. Throws `ServiceAccountNotFound`, `VersionConflict`, `InvalidFields`. */
export async function updateServiceAccount(
  services: Services,
  by: By,
  id: number,
  given: ServiceAccountChanges
): Promise<Static<typeof ServiceAccountView>> {
  return await withDepartmentsLocked(services, by, async act => {
    const { db, now } = act
    await lock(db, { id })
    const before = await serviceAccount(db, id)
    requireVersion(before.version, given.expected_version)
    await update(db, {
      id,
      name: given.name ?? before.name,
      purpose: given.purpose === undefined ? before.purpose : given.purpose,
      isActive: (given.is_active ?? before.is_active) === 1,
      now
    })
    await limit(act, by, id, given)
    const after = await serviceAccount(db, id)
    if (before.is_active !== after.is_active) await revokeSignIns(db, { population: 'staff', id }, now)
    act.happened({
      kind: 'service_account.updated',
      subject: { type: 'staff', id },
      before: factsOf(before),
      after: factsOf(after)
    })
    return await serviceAccount(db, id)
  })
}

/** Deletes a service account with its tokens. Throws `ServiceAccountNotFound`. */
export async function deleteServiceAccount(services: Services, by: By, id: number): Promise<void> {
  await withDepartmentsLocked(services, by, async act => {
    const { db } = act
    const before = await serviceAccount(db, id)
    await remove(db, { id })
    await deleteStoredResponses(db, { population: 'staff', id })
    act.happened({ kind: 'service_account.deleted', subject: { type: 'staff', id }, before: factsOf(before) })
  })
}

/** The account as an actor, for whom a token is made. Throws `ServiceAccountNotFound`, also while it is deactivated. */
export async function serviceActor(db: Db, id: number): Promise<StaffActor> {
  await serviceAccount(db, id)
  const actor = await staffActorWithId(db, id)
  if (!actor) throw ServiceAccountNotFound()
  return actor
}

async function limit(act: Act, { actor }: By, id: number, { permissions, departments }: ServiceAccountChanges) {
  const { db, now } = act
  if (permissions) {
    await withdrawPermissions(db, id)
    await grantPermissions(db, { staffId: id, grantedBy: actor.id, now }, permissions)
  }
  if (departments === undefined) return
  await removeMemberships(db, { id })
  if (departments === null) return
  const added = await addMemberships(db, { id, deptids: departments, now })
  if (added.length < new Set(departments).size) {
    throw InvalidFields({ message: 'departments must be deptids of departments', errors: ['departments'] })
  }
}

/** A service account. Throws `ServiceAccountNotFound`. */
export async function serviceAccount(db: Db, id: number) {
  const [account] = await byId(db, { id })
  if (!account) throw ServiceAccountNotFound()
  return viewOf(account)
}

function viewOf({
  is_active,
  created_at,
  access_ends_at,
  token_ends,
  ...account
}: Awaited<ReturnType<typeof byId>>[number]) {
  const departments = account.departments.length > 0 ? account.departments : null
  return {
    ...account,
    departments,
    is_active: bit(is_active),
    token_ends: token_ends.map(end => end?.toISOString() ?? null),
    access_ends_at: access_ends_at?.toISOString() ?? null,
    created_at: created_at.toISOString()
  }
}

function factsOf({ name, is_active, permissions, departments }: Static<typeof ServiceAccountView>) {
  return {
    name,
    is_active: is_active === 1,
    permissions,
    departments: departments?.map(({ deptid }) => deptid) ?? null
  }
}

function accounts(db: Db) {
  const living = sql`sessions join api_tokens on api_tokens.id = sessions.id
    where sessions.staff_id = staff.id and sessions.ended_at is null`
  return db
    .selectFrom('staff')
    .where('staff.is_service_account', '=', true)
    .select([
      'staff.id',
      'staff.first_name as name',
      'staff.version',
      'staff.purpose',
      'staff.is_active',
      'staff.created_at'
    ])
    .select(grantedSlugs.as('permissions'))
    .select(db => [
      sql<number>`(select count(*)::int from ${living})`.as('token_count'),
      sql<
        (Date | null)[]
      >`(select coalesce(array_agg(expires_at order by expires_at) filter (where replaced_by is null), '{}')
        from ${living})`.as('token_ends'),
      sql<{
        id: number
        name: string
      } | null>`(select jsonb_build_object('id', id, 'name', trim(first_name || ' ' || last_name))
        from staff as creator where creator.id = staff.created_by)`.as('created_by'),
      sql<string | null>`(select max(last_used_on)::text from ${living})`.as('last_used_on'),
      sql<Date | null>`(select case when not bool_or(expires_at is null) then max(expires_at) end from ${living})`.as(
        'access_ends_at'
      ),
      jsonArrayFrom(
        db
          .selectFrom('department_members as member')
          .innerJoin('departments', 'departments.id', 'member.department_id')
          .whereRef('member.staff_id', '=', 'staff.id')
          .select(['departments.deptid', 'departments.name'])
          .orderBy('departments.id')
      ).as('departments')
    ])
}

const listed = prepared((db, p: Page) =>
  accounts(db).orderBy('staff.first_name').orderBy('staff.id').limit(p.limit).offset(p.offset)
)

const count = prepared(db =>
  db
    .selectFrom('staff')
    .where('is_service_account', '=', true)
    .select(({ fn }) => fn.countAll<number>().as('total'))
)

const lock = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).select('id').forNoKeyUpdate()
)

const byId = prepared((db, p: { id: number }) => accounts(db).where('staff.id', '=', p.id))

interface Inserted {
  name: string
  purpose: string | null
  email: string
  password: string
  by: number
  now: Date
}

const insert = prepared((db, p: Inserted) =>
  db
    .insertInto('staff')
    .values({
      first_name: p.name,
      last_name: '',
      email: p.email,
      password: p.password,
      role: 'supporter',
      is_service_account: true,
      purpose: p.purpose,
      created_by: p.by,
      created_at: p.now,
      updated_at: p.now
    })
    .returning('id')
)

const update = prepared((db, p: { id: number; name: string; purpose: string | null; isActive: boolean; now: Date }) =>
  db
    .updateTable('staff')
    .set({ first_name: p.name, purpose: p.purpose, is_active: p.isActive, updated_at: p.now })
    .where('id', '=', p.id)
)

const remove = prepared((db, p: { id: number }) =>
  db.deleteFrom('staff').where('id', '=', p.id).where('is_service_account', '=', true)
)

const removeMemberships = prepared((db, p: { id: number }) =>
  db.deleteFrom('department_members').where('staff_id', '=', p.id)
)

const addMemberships = prepared((db, p: { id: number; deptids: readonly number[]; now: Date }) =>
  db
    .insertInto('department_members')
    .columns(['department_id', 'staff_id', 'created_at'])
    .expression(db =>
      db
        .selectFrom('departments')
        .where('deptid', '=', sql<number>`any(${p.deptids}::bigint[])`)
        .select([
          'departments.id as department_id',
          sql<number>`${p.id}::bigint`.as('staff_id'),
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
    )
    .returning('department_id')
)
