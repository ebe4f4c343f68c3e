import type { BodyOf, DataOf } from '@deskline/client'
import { reloadQueries } from '../../../app/reload-queries.ts'

export const providersPath = '/api/admin/sso/list'
export type Provider = DataOf<typeof providersPath>['providers'][number]
type NewProvider = BodyOf<'/api/admin/sso/create'>
export type Population = NewProvider['population']

/** What one value of the role claim gives. */
export interface MappedRole {
  role: string
  permissions: NonNullable<NewProvider['role_map']>[string]['permissions']
  deptids: number[]
}

/** The fields of the form; `roles` is the list as JSON, so that the form knows when it was changed. */
export type ProviderDraft = {
  name: string
  slug: string
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  domains: string
  email_trust: string
  create_accounts: string
  trust_amr_mfa: string
  role_claim: string
  roles: string
}

export const emptyDraft: ProviderDraft = {
  name: '',
  slug: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  scopes: 'openid email profile',
  domains: '',
  email_trust: 'verified_claim',
  create_accounts: '0',
  trust_amr_mfa: '0',
  role_claim: '',
  roles: '[]'
}

export function draftOf(provider: Provider): ProviderDraft {
  const { name, slug, issuer, client_id, scopes, domains, email_trust, create_accounts, trust_amr_mfa } = provider
  const roles = Object.entries(provider.role_map).map(([role, given]) => ({ role, ...given }))
  return {
    ...{ name, slug, issuer, client_id, client_secret: '', scopes, email_trust },
    domains: domains.join(', '),
    create_accounts: String(create_accounts),
    trust_amr_mfa: String(trust_amr_mfa),
    role_claim: provider.role_claim ?? '',
    roles: JSON.stringify(roles)
  }
}

export function rolesOf({ roles }: ProviderDraft): MappedRole[] {
  return JSON.parse(roles) as MappedRole[]
}

/** What the form sends. The secret stays where none is typed. */
export function settingsOf(draft: ProviderDraft) {
  const { name, issuer, client_id, client_secret, scopes, role_claim } = draft
  const flag = (value: string) => (value === '1' ? 1 : 0)
  const named = rolesOf(draft).filter(({ role }) => role.trim())
  return {
    ...{ name: name.trim(), issuer: issuer.trim(), client_id: client_id.trim(), scopes: scopes.trim() },
    ...(client_secret && { client_secret }),
    domains: draft.domains.split(/[\s,;]+/).filter(Boolean),
    email_trust: draft.email_trust as NonNullable<NewProvider['email_trust']>,
    create_accounts: flag(draft.create_accounts) as 0 | 1,
    trust_amr_mfa: flag(draft.trust_amr_mfa) as 0 | 1,
    role_claim: role_claim.trim() || null,
    role_map: Object.fromEntries(named.map(({ role, permissions, deptids }) => [role.trim(), { permissions, deptids }]))
  }
}

/** What is the same for everybody at these providers; angle brackets are to be replaced. */
export const presets = {
  keycloak: {
    name: 'Keycloak',
    issuer: 'https://<host>/realms/<realm>',
    email_trust: 'verified_claim',
    role_claim: 'realm_access.roles'
  },
  entra: {
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/<tenant-id>/v2.0',
    email_trust: 'issuer',
    role_claim: 'roles'
  },
  google: { name: 'Google', issuer: 'https://accounts.google.com', email_trust: 'verified_claim', role_claim: '' }
} as const satisfies Record<string, Partial<ProviderDraft>>

/** "Nordlicht ID" becomes `nordlicht-id`. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '')
}

export async function reloadProviders(): Promise<void> {
  await reloadQueries(providersPath, '/api/sso/providers')
}
