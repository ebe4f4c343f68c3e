import { type Expression, sql } from 'kysely'
import type { Actor, Session, StaffActor } from '../actor.ts'
import { type Db, prepared } from '../db.ts'
import type { Permission } from '../permissions.ts'
import type { Services } from '../services.ts'
import type { Population } from '../tables/columns.ts'

/**
 * Where the bearer of this `Authorization` header is logged in, and who that is: the token is genuine, its session goes on, its account
 * exists and is active. One indexed read a request; nothing is cached past it, so whatever is withdrawn acts at once.
 */
export async function sessionOf(
  { keys, clock, db }: Pick<Services, 'keys' | 'clock' | 'db'>,
  authorization: string | undefined
): Promise<Session | undefined> {
  const token = authorization && /^Bearer +([\w.-]{1,1000})$/i.exec(authorization)?.[1]
  const claims = token ? keys.verify('access', token, clock.now()) : undefined
  const actor = claims && (await actorOfSession(db, claims))
  return actor && { id: claims.session, actor }
}

/** Whose session this is, as they are now: it goes on, and the account is active. */
export async function actorOfSession(
  db: Db,
  { population, session, account }: { population: Population; session: number; account: number }
): Promise<Actor | undefined> {
  if (population === 'staff') return await staffActorOf(db, { session, account })

  const [client] = await clientOfSession(db, { session, account })
  if (!client) return undefined
  return {
    population: 'client',
    id: client.id,
    firstName: client.first_name,
    lastName: client.last_name,
    email: client.email
  }
}

/** The member of staff whose session this is, as they are now: it goes on, and the account is active. */
export async function staffActorOf(
  db: Db,
  { session, account }: { session: number; account: number }
): Promise<StaffActor | undefined> {
  const [member] = await staffOfSession(db, { session, account })
  return member && staffActor(member)
}

/** The members of staff whose sessions these are, as they are now, by session; those whose session is over are not among them. */
export async function staffActorsOf(db: Db, sessions: readonly number[]): Promise<Map<number, StaffActor>> {
  if (sessions.length === 0) return new Map()
  const members = await staffOfSessions(db, { sessions })
  return new Map(members.map(({ session_id, ...member }) => [session_id, staffActor(member)]))
}

/** Of these sessions of clients those that are over: of many that go on nothing need be answered. */
export async function endedClientSessions(db: Db, sessions: readonly number[]): Promise<Set<number>> {
  if (sessions.length === 0) return new Set()
  return new Set((await endedOfClients(db, { sessions })).map(({ id }) => id))
}

function staffActor(member: StaffOfSession): StaffActor {
  return {
    population: 'staff',
    id: member.id,
    firstName: member.first_name,
    lastName: member.last_name,
    email: member.email,
    role: member.role,
    permissions: member.permissions ?? [],
    departments: member.departments?.length ? member.departments.map(Number) : undefined,
    owesSecondFactor: member.owes_second_factor
  }
}

const clientOfSession = prepared((db, p: { session: number; account: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('clients', 'clients.id', 'sessions.client_id')
    .where('sessions.id', '=', p.session)
    .where('sessions.client_id', '=', p.account)
    .where('sessions.ended_at', 'is', null)
    .where('clients.is_active', '=', true)
    .select(['clients.id', 'clients.first_name', 'clients.last_name', 'clients.email'])
)

const endedOfClients = prepared((db, p: { sessions: readonly number[] }) =>
  db
    .selectFrom(sql<{ id: number }>`unnest(${p.sessions}::bigint[])`.as<'asked'>(sql`asked (id)`))
    .leftJoin('sessions', 'sessions.id', 'asked.id')
    .leftJoin('clients', 'clients.id', 'sessions.client_id')
    .where(sql<boolean>`(sessions.ended_at is null and clients.is_active)`, 'is not', true)
    .select('asked.id')
)

const staffOfSession = prepared((db, p: { session: number; account: number }) =>
  livingStaff(db).where('sessions.id', '=', p.session).where('sessions.staff_id', '=', p.account)
)

const staffOfSessions = prepared((db, p: { sessions: readonly number[] }) =>
  livingStaff(db)
    .where('sessions.id', '=', sql<number>`any(${p.sessions}::bigint[])`)
    .select('sessions.id as session_id')
)

type StaffOfSession = Awaited<ReturnType<typeof staffOfSession>>[number]

function livingStaff(db: Db) {
  return db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .where('sessions.ended_at', 'is', null)
    .where('staff.is_active', '=', true)
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'staff.email', 'staff.role'])
    .select(db =>
      unlessAdmin<Permission>(
        db
          .selectFrom('staff_permissions')
          .whereRef('staff_permissions.staff_id', '=', 'staff.id')
          .select('permission_slug')
          .orderBy('staff_permissions.id')
      ).as('permissions')
    )
    .select(
      sql<boolean>`not staff.two_factor_enabled and exists (
        select from desk_settings where name = 'require_staff_2fa' and value = '1')`.as('owes_second_factor')
    )
    .select(db =>
      unlessAdmin<number>(
        db
          .selectFrom('department_members')
          .whereRef('department_members.staff_id', '=', 'staff.id')
          .select('department_id')
      ).as('departments')
    )
}

/** What is not looked for where it does not matter: an admin may everything, in all departments. */
function unlessAdmin<T>(query: Expression<unknown>) {
  return sql<T[] | null>`case when staff.role <> 'admin' then array(${query}) end`
}
