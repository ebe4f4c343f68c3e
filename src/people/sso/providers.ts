import type { Selectable } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { SsoTables } from '../../core/tables/sso.ts'
import { type Oidc, type OidcClient, oidcProviders } from '../../platform/oidc/oidc.ts'

export type SsoProvider = Selectable<SsoTables['sso_providers']>

export async function providerBySlug(db: Db, slug: string): Promise<SsoProvider | undefined> {
  return (await bySlug(db, { slug }))[0]
}

export async function providerById(db: Db, id: number): Promise<SsoProvider | undefined> {
  return (await byId(db, { id }))[0]
}

/** Within an insert: one row while the provider is there, which nobody deletes before the commit. */
export function whileThere(db: Db, id: number) {
  return db.selectFrom('sso_providers').where('id', '=', id).forKeyShare()
}

export async function allProviders(db: Db): Promise<SsoProvider[]> {
  return await all(db, {})
}

export function secretPurpose(slug: string): string {
  return `sso provider ${slug}`
}

/** The provider as OpenID Connect needs it. Where it sends people back is ours to say, never a request's. */
export function oidcClient({ config, keys }: Pick<Services, 'config' | 'keys'>, provider: SsoProvider): OidcClient {
  return {
    issuer: provider.issuer,
    clientId: provider.client_id,
    secret:
      provider.sealed_secret === null ? undefined : keys.unseal(secretPurpose(provider.slug), provider.sealed_secret),
    redirectUri: callbackUrl(config, provider.slug),
    scopes: provider.scopes
  }
}

export function callbackUrl({ BASE_URL }: { BASE_URL: string }, slug: string): string {
  return new URL(`/api/sso/${slug}/callback`, BASE_URL).href
}

const shared = new WeakMap<object, Oidc>()

/** The providers as this process knows them: what it has asked them is kept for a while. */
export function oidcOf({ config }: Pick<Services, 'config'>): Oidc {
  const known = shared.get(config)
  if (known) return known
  const ofThisMachine = config.production ? [] : ['127.0.0.0/8', '::1']
  const oidc = oidcProviders({ allowed: [...config.SSO_ALLOW_PRIVATE, ...ofThisMachine] })
  shared.set(config, oidc)
  return oidc
}

const columns = [
  'id',
  'slug',
  'name',
  'population',
  'issuer',
  'client_id',
  'sealed_secret',
  'scopes',
  'domains',
  'email_trust',
  'create_accounts',
  'role_claim',
  'role_map',
  'trust_amr_mfa',
  'is_active',
  'version',
  'created_at',
  'updated_at'
] as const

const bySlug = prepared((db, p: { slug: string }) =>
  db.selectFrom('sso_providers').where('slug', '=', p.slug).select(columns)
)
const byId = prepared((db, p: { id: number }) => db.selectFrom('sso_providers').where('id', '=', p.id).select(columns))
const all = prepared(db => db.selectFrom('sso_providers').select(columns).orderBy('population').orderBy('name'))

/** Encrypts again every provider's secret that was encrypted with a former APP_SECRET; returns how many. */
export async function resealProviderSecrets({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<number> {
  let resealed = 0
  for (const { id, slug, sealed_secret: from } of await all(db, {})) {
    const to = from === null ? undefined : keys.reseal(secretPurpose(slug), from)
    if (to !== undefined) resealed += (await replace(db, { id, from: from!, to })).length
  }
  return resealed
}

const replace = prepared((db, p: { id: number; from: string; to: string }) =>
  db
    .updateTable('sso_providers')
    .set({ sealed_secret: p.to })
    .where('id', '=', p.id)
    .where('sealed_secret', '=', p.from)
    .returning('id')
)
