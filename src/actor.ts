import type { Permission } from './permissions.ts'

/** Whoever does or writes something, as they are named there. The id is null of those who have no account. */
export interface Named {
  population: 'client' | 'staff' | 'system'
  id: number | null
  firstName: string
  lastName: string
  role?: 'admin' | 'supporter'
}

/** Somebody with an account. Identity is (population, id) everywhere: client 7 and staff 7 never meet. */
interface Person {
  id: number
  firstName: string
  lastName: string
  email: string
}

/** A person who acts, with what they may. */
export type Actor = ClientActor | StaffActor

export interface ClientActor extends Person {
  population: 'client'
}

export interface StaffActor extends Person {
  population: 'staff'
  role: 'admin' | 'supporter'
  /** Empty for an admin, who may everything. */
  permissions: readonly Permission[]
  /** The ids (not deptids) of the departments that this supporter sees and handles alone; undefined: all of them. */
  departments: readonly number[] | undefined
  /** The desk wants a second factor of its staff, and this member has none yet. */
  owesSecondFactor: boolean
}

/**
 * The service itself, where nobody is logged in: an e-mail comes in, a job or a command runs. It sees all tickets and may do everything with
 * them, by the verbs that people call. Where it writes in the name of somebody it says so.
 */
export interface SystemActor extends Named {
  population: 'system'
  id: null
}

export const system: SystemActor = { population: 'system', id: null, firstName: 'Deskline', lastName: '' }

/** Who handles tickets. */
export type DeskActor = StaffActor | SystemActor

/** Where somebody is logged in. Verbs take who acts; only what concerns the login itself takes the session. */
export interface Session<A extends Actor = Actor> {
  id: number
  actor: A
}

/** The actor's account as log lines name it: `staff:7`. */
export function accountName({ population, id }: Actor): string {
  return `${population}:${id}`
}

/** Whether this actor holds any of the permissions. Clients hold none, admins and the system all. */
export function holds(actor: Actor | SystemActor, ...anyOf: Permission[]): boolean {
  if (actor.population !== 'staff') return actor.population === 'system'
  return actor.role === 'admin' || anyOf.some(slug => actor.permissions.includes(slug))
}
