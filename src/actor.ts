import type { Permission } from './permissions.ts'

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

/** Where somebody is logged in. Verbs take who acts; only what concerns the login itself takes the session. */
export interface Session<A extends Actor = Actor> {
  id: number
  actor: A
}

/** The actor's account as log lines name it: `staff:7`. */
export function accountName({ population, id }: Actor): string {
  return `${population}:${id}`
}

/** Whether this actor holds any of the permissions. Clients hold none, admins all. */
export function holds(actor: Actor, ...anyOf: Permission[]): boolean {
  if (actor.population === 'client') return false
  return actor.role === 'admin' || anyOf.some(slug => actor.permissions.includes(slug))
}
