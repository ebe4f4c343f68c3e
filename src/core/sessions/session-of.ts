import { sql } from 'kysely'
import { dataLoader } from '../../lib/data-loader.ts'
import type { ActingToken, Actor, ClientActor, Session, StaffActor } from '../actor.ts'
import { type Db, prepared } from '../db.ts'
import { type Permission, permissionSlugs } from '../permissions.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'

/**
 * The session and actor of this `Authorization` header: the token is genuine, its session is open, its account exists and is active. It is
 * read for each request, after that has arrived; nothing is cached, so that every revocation takes effect at once.
 */
export async function sessionOf(
  { keys, realClock, db }: Pick<Services, 'keys' | 'realClock' | 'db'>,
  authorization: string | undefined
): Promise<Session | undefined> {
  const token = bearerOf(authorization)
  const claims = token ? keys.verify('access', token, realClock.now()) : undefined
  const actor = claims && (await actorOfSession(db, claims))
  return actor && { id: claims.session, actor, expiresAt: new Date(claims.exp * 1000) }
}

/** The token of an `Authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization && /^Bearer +([\w.-]{1,1000})$/i.exec(authorization)?.[1]
}

/** The current actor of this session, if it is open and the account is active. */
export async function actorOfSession(
  db: Db,
  { population, session, account }: { population: Population; session: number; account: number }
): Promise<Actor | undefined> {
  if (population === 'staff') return await staffActorOf(db, { session, account })

  const client = await loaderOf(db).client(session)
  return client?.id === account ? client : undefined
}

/** The current staff member of this session, if it is open and the account is active. */
export async function staffActorOf(
  db: Db,
  { session, account }: { session: number; account: number }
): Promise<StaffActor | undefined> {
  const member = await loaderOf(db).staff(session)
  return member?.id === account ? member : undefined
}

interface Loader {
  client(session: number): Promise<ClientActor | undefined>
  staff(session: number): Promise<StaffActor | undefined>
}

const loaders = new WeakMap<Db, Loader>()

/** Requests that arrive in the same turn of the event loop share one query. */
function loaderOf(db: Db): Loader {
  const known = loaders.get(db)
  if (known) return known
  const loader: Loader = {
    client: dataLoader(sessions => clientActorsOf(db, sessions)),
    staff: dataLoader(sessions => staffActorsOf(db, sessions))
  }
  loaders.set(db, loader)
  return loader
}

/** The current staff member with this id, with their permissions, if the account is active: for what they have left to be done later. */
export async function staffActorWithId(db: Db, id: number): Promise<StaffActor | undefined> {
  const [member] = await staffWithId(db, { id })
  return member && staffActor(member)
}

/** The current clients of these sessions, by session; ended sessions are missing. */
async function clientActorsOf(db: Db, sessions: readonly number[]): Promise<Map<number, ClientActor>> {
  const clients = await clientsOfSessions(db, { sessions })
  return new Map(clients.map(({ session_id, ...client }) => [session_id, clientActor(client)]))
}

/** The current staff members of these sessions, by session; ended sessions are missing. */
export async function staffActorsOf(db: Db, sessions: readonly number[]): Promise<Map<number, StaffActor>> {
  if (sessions.length === 0) return new Map()
  const members = await staffOfSessions(db, { sessions })
  return new Map(
    members.map(({ session_id, ...member }) => {
      const owner = staffActor(member)
      return [session_id, member.token_id === null ? owner : actorByToken(owner, member)]
    })
  )
}

/**
 * Those of these clients' sessions that have ended, or whose client manages another organisation by now, or none: usually few, so that the result
 * is small.
 */
export async function endedClientSessions(
  db: Db,
  clients: readonly { session: number; actor: Actor }[]
): Promise<Set<number>> {
  if (clients.length === 0) return new Set()
  const sessions = clients.map(({ session }) => session)
  const managed = clients.map(({ actor }) => managedBy(actor) ?? 0)
  return new Set((await endedOfClients(db, { sessions, managed })).map(({ id }) => id))
}

function managedBy(actor: Actor): number | undefined {
  return actor.population === 'client' ? actor.managedOrganisation : undefined
}

function clientActor(client: ClientOfSession): ClientActor {
  return {
    population: 'client',
    ...personOf(client),
    managedOrganisation: client.managed_organisation ?? undefined,
    token: actingToken(client)
  }
}

function staffActor(member: Member): StaffActor {
  return {
    population: 'staff',
    ...personOf(member),
    role: member.role,
    permissions: member.permissions ?? [],
    departments: member.departments?.length ? member.departments.map(Number) : undefined,
    owesSecondFactor: member.owes_second_factor
  }
}

/** The owner of an API token as that may act: never more than the owner may at this moment. */
function actorByToken(owner: StaffActor, token: TokenColumns): StaffActor {
  const { token_permissions: permissions, token_departments: departments } = token
  const actor = { ...owner, token: actingToken(token) }
  // All that its owner may.
  if (permissions === null && departments === null) return actor
  const granted = owner.role === 'admin' ? permissionSlugs : owner.permissions
  return {
    ...actor,
    role: 'supporter',
    permissions: permissions ? granted.filter(slug => permissions.includes(slug)) : granted,
    departments: departments?.filter(id => owner.departments?.includes(id) ?? true) ?? owner.departments
  }
}

function actingToken({
  token_id: id,
  token_name: name,
  token_is_read_only: isReadOnly
}: TokenColumns): ActingToken | undefined {
  return id === null ? undefined : { id, name: name!, isReadOnly: isReadOnly === true }
}

function personOf({ id, first_name: firstName, last_name: lastName, email }: ClientOfSession | Member) {
  return { id, firstName, lastName, email }
}

const clientsOfSessions = prepared((db, p: { sessions: readonly number[] }) =>
  db
    .selectFrom('sessions')
    .innerJoin('clients', 'clients.id', 'sessions.client_id')
    .leftJoin('api_tokens', 'api_tokens.id', 'sessions.id')
    .where('sessions.id', '=', sql<number>`any(${p.sessions}::bigint[])`)
    .where('sessions.ended_at', 'is', null)
    .where('clients.is_active', '=', true)
    .select(['sessions.id as session_id', 'clients.id', 'clients.first_name', 'clients.last_name', 'clients.email'])
    .select(managedOrganisation.as('managed_organisation'))
    .select(tokenColumns)
)

/**
 * Within a query on `clients`: the organisation whose tickets the client sees. An account may be in the hands of somebody who only claims its
 * address, so a manager has to have proven it.
 */
const managedOrganisation = sql<number | null>`(
  case when clients.organisation_role = 'manager' and clients.is_email_verified then clients.organisation_id end)`

const endedOfClients = prepared((db, p: { sessions: readonly number[]; managed: readonly number[] }) =>
  db
    .selectFrom(
      sql<{ id: number; managed: number }>`unnest(${p.sessions}::bigint[], ${p.managed}::bigint[])`.as<'asked'>(
        sql`asked (id, managed)`
      )
    )
    .leftJoin('sessions', 'sessions.id', 'asked.id')
    .leftJoin('clients', 'clients.id', 'sessions.client_id')
    .where(
      sql<boolean>`(sessions.ended_at is null and clients.is_active and coalesce(${managedOrganisation}, 0) = asked.managed)`,
      'is not',
      true
    )
    .select('asked.id')
)

const staffOfSessions = prepared((db, p: { sessions: readonly number[] }) =>
  livingStaff(db)
    .where('sessions.id', '=', sql<number>`any(${p.sessions}::bigint[])`)
    .select('sessions.id as session_id')
)

const staffWithId = prepared((db, p: { id: number }) =>
  db
    .selectFrom('staff')
    .where('staff.id', '=', p.id)
    .where('staff.is_active', '=', true)
    .select(staffColumns)
    .select(owesSecondFactor.as('owes_second_factor'))
)

type ClientOfSession = Omit<Awaited<ReturnType<typeof clientsOfSessions>>[number], 'session_id'>
type Member = Awaited<ReturnType<typeof staffWithId>>[number]
type TokenColumns = Pick<
  Awaited<ReturnType<typeof staffOfSessions>>[number],
  `token_${'id' | 'name' | 'permissions' | 'departments' | 'is_read_only'}`
>

function livingStaff(db: Db) {
  return db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .leftJoin('api_tokens', 'api_tokens.id', 'sessions.id')
    .where('sessions.ended_at', 'is', null)
    .where('staff.is_active', '=', true)
    .where(isTokenOn)
    .select(staffColumns)
    .select(tokenColumns)
    .select(
      sql<boolean>`sessions.signed_in_by <> 'passkey' and not sessions.has_provider_factor and ${owesSecondFactor}`.as(
        'owes_second_factor'
      )
    )
}

/** Of the API token whose session it is; null without one. */
const tokenColumns = [
  'api_tokens.id as token_id',
  'api_tokens.name as token_name',
  'api_tokens.permissions as token_permissions',
  'api_tokens.departments as token_departments',
  'api_tokens.is_read_only as token_is_read_only'
] as const

/** Within a query on `staff` and `api_tokens`: tokens of people work while `staff_tokens` is on. */
const isTokenOn = sql<boolean>`(api_tokens.id is null or staff.is_service_account or not exists (
  select from desk_settings where name = 'staff_tokens' and value = '0'))`

/** Within a query on `staff`. A passkey counts as a second factor where one signs in by it, as does that of a provider whom admins trust with it. */
const owesSecondFactor = sql<boolean>`(not staff.two_factor_enabled and not staff.is_service_account and exists (
  select from desk_settings where name = 'require_staff_2fa' and value = '1'))`

// Admins have all permissions, in all departments: what does not matter is not looked for.
const staffColumns = [
  'staff.id',
  'staff.first_name',
  'staff.last_name',
  'staff.email',
  'staff.role',
  sql<Permission[] | null>`case when staff.role <> 'admin' then array(
    select permission_slug from staff_permissions where staff_permissions.staff_id = staff.id order by staff_permissions.id) end`.as(
    'permissions'
  ),
  sql<number[] | null>`case when staff.role <> 'admin' then array(
    select department_id from department_members where department_members.staff_id = staff.id) end`.as('departments')
] as const
