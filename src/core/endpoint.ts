import { type Access, type AnyEndpoint, endpointsFor } from '../kit/endpoint.ts'
import { type Failure, Forbidden, failure, SignInRequired } from '../kit/errors.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import { type Actor, type ClientActor, hasPermission, type StaffActor } from './actor.ts'
import type { Permission } from './permissions.ts'
import type { Services } from './services.ts'

interface Persons {
  anybody: Actor
  client: ClientActor
  staff: StaffActor
  upload: StagedFile
}

/** Declares an endpoint of Deskline. Without `access`, or with an unknown slug, it does not compile. */
export const endpoint = endpointsFor<Services, Persons, Permission>()

/** Whether this actor has the `access` of an endpoint (contract: Summary, column Auth). */
export function admits(access: Access<Permission>, actor: Actor): boolean {
  if (access === 'public' || access === 'optional' || access === 'user') return true
  if (access === 'client' || access === 'staff') return actor.population === access
  if (actor.population !== 'staff') return access !== 'admin' && access.orClient === true
  if (actor.role === 'admin') return true
  return access !== 'admin' && hasPermission(actor, ...access.anyOf)
}

export const ReadOnlyToken = failure(403, 'read_only_token', 'This API token may only read')

/** Why the API token of this actor may not call an endpoint; undefined if it may, or they have signed in. */
export function refusalOfToken(endpoint: AnyEndpoint, actor: Actor): Failure | undefined {
  if (!actor.token) return undefined
  if (endpoint.signedInOnly) return SignInRequired()
  if (actor.token.isReadOnly && !endpoint.onlyReads) return ReadOnlyToken()
  const access = endpoint.access as Access<Permission>
  if (admits(access, actor)) return undefined
  const lacks = typeof access === 'object' ? access.anyOf : undefined
  const missing = lacks?.join(' or ') ?? (access === 'admin' ? 'all rights of an admin' : undefined)
  return Forbidden({
    ...(missing && { message: `This API token lacks a right: it takes ${missing}` }),
    ...(lacks && { lacks })
  })
}

/** Why this actor may only use endpoints that are open `whileRestricted`, if so: admins require a second factor. */
export function restrictionOf(actor: Actor): string | undefined {
  return actor.population === 'staff' && actor.owesSecondFactor ? secondFactorRequired : undefined
}

const secondFactorRequired =
  'Members of staff need two-factor authentication here: turn it on with 2fa/setup and 2fa/enable first'
