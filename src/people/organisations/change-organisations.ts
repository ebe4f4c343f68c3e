import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import { requireUnused } from '../../core/definitions/uses.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { domainsOf, joinersOf, setDomains } from './domains.ts'
import { joinByDomain } from './membership.ts'
import { lockedOrganisation, type Organisation, organisationOf } from './organisations.ts'

export const OrganisationExists = failure(409, 'organisation_exists', 'There is an organisation with this name already')
export const OrganisationInUse = failure(
  409,
  'organisation_in_use',
  'This organisation has people or tickets: archive it, or merge it into another one'
)

/** What admins may say of an organisation; null empties the note. */
export interface OrganisationChanges {
  name?: string
  domains?: readonly string[]
  note?: string | null
  managers_follow?: 0 | 1
  /** Whoever has proven an address at one of the domains joins now, and not only who does from now on. */
  add_people?: 0 | 1
}

interface Target {
  id: number
  expected_version?: number
}

/** So many join at once; of more, the rest joins with the next change that adds people. */
const maxJoining = 5_000

/** Throws `OrganisationExists`, `DomainTaken`, `PublicDomain`, `InvalidFields`. */
export async function createOrganisation(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { name, domains: given = [], note, managers_follow, add_people }: OrganisationChanges & { name: string }
): Promise<Organisation> {
  const domains = await domainsOf(given)
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const [created] = await insert(db, { name, note: note ?? '', managersFollow: managers_follow === 1, now })
    if (!created) throw OrganisationExists({ errors: ['name'] })
    await setDomains(db, created.id, domains)
    const joined = add_people === 1 ? await addPeople(act, domains) : 0
    act.happened({
      kind: 'organisation.created',
      subject: { type: 'organisation', id: created.id },
      after: { name, domains, people_joined: joined }
    })
    return await organisationOf(db, created.id)
  })
}

/**
 * Changes the given fields; the domains are replaced as a whole. Who has joined by a domain that is removed stays. Throws `OrganisationNotFound`,
 * `OrganisationIsMerging`, `OrganisationExists`, `DomainTaken`, `PublicDomain`, `InvalidFields`, `VersionConflict`.
 */
export async function updateOrganisation(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, ...changes }: Target & OrganisationChanges
): Promise<Organisation> {
  const domains = changes.domains && (await domainsOf(changes.domains)).toSorted()
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedOrganisation(db, id)
    requireVersion(former.version, expected_version)
    const next = {
      name: changes.name ?? former.name,
      note: changes.note === undefined ? former.note : (changes.note ?? ''),
      managers_follow: changes.managers_follow === undefined ? former.managers_follow : changes.managers_follow === 1,
      domains: domains ?? former.domains
    }
    const facts = changedFacts(former, next)
    const joins = changes.add_people === 1 && !former.is_archived
    if (!facts && !joins) return former

    await update(db, { ...next, id, now: act.now }).catch(taken)
    if (domains) await setDomains(db, id, domains)
    const joined = joins ? await addPeople(act, next.domains) : 0
    const { before = {}, after = {} } = facts ?? {}
    act.happened({
      kind: 'organisation.updated',
      subject: { type: 'organisation', id },
      before,
      after: { ...after, people_joined: joined }
    })
    return await organisationOf(db, id)
  })
}

/**
 * Nobody joins an archived organisation any more; its people and what its managers see stay. Throws `OrganisationNotFound`,
 * `OrganisationIsMerging`, `VersionConflict`.
 */
export async function archiveOrganisation(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, archived }: Target & { archived: boolean }
): Promise<Organisation> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedOrganisation(db, id)
    requireVersion(former.version, expected_version)
    if (former.is_archived === archived) return former
    await setArchived(db, { id, archived, now: act.now })
    const subject = { type: 'organisation', id } as const
    act.happened(archived ? { kind: 'organisation.archived', subject } : { kind: 'organisation.unarchived', subject })
    return await organisationOf(db, id)
  })
}

/**
 * Deletes an organisation without people and tickets that no definition names. Throws `OrganisationNotFound`, `OrganisationInUse`, `InUse`,
 * `VersionConflict`.
 */
export async function deleteOrganisation(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: Target
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedOrganisation(db, id)
    requireVersion(former.version, expected_version)
    await requireUnused(db, actor, { kind: 'organisation', id })
    await remove(db, { id }).catch(inUse)
    const { name, domains } = former
    act.happened({ kind: 'organisation.deleted', subject: { type: 'organisation', id }, before: { name, domains } })
  })
}

async function addPeople(act: Act, domains: readonly string[]): Promise<number> {
  const { people } = await joinersOf(act.db, domains, maxJoining)
  const ids = people.map(({ id }) => id)
  await lockClients(act.db, { ids })
  return await joinByDomain(act, ids)
}

type Changed = Pick<Organisation, 'name' | 'note' | 'managers_follow' | 'domains'>

/** What the event carries of the change; undefined if nothing changes. */
function changedFacts(former: Changed, next: Changed) {
  const names = (['name', 'managers_follow', 'domains'] as const).filter(
    name => JSON.stringify(former[name]) !== JSON.stringify(next[name])
  )
  const noteChanged = former.note !== next.note
  if (names.length === 0 && !noteChanged) return undefined
  const of = (organisation: Changed) => Object.fromEntries(names.map(name => [name, organisation[name]]))
  return { before: of(former), after: { ...of(next), ...(noteChanged ? { note_changed: true } : {}) } }
}

function taken(error: unknown): never {
  if (constraintOf(error) === 'organisations_name_key') throw OrganisationExists({ errors: ['name'] })
  throw error
}

/** The foreign keys say who uses it: people, tickets, or another organisation that is being merged into it. */
function inUse(error: unknown): never {
  if (constraintOf(error)?.endsWith('_fkey')) throw OrganisationInUse()
  throw error
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}

const insert = prepared((db, p: { name: string; note: string; managersFollow: boolean; now: Date }) =>
  db
    .insertInto('organisations')
    .values({ name: p.name, note: p.note, managers_follow: p.managersFollow, created_at: p.now, updated_at: p.now })
    .onConflict(conflict => conflict.expression(sql`lower(name)`).doNothing())
    .returning('id')
)

const update = prepared((db, p: { id: number; name: string; note: string; managers_follow: boolean; now: Date }) =>
  db
    .updateTable('organisations')
    .where('id', '=', p.id)
    .set(eb => ({
      name: p.name,
      note: p.note,
      managers_follow: p.managers_follow,
      updated_at: p.now,
      version: eb('version', '+', 1)
    }))
)

const setArchived = prepared((db, p: { id: number; archived: boolean; now: Date }) =>
  db
    .updateTable('organisations')
    .where('id', '=', p.id)
    .set(eb => ({ is_archived: p.archived, updated_at: p.now, version: eb('version', '+', 1) }))
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('organisations').where('id', '=', p.id))

const lockClients = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('clients')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
)
