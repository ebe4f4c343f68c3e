import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Actor, ClientActor, StaffActor } from '../../core/actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { Unauthenticated } from '../../kit/errors.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { recoveryCodesLeft } from '../auth/recovery-codes.ts'
import { clientColumns, ReaderLanguage, shownContact } from '../clients/columns.ts'
import { organisationOfClient } from '../organisations/name-of-client.ts'
import { OrganisationName } from '../organisations/organisations.ts'
import { shownPermissions } from '../staff/member.ts'
import { AwayUntil, ShownPermissions, StaffRole } from '../staff/schemas.ts'

const ofEverybody = {
  id: Id(),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  email: OutputText('ada@example.com'),
  language: ReaderLanguage,
  two_factor_enabled: Flag(),
  recovery_codes_left: Type.Integer({ examples: [10] }),
  created_at: Timestamp(),
  version: Version
}

/** A client's own profile. */
const ClientOwnProfile = Type.Object({
  user_type: OneOf(['client']),
  ...ofEverybody,
  ...shownContact,
  is_email_verified: Flag(),
  is_phone_verified: Flag(0),
  // The organisation whose tickets they see as its manager; missing for everybody else.
  manages: Type.Optional(OrganisationName)
})

/** A staff member's own profile. `must_enable_2fa`: until they do, nothing else is open to them. */
const StaffOwnProfile = Type.Object({
  user_type: OneOf(['staff']),
  ...ofEverybody,
  phone_number: Nullable(OutputText('+14155550123')),
  role: StaffRole,
  permissions: ShownPermissions,
  // The departments to which they are limited; null: they see all.
  departments: Nullable(Type.Array(Type.Object({ deptid: Id(), name: OutputText('Technical Support') }))),
  must_enable_2fa: Flag(0),
  away_until: AwayUntil
})

export const OwnProfile = Type.Union([
  Type.Object({ profile: ClientOwnProfile }),
  Type.Object({ profile: StaffOwnProfile })
])

/** The caller's own profile. */
export async function ownProfile({ db }: Pick<Services, 'db'>, actor: Actor): Promise<Static<typeof OwnProfile>> {
  const left = await recoveryCodesLeft(db, actor)
  return actor.population === 'client'
    ? { profile: await profileOfClient(db, actor, left) }
    : { profile: await profileOfMember(db, actor, left) }
}

async function profileOfClient(
  db: Services['db'],
  actor: ClientActor,
  left: number
): Promise<Static<typeof ClientOwnProfile>> {
  const [found] = await clientById(db, { id: actor.id })
  if (!found) throw gone()
  const { organisation, ...client } = found
  return {
    ...client,
    ...(organisation && organisation.id === actor.managedOrganisation ? { manages: organisation } : {}),
    user_type: 'client',
    two_factor_enabled: bit(client.two_factor_enabled),
    recovery_codes_left: left,
    is_email_verified: bit(client.is_email_verified),
    is_phone_verified: bit(client.is_phone_verified),
    created_at: timestamp(client.created_at)
  }
}

async function profileOfMember(
  db: Services['db'],
  actor: StaffActor,
  left: number
): Promise<Static<typeof StaffOwnProfile>> {
  const [member] = await memberById(db, { id: actor.id })
  if (!member) throw gone()
  const { departments } = actor
  return {
    ...member,
    user_type: 'staff',
    two_factor_enabled: bit(member.two_factor_enabled),
    recovery_codes_left: left,
    role: actor.role,
    permissions: shownPermissions({ role: actor.role, permissions: [...actor.permissions] }),
    departments: departments ? await departmentsWith(db, { departments }) : null,
    must_enable_2fa: bit(actor.owesSecondFactor),
    created_at: timestamp(member.created_at),
    away_until: member.away_until?.toISOString() ?? null
  }
}

/** The account was deleted after the token was checked. */
function gone() {
  return Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
}

const clientById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['id', ...clientColumns, 'language'])
    .select(['two_factor_enabled', 'is_email_verified', 'is_phone_verified', 'created_at', 'version'])
    .select(organisationOfClient.as('organisation'))
)

const memberById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('staff')
    .where('id', '=', p.id)
    .select(['id', 'first_name', 'last_name', 'email', 'phone_number', 'language', 'two_factor_enabled'])
    .select(['created_at', 'version', 'away_until'])
)

const departmentsWith = prepared((db, p: { departments: readonly number[] }) =>
  db
    .selectFrom('departments')
    .where('id', '=', sql<number>`any(${p.departments}::bigint[])`)
    .select(['deptid', 'name'])
    .orderBy('id')
)
