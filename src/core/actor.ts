import type { Permission } from './permissions.ts'

/** The name of whoever does or writes something. The id is null without an account. */
export interface NamedActor {
  population: 'client' | 'staff' | 'system'
  id: number | null
  firstName: string
  lastName: string
  role?: 'admin' | 'supporter'
  /** The API token with which they act. */
  token?: { name: string } | undefined
}

/** Somebody with an account. The identity is always (population, id): client 7 and staff 7 are different people. */
interface Person {
  id: number
  firstName: string
  lastName: string
  email: string
  /** The API token of the request; undefined for somebody who has signed in. What a staff actor may is then what the token may. */
  token?: ActingToken | undefined
}

/** An API token that acts for its owner. */
export interface ActingToken {
  id: number
  name: string
  isReadOnly: boolean
}

/** A logged-in person with their permissions. */
export type Actor = ClientActor | StaffActor

export interface ClientActor extends Person {
  population: 'client'
  /** The organisation whose tickets they see as its manager, with a proven e-mail address. */
  managedOrganisation?: number | undefined
}

export interface StaffActor extends Person {
  population: 'staff'
  role: 'admin' | 'supporter'
  /** Empty for an admin, who has all permissions. */
  permissions: readonly Permission[]
  /** The ids (not deptids) of the departments that this supporter is limited to; undefined: all of them. */
  departments: readonly number[] | undefined
  /** The desk requires a second factor of staff, and this member has none yet. */
  owesSecondFactor: boolean
}

/**
 * The service itself, when nobody is logged in: for incoming e-mail, jobs and commands. It may see and do everything with tickets, by the same
 * verbs. If it writes in somebody's name, it says so.
 */
export interface SystemActor extends NamedActor {
  population: 'system'
  id: null
}

export const system: SystemActor = { population: 'system', id: null, firstName: 'Deskline', lastName: '' }

/** Actors that handle tickets. */
export type DeskActor = StaffActor | SystemActor

/** The login of an actor. Verbs take the actor; only those about the login itself take the session. */
export interface Session<A extends Actor = Actor> {
  id: number
  actor: A
  /** When the token of the request expires; undefined: never. */
  expiresAt?: Date | undefined
}

/** The actor's account as log lines name it: `staff:7`, whether or not by an API token. */
export function accountName({ population, id }: Pick<Actor, 'population' | 'id'>): string {
  return `${population}:${id}`
}

/** Whether this actor has any of the permissions. Clients have none, admins and the system all. */
export function hasPermission(actor: Actor | SystemActor, ...anyOf: Permission[]): boolean {
  if (actor.population !== 'staff') return actor.population === 'system'
  return actor.role === 'admin' || anyOf.some(slug => actor.permissions.includes(slug))
}
