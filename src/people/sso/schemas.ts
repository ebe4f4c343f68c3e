import { type Static, Type } from 'typebox'
import { permissionSlugs } from '../../core/permissions.ts'
import {
  BooleanInput,
  Flag,
  Id,
  Name,
  Nullable,
  OneOf,
  OutputText,
  Text,
  Timestamp,
  Verbatim
} from '../../kit/schemas.ts'
import { ExpectedVersion, Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { Domains } from '../organisations/schemas.ts'
import type { Identity } from './identities.ts'
import { callbackUrl, type SsoProvider } from './providers.ts'
import type { SsoRefusal } from './refusals.ts'

export const Slug = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$',
  minLength: 1,
  maxLength: 50,
  examples: ['nordlicht'],
  'x-trim': true,
  'x-invalid': 'slug must be of small letters, digits and hyphens'
})

const Population = OneOf(['staff', 'client'])
const EmailTrust = OneOf(['verified_claim', 'issuer'])
const exampleRoles = { 'support-leads': { permissions: ['tickets.view_all'], deptids: [1] } }

/** What each value of the role claim gives to supporters. */
const RoleMap = Type.Record(
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Object({
    permissions: Type.Array(OneOf(permissionSlugs), { maxItems: permissionSlugs.length }),
    deptids: Type.Array(Id(), { maxItems: 100 })
  }),
  {
    maxProperties: 100,
    examples: [exampleRoles],
    'x-invalid': 'role_map must hold permissions and deptids for each role'
  }
)

const fields = {
  name: Name(100, 'Nordlicht'),
  issuer: Text(500, 'https://login.nordlicht.example'),
  client_id: Text(255, 'deskline')
}

const options = {
  client_secret: Type.Optional(Nullable(Verbatim(1000, '6Lk8pQ'))),
  scopes: Type.Optional(Text(500, 'openid email profile')),
  domains: Type.Optional(Domains),
  email_trust: Type.Optional(EmailTrust),
  create_accounts: Type.Optional(BooleanInput(0)),
  role_claim: Type.Optional(Nullable(Text(200, 'groups'))),
  role_map: Type.Optional(RoleMap),
  trust_amr_mfa: Type.Optional(BooleanInput(0)),
  is_active: Type.Optional(BooleanInput(1))
}

export const NewSsoProvider = Type.Object({ slug: Slug, population: Population, ...fields, ...options })
export type NewSsoProvider = Static<typeof NewSsoProvider>

export const SsoProviderChanges = Type.Object({
  id: Id(),
  ...Type.Partial(Type.Object(fields)).properties,
  ...options,
  expected_version: ExpectedVersion
})
export type SsoProviderChanges = Static<typeof SsoProviderChanges>

export const SsoProviderView = Type.Object({
  id: Id(),
  slug: OutputText('nordlicht'),
  name: OutputText('Nordlicht'),
  population: Population,
  issuer: OutputText('https://login.nordlicht.example'),
  client_id: OutputText('deskline'),
  // The secret is never shown.
  has_secret: Flag(),
  scopes: OutputText('openid email profile'),
  domains: Type.Array(OutputText('nordlicht.example')),
  email_trust: EmailTrust,
  create_accounts: Flag(0),
  role_claim: Nullable(OutputText('groups')),
  role_map: Type.Record(
    Type.String(),
    Type.Object({ permissions: Type.Array(OutputText('tickets.view_all')), deptids: Type.Array(Id()) }),
    { examples: [exampleRoles] }
  ),
  trust_amr_mfa: Flag(0),
  is_active: Flag(),
  // To register at the provider.
  redirect_uri: OutputText('https://desk.example/api/sso/nordlicht/callback'),
  created_at: Timestamp(),
  version: Version
})

const Count = Type.Integer({ minimum: 0, examples: [9] })

/** A provider with the number of people who sign in by it. */
export const ListedSsoProvider = Type.Object({ ...SsoProviderView.properties, connected_count: Count })

export const StaffLockedOut = Type.Object({
  id: Id(),
  first_name: OutputText('Jonas'),
  last_name: OutputText('Petersen')
})

/** To which name passkeys are bound, or why there are none, and how many people have one. */
export const PasskeyUse = Type.Object({
  host: Nullable(OutputText('desk.example')),
  unavailable_reason: Nullable(OutputText('Passkeys need https and a name; this desk runs at an IP address')),
  staff_count: Count,
  client_count: Count
})

export function ssoProviderView(provider: SsoProvider, base: { BASE_URL: string }): Static<typeof SsoProviderView> {
  const { sealed_secret, updated_at: _, ...shown } = provider
  return {
    ...shown,
    has_secret: bit(sealed_secret !== null),
    create_accounts: bit(provider.create_accounts),
    trust_amr_mfa: bit(provider.trust_amr_mfa),
    is_active: bit(provider.is_active),
    redirect_uri: callbackUrl(base, provider.slug),
    created_at: timestamp(provider.created_at)
  }
}

/** A provider as the sign-in pages show it. */
export const SignOnView = Type.Object({
  slug: OutputText('nordlicht'),
  name: OutputText('Nordlicht'),
  population: Population
})

export const SsoRefusalView = Type.Object({
  id: Id(),
  slug: OutputText('nordlicht'),
  reference: OutputText('7KD-2P4'),
  code: OutputText('link_refused'),
  reason: OutputText('The claim email_verified is missing'),
  created_at: Timestamp()
})

export function ssoRefusalView(refusal: SsoRefusal): Static<typeof SsoRefusalView> {
  return { ...refusal, created_at: timestamp(refusal.created_at) }
}

export const IdentityView = Type.Object({
  id: Id(),
  slug: OutputText('nordlicht'),
  name: OutputText('Nordlicht'),
  created_at: Timestamp(),
  last_used_at: Nullable(Timestamp())
})

export function identityView(identity: Identity): Static<typeof IdentityView> {
  const { created_at, last_used_at } = identity
  return { ...identity, created_at: timestamp(created_at), last_used_at: last_used_at && timestamp(last_used_at) }
}

export const TestStep = Type.Object({
  step: OneOf(['discovery', 'keys', 'sign_in']),
  state: OneOf(['ok', 'failed', 'waiting']),
  detail: OutputText('https://login.nordlicht.example answers')
})

/** What a sign-in would do: whom it would find, why it would be refused, which roles it would give. */
export const TestEffect = Type.Object({
  kind: OneOf(['signs_in', 'connects', 'creates', 'refused', 'roles', 'roles_stay', 'no_code']),
  detail: OutputText('Mira Özdemir'),
  deptids: Type.Array(Id())
})

export const TestFindings = Type.Object({
  claims: Type.Array(Type.Object({ name: OutputText('email'), value: OutputText('mira@nordlicht.example') })),
  effects: Type.Array(TestEffect),
  // The effects as sentences.
  outcome: Type.Array(OutputText('Finds Mira Özdemir by the e-mail address, and connects them')),
  warnings: Type.Array(OutputText('Roles stay as they are: the claim groups was not sent'))
})
