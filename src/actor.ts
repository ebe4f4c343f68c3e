import type { Permission } from './permissions.ts'

/** Who is asking. Identity is (population, id) everywhere: client 7 and staff 7 never meet. */
export type Actor = ClientActor | StaffActor

export interface ClientActor {
  population: 'client'
  id: number
  sessionId: number
  firstName: string
  lastName: string
  email: string
}

export interface StaffActor {
  population: 'staff'
  id: number
  sessionId: number
  firstName: string
  lastName: string
  email: string
  role: 'admin' | 'supporter'
  /** Empty for an admin, who may everything. */
  permissions: readonly Permission[]
  /** The ids (not deptids) of the departments that this supporter sees and handles alone; undefined: all of them. */
  departments: readonly number[] | undefined
  /** The desk wants a second factor of its staff, and this member has none yet. */
  owesSecondFactor: boolean
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
