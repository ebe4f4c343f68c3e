import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { OidcFault } from '../../platform/oidc/oidc.ts'
import { storedDomains } from '../organisations/domains.ts'
import { oidcClient, oidcOf, providerById, type SsoProvider, secretPurpose } from './providers.ts'
import type { NewSsoProvider, SsoProviderChanges } from './schemas.ts'

export const SsoProviderNotFound = failure(404, 'sso_provider_not_found', 'There is no such identity provider')
export const SlugTaken = failure(409, 'slug_taken', 'There is an identity provider with this slug already')

const tenantsOfAll = /^\/(common|organizations|consumers)(\/|$)/i

/** The provider. Throws `SsoProviderNotFound`. */
export async function ssoProvider(db: Db, id: number): Promise<SsoProvider> {
  const provider = await providerById(db, id)
  if (!provider) throw SsoProviderNotFound()
  return provider
}

/** Adds a provider that is there and is whom it says. Throws `InvalidFields` with the step that failed, `SlugTaken`. */
export async function createProvider(
  services: Services,
  actor: StaffActor,
  given: NewSsoProvider,
  caller: Caller
): Promise<SsoProvider> {
  const { slug, population, client_secret: secret } = given
  const provider = await checked(services, {
    id: 0,
    slug,
    population,
    version: 1,
    created_at: new Date(0),
    updated_at: new Date(0),
    ...settingsOf(given, defaults),
    sealed_secret: secret ? services.keys.seal(secretPurpose(slug), secret) : null
  })
  return await act(services, { actor, caller }, async act => {
    await requireDepartments(act.db, provider)
    const [stored] = await insert(act.db, { ...columnsOf(provider), slug, population, now: act.now })
    if (!stored) throw SlugTaken({ errors: ['slug'] })
    act.happened({ kind: 'sso_provider.created', subject, after: factsOf(provider, secret !== undefined) })
    return await ssoProvider(act.db, stored.id)
  })
}

/**
 * Changes a provider; what is not given stays, the secret too. Another issuer disconnects everybody, who are connected again as they were at first.
 * Throws as `createProvider`, `SsoProviderNotFound`, `VersionConflict`.
 */
export async function updateProvider(
  services: Services,
  actor: StaffActor,
  { id, expected_version, client_secret: secret, ...changes }: SsoProviderChanges,
  caller: Caller
): Promise<SsoProvider> {
  const former = await ssoProvider(services.db, id)
  const sealed =
    secret === undefined ? former.sealed_secret : secret && services.keys.seal(secretPurpose(former.slug), secret)
  const wanted = { ...former, ...settingsOf(changes, former), sealed_secret: sealed }
  const isElsewhere = !isDeepStrictEqual(pick(wanted), pick(former))
  const provider = isElsewhere ? await checked(services, wanted) : wanted
  return await act(services, { actor, caller }, async act => {
    const [locked] = await lock(act.db, { id })
    if (!locked) throw SsoProviderNotFound()
    // What was checked is what was read: a change in between, say by which it was turned off, must not be undone unseen.
    requireVersion(locked.version, expected_version ?? former.version)
    const [before, after] = [factsOf(former, false), factsOf(provider, secret !== undefined)]
    if (isDeepStrictEqual(before, after)) return former
    // A department that was deleted since hinders nobody who turns the provider off.
    if (changes.role_map) await requireDepartments(act.db, provider)
    await change(act.db, { ...columnsOf(provider), id, now: act.now })
    // A subject is somebody else at another issuer (O1).
    if (former.issuer !== provider.issuer) await disconnectEverybody(act.db, { id })
    act.happened({ kind: 'sso_provider.updated', subject, before, after })
    return await ssoProvider(act.db, id)
  })
}

/** Deletes a provider, and with it who was connected there. Throws `SsoProviderNotFound`. */
export async function deleteProvider(services: Services, actor: StaffActor, id: number, caller: Caller): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const former = await ssoProvider(act.db, id)
    if ((await remove(act.db, { id })).length === 0) throw SsoProviderNotFound()
    act.happened({ kind: 'sso_provider.deleted', subject, before: factsOf(former, false) })
  })
}

const subject = { type: 'setting', id: null } as const

type Settings = Pick<
  SsoProvider,
  | 'name'
  | 'issuer'
  | 'client_id'
  | 'scopes'
  | 'domains'
  | 'email_trust'
  | 'create_accounts'
  | 'role_claim'
  | 'role_map'
  | 'trust_amr_mfa'
  | 'is_active'
>

const defaults: Settings = {
  name: '',
  issuer: '',
  client_id: '',
  scopes: 'openid email profile',
  domains: [],
  email_trust: 'verified_claim',
  create_accounts: false,
  role_claim: null,
  role_map: {},
  trust_amr_mfa: false,
  is_active: false
}

function settingsOf(given: Omit<SsoProviderChanges, 'id'>, former: Settings): Settings {
  const flag = (name: 'create_accounts' | 'trust_amr_mfa' | 'is_active') =>
    given[name] === undefined ? former[name] : given[name] === 1
  return {
    name: given.name ?? former.name,
    issuer: given.issuer ?? former.issuer,
    client_id: given.client_id ?? former.client_id,
    scopes: given.scopes ?? former.scopes,
    domains: given.domains ? storedDomains(given.domains) : former.domains,
    email_trust: given.email_trust ?? former.email_trust,
    create_accounts: flag('create_accounts'),
    role_claim: given.role_claim === undefined ? former.role_claim : given.role_claim,
    role_map: given.role_map ?? former.role_map,
    trust_amr_mfa: flag('trust_amr_mfa'),
    is_active: flag('is_active')
  }
}

/** Throws `InvalidFields` unless the provider can be used, with the step that failed. */
async function checked(services: Services, provider: SsoProvider): Promise<SsoProvider> {
  const { issuer, scopes } = provider
  const refused = (field: string, message: string) => InvalidFields({ message, errors: [field] })
  const url = URL.parse(issuer)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw refused('issuer', 'issuer must be an https address without user name, ? and #')
  }
  if (tenantsOfAll.test(url.pathname)) {
    throw refused('issuer', 'issuer must name one tenant: whoever has an account at any firm could sign in otherwise')
  }
  const missing = ['openid', 'email'].filter(scope => !scopes.split(/\s+/).includes(scope))
  if (missing.length > 0)
    throw refused('scopes', `scopes must hold openid and email: ${missing.join(' and ')} is missing`)
  try {
    await oidcOf(services).discover(oidcClient(services, provider))
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error
    throw refused('issuer', `The step ${error.step} failed: ${error.message}`)
  }
  return provider
}

/** Whoever belongs to no department sees all of them: a role must not name one that is not there. Throws `InvalidFields`. */
async function requireDepartments(db: Db, { role_map }: SsoProvider): Promise<void> {
  const deptids = [...new Set(Object.values(role_map).flatMap(({ deptids }) => deptids))]
  const known = (await departmentsWith(db, { deptids })).map(({ deptid }) => deptid)
  const unknown = deptids.filter(deptid => !known.includes(deptid))
  if (unknown.length === 0) return
  const message = `role_map names departments that are not there: ${unknown.slice(0, 10).join(', ')}`
  throw InvalidFields({ message, errors: ['role_map'] })
}

function pick({ issuer, client_id, scopes, sealed_secret }: SsoProvider) {
  return { issuer, client_id, scopes, sealed_secret }
}

function factsOf(provider: SsoProvider, secret_changed: boolean) {
  const { slug, population, role_map, ...rest } = provider
  const { name, issuer, client_id, scopes, domains, email_trust } = rest
  const { create_accounts, role_claim, trust_amr_mfa, is_active } = rest
  const texts = { slug, name, population, issuer, client_id, scopes, domains, email_trust, role_claim }
  return { ...texts, roles: Object.keys(role_map), role_map, create_accounts, trust_amr_mfa, is_active, secret_changed }
}

function columnsOf(provider: SsoProvider) {
  const { id: _, slug: __, population: ___, version: ____, created_at, updated_at, ...columns } = provider
  return { ...columns, role_map: JSON.stringify(columns.role_map) }
}

type Columns = ReturnType<typeof columnsOf>

const insert = prepared((db, p: Columns & Pick<SsoProvider, 'slug' | 'population'> & { now: Date }) =>
  db
    .insertInto('sso_providers')
    .values({ slug: p.slug, population: p.population, ...written(p), created_at: p.now, updated_at: p.now })
    .onConflict(conflict => conflict.column('slug').doNothing())
    .returning('id')
)

const change = prepared((db, p: Columns & { id: number; now: Date }) =>
  db
    .updateTable('sso_providers')
    .set(eb => ({ ...written(p), updated_at: p.now, version: eb('version', '+', 1) }))
    .where('id', '=', p.id)
)

function written(p: Columns) {
  return {
    name: p.name,
    issuer: p.issuer,
    client_id: p.client_id,
    sealed_secret: p.sealed_secret,
    scopes: p.scopes,
    domains: p.domains,
    email_trust: p.email_trust,
    create_accounts: p.create_accounts,
    role_claim: p.role_claim,
    role_map: p.role_map as never,
    trust_amr_mfa: p.trust_amr_mfa,
    is_active: p.is_active
  }
}

const departmentsWith = prepared((db, p: { deptids: readonly number[] }) =>
  db.selectFrom('departments').where('deptid', '=', sql<number>`any(${p.deptids}::bigint[])`).select('deptid')
)

const lock = prepared((db, p: { id: number }) =>
  db.selectFrom('sso_providers').where('id', '=', p.id).select('version').forUpdate()
)

const disconnectEverybody = prepared((db, p: { id: number }) =>
  db.deleteFrom('sso_identities').where('provider_id', '=', p.id)
)

const remove = prepared((db, p: { id: number }) =>
  db.deleteFrom('sso_providers').where('id', '=', p.id).returning('id')
)
