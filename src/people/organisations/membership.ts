import { sql } from 'kysely'
import { Type } from 'typebox'
import { type StaffActor, system } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { auditActorOf } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow, OrganisationRole } from '../../core/tables/clients.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import { Id, Nullable } from '../../kit/schemas.ts'
import { domainOf } from './domains.ts'
import { Role } from './people.ts'

export const UnknownOrganisation = failure(400, 'unknown_organisation', 'There is no such organisation')
const RoleWithoutOrganisation = failure(
  400,
  'role_without_organisation',
  'Only who belongs to an organisation has a role in it'
)
export const OrganisationArchived = failure(
  409,
  'organisation_archived',
  'This organisation is archived: nobody joins it any more'
)

/** The organisation of a client, and what they are in it. */
export type Membership = Pick<ClientRow, 'organisation_id' | 'organisation_role'>

/** What staff may say of it: null ends it, and what is missing stays. */
export interface MembershipChange {
  organisation_id?: number | null
  organisation_role?: OrganisationRole
}

export const noMembership: Membership = { organisation_id: null, organisation_role: null }

/** Throws `Forbidden` if somebody else than an admin sends a membership: it decides what others see. */
export function requireMayChange(actor: StaffActor, change: MembershipChange): void {
  const isGiven = change.organisation_id !== undefined || change.organisation_role !== undefined
  if (isGiven && actor.role !== 'admin') {
    throw Forbidden({ message: 'Only admins change to which organisation a client belongs, and the role in it' })
  }
}

/** What staff may send with a client. */
export const membershipFields = {
  organisation_id: Type.Optional(Nullable(Id(3))),
  organisation_role: Type.Optional(Role)
}

/** The failures of a change of membership. */
export const membershipErrors = [UnknownOrganisation, RoleWithoutOrganisation, OrganisationArchived, Forbidden] as const

/** The membership after this change. Throws `RoleWithoutOrganisation`. */
export function changedMembership(former: Membership, change: MembershipChange): Membership {
  const { organisation_id: id = former.organisation_id, organisation_role: role } = change
  if (id === null) {
    if (role !== undefined) throw RoleWithoutOrganisation({ errors: ['organisation_role'] })
    return noMembership
  }
  const kept = id === former.organisation_id ? former.organisation_role : null
  return { organisation_id: id, organisation_role: role ?? kept ?? 'member' }
}

/**
 * Sets the membership of a locked client as staff decide: it stays when the address changes, and whom they take out does not join by the domain
 * again. The tickets that the client has opened stay where they are. Returns whether it is another one. Throws `UnknownOrganisation`, `OrganisationArchived`.
 */
export async function setMembership(act: Act, client: number, former: Membership, next: Membership): Promise<boolean> {
  const { organisation_id: id, organisation_role: role } = next
  if (id === former.organisation_id && role === former.organisation_role) return false
  if (id !== null && id !== former.organisation_id) await requireOpen(act.db, id)
  await store(act.db, { client, id, role, now: act.now })
  if (id !== former.organisation_id) {
    if (former.organisation_id !== null) await keepOut(act.db, { client, id: former.organisation_id })
    if (id !== null) await letIn(act.db, { client, id })
  }
  act.happened({
    kind: 'client.organisation_changed',
    subject: { type: 'client', id: client },
    before: { organisation_id: former.organisation_id, organisation_role: former.organisation_role },
    after: { ...next, by: 'staff' }
  })
  return true
}

/** Records that staff have made a new client belong to an organisation. */
export function recordJoining(act: Act, client: number, membership: Membership): void {
  act.happened({
    kind: 'client.organisation_changed',
    subject: { type: 'client', id: client },
    before: noMembership,
    after: { ...membership, by: 'staff' }
  })
}

/** Throws `UnknownOrganisation`, `OrganisationArchived`: nobody joins one that is archived or being merged. */
export async function requireOpen(db: Db, id: number, field = 'organisation_id'): Promise<void> {
  const [organisation] = await stateOf(db, { id })
  const errors = [field]
  if (!organisation) throw UnknownOrganisation({ errors })
  if (organisation.is_merging) {
    throw OrganisationArchived({ message: 'This organisation is being merged into another one', errors })
  }
  if (organisation.is_archived) throw OrganisationArchived({ errors })
}

/** The organisations that somebody can join. */
export async function openOrganisations(db: Db): Promise<number[]> {
  return (await allOpen(db, {})).map(({ id }) => id)
}

/**
 * Makes these clients members of the organisation at whose domain they have proven an address, unless they belong to one or staff have taken
 * them out of it. Call it in the act
 * that proves the address, with the client locked. Returns how many joined.
 */
export async function joinByDomain(act: Act, clients: readonly number[]): Promise<number> {
  const { db, now } = act
  const proven = await provenWithoutOrganisation(db, { clients })
  const known = new Map(
    proven.length === 0
      ? []
      : (await openAtDomains(db, { domains: proven.map(({ email }) => domainOf(email)) })).map(row => [
          row.domain,
          row.id
        ])
  )
  const joining = proven.flatMap(({ id, email }) => {
    const organisation = known.get(domainOf(email))
    return organisation === undefined ? [] : { client: id, organisation }
  })
  if (joining.length === 0) return 0
  const joined = await join(db, { joining: JSON.stringify(joining), now })
  for (const { id, organisation_id } of joined) tell(act, id, noMembership, member(organisation_id!))
  return joined.length
}

/** The address of a locked client is another one: a membership that came from the domain of the former one ends. */
export async function leaveByDomain(act: Act, client: number): Promise<void> {
  const [former] = await membershipByDomain(act.db, { client })
  if (!former) return
  await leave(act.db, { client, now: act.now })
  tell(act, client, former, noMembership)
}

function member(organisation: number): Membership {
  return { organisation_id: organisation, organisation_role: 'member' }
}

function tell(act: Act, client: number, before: Membership, after: Membership): void {
  const subject = { type: 'client', id: client } as const
  const event = { kind: 'client.organisation_changed', subject, before, after: { ...after, by: 'domain' } } as const
  act.happened(event, auditActorOf(system))
}

const stateOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('organisations')
    .where('id', '=', p.id)
    .select(['is_archived', isMerging.as('is_merging')])
    .forKeyShare()
)

const isMerging = sql<boolean>`exists (select from organisation_merges as merge where merge.organisation_id = organisations.id)`

const store = prepared((db, p: { client: number; id: number | null; role: OrganisationRole | null; now: Date }) =>
  db
    .updateTable('clients')
    .where('id', '=', p.client)
    .set({
      organisation_id: p.id,
      organisation_role: p.role,
      organisation_joined_by: sql<'staff' | null>`case when ${p.id}::bigint is not null then 'staff' end`,
      updated_at: p.now
    })
)

const keepOut = prepared((db, p: { client: number; id: number }) =>
  db
    .insertInto('organisation_exits')
    .values({ client_id: p.client, organisation_id: p.id })
    .onConflict(conflict => conflict.doNothing())
)

const letIn = prepared((db, p: { client: number; id: number }) =>
  db.deleteFrom('organisation_exits').where('client_id', '=', p.client).where('organisation_id', '=', p.id)
)

const provenWithoutOrganisation = prepared((db, p: { clients: readonly number[] }) =>
  db
    .selectFrom('clients')
    .where('id', '=', sql<number>`any(${p.clients}::bigint[])`)
    .where('is_email_verified', '=', true)
    .where('organisation_id', 'is', null)
    .select(['id', 'email'])
)

const allOpen = prepared(db =>
  db.selectFrom('organisations').where('is_archived', '=', false).where(sql<boolean>`not ${isMerging}`).select('id')
)

const openAtDomains = prepared((db, p: { domains: readonly string[] }) =>
  db
    .selectFrom('organisation_domains')
    .innerJoin('organisations', 'organisations.id', 'organisation_domains.organisation_id')
    .where('domain', '=', sql<string>`any(${p.domains}::text[])`)
    .where('organisations.is_archived', '=', false)
    .where(sql<boolean>`not ${isMerging}`)
    .select(['domain', 'organisations.id'])
    .forKeyShare('organisations')
)

const join = prepared((db, p: { joining: string; now: Date }) =>
  db
    .updateTable('clients')
    .from(
      sql<{ client: number; organisation: number }>`json_to_recordset(${p.joining}::json)`.as<'joining'>(
        sql`joining (client bigint, organisation bigint)`
      )
    )
    .whereRef('clients.id', '=', 'joining.client')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('organisation_exits as exit')
            .whereRef('exit.client_id', '=', 'joining.client')
            .whereRef('exit.organisation_id', '=', 'joining.organisation')
        )
      )
    )
    .where('clients.organisation_id', 'is', null)
    .where('clients.is_email_verified', '=', true)
    .set(eb => ({
      organisation_id: eb.ref('joining.organisation'),
      organisation_role: 'member',
      organisation_joined_by: 'domain',
      updated_at: p.now
    }))
    .returning(['clients.id', 'clients.organisation_id'])
)

const membershipByDomain = prepared((db, p: { client: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.client)
    .where('organisation_joined_by', '=', 'domain')
    .select(['organisation_id', 'organisation_role'])
)

const leave = prepared((db, p: { client: number; now: Date }) =>
  db
    .updateTable('clients')
    .where('id', '=', p.client)
    .where('organisation_joined_by', '=', 'domain')
    .set({ organisation_id: null, organisation_role: null, organisation_joined_by: null, updated_at: p.now })
)
