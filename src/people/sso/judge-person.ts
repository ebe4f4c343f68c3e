import type { OidcPerson } from '../../platform/oidc/oidc.ts'
import { domainOf, storedDomain } from '../organisations/domains.ts'
import type { SsoProvider } from './providers.ts'

/** Why somebody is not let in: the code for the person, and the reason for admins. */
export interface Refusal {
  code: 'account_unknown' | 'link_refused' | 'deactivated' | 'wrong_tenant' | 'verify_first' | 'access_denied'
  reason: string
}

/** Tenants of one provider often share its keys: then the issuer alone tells them apart. */
export const otherIssuer: Refusal = { code: 'wrong_tenant', reason: 'The token is of another issuer' }

/** Whether the token is of the tenant whose issuer was configured (Microsoft names it in `tid`). */
export function tenantRefusal({ issuer }: SsoProvider, { claims }: OidcPerson): Refusal | undefined {
  const { tid } = claims
  const tenant = new URL(issuer).pathname
    .split('/')
    .find(part => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(part))
  if (tid === undefined || tenant === undefined) return undefined
  if (typeof tid === 'string' && tid.toLowerCase() === tenant.toLowerCase()) return undefined
  return { code: 'wrong_tenant', reason: 'The claim tid names another tenant' }
}

/** Why an address may not be connected, however one came: it is of another domain, or the provider says that it is not proven. */
export function addressRefusal({ domains }: SsoProvider, { email, emailVerified }: OidcPerson): Refusal | undefined {
  const refused = (reason: string): Refusal => ({ code: 'link_refused', reason })
  const domain = email === undefined ? undefined : domainOf(email)
  // Stored in punycode now, and formerly as they were typed.
  const isListed = Boolean(domain) && domains.some(each => storedDomain(each) === domain)
  if (domains.length > 0 && !isListed) {
    return refused('The e-mail address is of another domain than those of the provider')
  }
  const isSilent = emailVerified === undefined || emailVerified === true || emailVerified === 'true'
  return isSilent ? undefined : refused('The claim email_verified is not true')
}

/** The e-mail address by which an account may be connected or made; or why none may. */
export function provenEmail(provider: SsoProvider, person: OidcPerson): string | Refusal {
  const { email, emailVerified } = person
  if (email === undefined || email.length > 255 || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) {
    return { code: 'link_refused', reason: 'The claim email is missing' }
  }
  const refusal = addressRefusal(provider, person)
  if (refusal) return refusal
  if (emailVerified !== undefined) return email
  if (provider.email_trust === 'issuer' && provider.domains.length > 0) return email
  return { code: 'link_refused', reason: 'The claim email_verified is missing' }
}

/**
 * What `role_claim` says; undefined if the claim is not there. A dotted path leads into objects (`realm_access.roles`), whose keys may have dots
 * themselves (`resource_access.desk.example.roles`, `https://desk.example/roles`).
 */
export function rolesIn(
  { role_claim: path }: Pick<SsoProvider, 'role_claim'>,
  claims: Record<string, unknown>
): string[] | undefined {
  if (path === null) return undefined
  const found = claimAt(claims, path.split('.'))
  if (typeof found === 'string') return [found]
  return Array.isArray(found) ? found.filter(each => typeof each === 'string') : undefined
}

/** The permissions and departments of these roles together. */
export function grantsOf({ role_map }: Pick<SsoProvider, 'role_map'>, roles: readonly string[]) {
  const mapped = roles.flatMap(role => (Object.hasOwn(role_map, role) ? [role_map[role]!] : []))
  return {
    permissions: [...new Set(mapped.flatMap(({ permissions }) => permissions))],
    deptids: [...new Set(mapped.flatMap(({ deptids }) => deptids))]
  }
}

/** Whether the provider says that it has asked for a second factor, and admins trust it with that. */
export function hasFactor({ trust_amr_mfa }: SsoProvider, { claims }: OidcPerson): boolean {
  return trust_amr_mfa && Array.isArray(claims.amr) && claims.amr.includes('mfa')
}

function claimAt(value: unknown, path: string[]): unknown {
  if (path.length === 0) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (let length = path.length; length > 0; length--) {
    const key = path.slice(0, length).join('.')
    const found = Object.hasOwn(value, key)
      ? claimAt((value as Record<string, unknown>)[key], path.slice(length))
      : undefined
    if (found !== undefined) return found
  }
  return undefined
}
