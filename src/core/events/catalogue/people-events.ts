import { Type } from 'typebox'
import { Flag, Id, IsoTime, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { administrative, Count, facts, Ids, type KindOfEvent, Names, Yes } from './kind-of-event.ts'

const isActive = { is_active: Yes() }
/** The names of the changed fields, not their values: the audit log outlives a person's data. */
const fields = Names(['last_name', 'phone_number'])
/** How many rows of each table were removed or anonymized. */
const rowsByTable = Type.Record(Type.String(), Count(1), { examples: [{ tickets: 2, ticket_messages: 4 }] })
const failedAttempts = { count: Count(5), from: IsoTime(), to: IsoTime() }

const chosenEmails = (example: 0 | 1) => ({
  ticket_emails: Type.Optional(Flag(example)),
  automatic_emails: Type.Optional(Flag(example)),
  rating_emails: Type.Optional(Flag(example)),
  assignment_emails: Type.Optional(Flag(example)),
  mention_emails: Type.Optional(Flag(example)),
  customer_reply_emails: Type.Optional(Flag(example))
})

/** The organisation of a client, and what they are in it. */
const membership = {
  organisation_id: Nullable(Id(3)),
  organisation_role: Nullable(OneOf(['member', 'manager'] as const, 'member'))
}
const organisation = { name: OutputText('Weingut Brückner'), domains: Names(['brueckner.example']) }
const changedOrganisation = {
  name: Type.Optional(organisation.name),
  domains: Type.Optional(organisation.domains),
  managers_follow: Type.Optional(Yes(false)),
  // That the note has changed, not what it says.
  note_changed: Type.Optional(Yes())
}

/** An identity provider, without its secret. */
const provider = {
  slug: OutputText('nordlicht'),
  name: OutputText('Nordlicht'),
  population: OneOf(['staff', 'client'] as const),
  issuer: OutputText('https://login.nordlicht.example'),
  client_id: OutputText('deskline'),
  scopes: OutputText('openid email profile'),
  domains: Names(['nordlicht.example']),
  email_trust: OneOf(['verified_claim', 'issuer'] as const),
  create_accounts: Yes(false),
  role_claim: Nullable(OutputText('groups')),
  roles: Names(['support-leads']),
  // What each of them gives; not in events of earlier versions.
  role_map: Type.Optional(
    Type.Record(Type.String(), Type.Object({ permissions: Names(['tickets.view_all']), deptids: Ids([1]) }), {
      examples: [{ 'support-leads': { permissions: ['tickets.view_all'], deptids: [1] } }]
    })
  ),
  trust_amr_mfa: Yes(false),
  is_active: Yes(),
  secret_changed: Yes(false)
}

const passkey = { passkey_id: Id(12) }
const serviceAccount = {
  name: OutputText('Shop system'),
  is_active: Yes(),
  permissions: Names(['tickets.reply']),
  // Deptids.
  departments: Nullable(Ids([1]))
}

/** Of clients, staff, and what both do with their own accounts. */
export const peopleEvents = {
  'client.created': administrative,
  'client.updated': { ...administrative, before: facts(isActive), after: facts({ ...isActive, fields }) },
  'client.deleted': { ...administrative, after: rowsByTable },
  'client.anonymized': { ...administrative, after: rowsByTable },
  'client.exported': administrative,
  'client.reset_sent': administrative,
  'client.two_factor_reset': {
    ...administrative,
    before: facts({ two_factor_enabled: Yes() }),
    after: facts({
      two_factor_enabled: Yes(false),
      reason: OutputText('Lost the phone, called back'),
      passkeys_deleted: Type.Optional(Count(0))
    })
  },
  'client.email_confirmed': { ...administrative, after: facts({ by: OneOf(['admin', 'link'] as const, 'link') }) },
  'client.address_cleared': administrative,
  'client.organisation_changed': {
    ...administrative,
    before: facts(membership),
    // By the domain of a proven e-mail address, or the change of it; or when organisations were merged.
    after: facts({ ...membership, by: OneOf(['staff', 'domain', 'merge'] as const, 'staff') })
  },
  'organisation.created': { ...administrative, after: facts({ ...organisation, people_joined: Count(12) }) },
  'organisation.updated': {
    ...administrative,
    before: facts(changedOrganisation),
    after: facts({ ...changedOrganisation, people_joined: Count(0) })
  },
  'organisation.archived': administrative,
  'organisation.unarchived': administrative,
  'organisation.deleted': { ...administrative, before: facts(organisation) },
  'organisation.merge_begun': { ...administrative, before: facts(organisation), after: facts({ into_id: Id(4) }) },
  'organisation.merged': {
    ...administrative,
    before: facts(organisation),
    after: facts({ into_id: Id(4), people_moved: Count(12), tickets_moved: Count(340) })
  },
  'staff.created': {
    ...administrative,
    after: facts({
      role: OneOf(['admin', 'supporter'] as const, 'supporter'),
      permissions: Nullable(Names(['tickets.view_all']))
    })
  },
  'staff.updated': {
    ...administrative,
    before: facts(isActive),
    after: facts({ ...isActive, fields, sessions_ended: Count(1) })
  },
  'staff.deleted': {
    ...administrative,
    before: facts({ ...isActive, permissions: Nullable(Names(['tickets.view_all'])) })
  },
  'staff.permissions_set': {
    ...administrative,
    before: facts({ permissions: Names(['tickets.reply']) }),
    after: facts({ permissions: Names(['tickets.reply', 'tickets.view_all']) })
  },
  'staff.signed_in': {
    ...administrative,
    after: facts({ second_factor: OneOf(['none', 'authenticator', 'recovery-code', 'passkey', 'provider'] as const) })
  },
  'staff.sign_in_failed': { ...administrative, after: facts({ by: OutputText('password'), ...failedAttempts }) },
  'staff.locked_out': { ...administrative, after: facts(failedAttempts) },
  'profile.changed': { ...administrative, after: facts({ fields }) },
  'password.changed': {
    ...administrative,
    after: facts({
      by: OneOf(['password', 'reset-link', 'admin', 'command'] as const),
      sessions_ended: Count(2)
    })
  },
  'session.revoked': { ...administrative, after: facts({ session_id: Id(31) }) },
  'sessions.revoked': { ...administrative, after: facts({ sessions_ended: Count(2) }) },
  'service_account.created': { ...administrative, after: facts(serviceAccount) },
  'service_account.updated': { ...administrative, before: facts(serviceAccount), after: facts(serviceAccount) },
  'service_account.deleted': { ...administrative, before: facts(serviceAccount) },
  'api_token.created': {
    ...administrative,
    after: facts({
      token_id: Id(31),
      // Gone once its owner was erased.
      name: Type.Optional(OutputText('Nightly export')),
      permissions: Nullable(Names(['tickets.view_all'])),
      read_only: Yes(false),
      expires_at: Nullable(IsoTime())
    })
  },
  'api_token.renamed': {
    ...administrative,
    before: facts({ token_id: Id(31), name: Type.Optional(OutputText('Nightly export')) }),
    after: facts({ token_id: Id(31), name: Type.Optional(OutputText('Export at night')) })
  },
  'api_token.replaced': {
    ...administrative,
    before: facts({ token_id: Id(31), name: Type.Optional(OutputText('Nightly export')) }),
    after: facts({
      token_id: Id(32),
      name: Type.Optional(OutputText('Nightly export')),
      expires_at: Nullable(IsoTime())
    })
  },
  'api_token.revoked': {
    ...administrative,
    before: facts({ token_id: Id(31), name: Type.Optional(OutputText('Nightly export')) })
  },
  'two_factor.enabled': administrative,
  'two_factor.disabled': administrative,
  'recovery_codes.made': { ...administrative, after: facts({ count: Count(10) }) },
  'recovery_code.used': administrative,
  'passkey.registered': { ...administrative, after: facts(passkey) },
  'passkey.renamed': { ...administrative, after: facts(passkey) },
  'passkey.deleted': { ...administrative, before: facts(passkey) },
  'passkeys.deleted': { ...administrative, after: facts({ count: Count(2) }) },
  // Its counter went back: a copy of it may exist.
  'passkey.blocked': { ...administrative, after: facts({ ...passkey, counter: Count(4), last_counter: Count(9) }) },
  'sso.connected': { ...administrative, after: facts({ provider: OutputText('nordlicht') }) },
  'sso.disconnected': { ...administrative, before: facts({ provider: OutputText('nordlicht') }) },
  'sso_provider.created': { ...administrative, after: facts(provider) },
  'sso_provider.updated': { ...administrative, before: facts(provider), after: facts(provider) },
  'sso_provider.deleted': { ...administrative, before: facts(provider) },
  'notifications.changed': {
    ...administrative,
    before: facts(chosenEmails(1)),
    after: facts(chosenEmails(0))
  }
} as const satisfies Record<string, KindOfEvent>
