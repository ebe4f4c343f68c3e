import { Type } from 'typebox'
import { permissionSlugs } from '../../core/permissions.ts'
import { BooleanInput, Flag, Id, Instant, IsoTime, Name, Nullable, OneOf, OutputText, Text } from '../../kit/schemas.ts'
import { Password } from '../auth/schemas.ts'
import { AuthenticationResponse } from '../passkeys/schemas.ts'
import { PermissionList } from '../staff/schemas.ts'

const password = Type.Optional(
  Type.Unsafe<string>({
    ...Password,
    description: 'Your password. It is not asked of whoever has signed in within ten minutes.'
  })
)

/** How somebody shows that it is they, whose sign-in is older than ten minutes. */
const proof = {
  password,
  passkey: Type.Optional({
    ...Type.Object({ challenge_id: Id(), response: AuthenticationResponse }),
    description: 'In place of the password: what a passkey of the caller has signed, with the options of a sign-in.'
  })
}

/** What somebody says who makes a token. */
export const newTokenFields = {
  name: Name(60, 'Nightly export'),
  permissions: Type.Optional(
    Type.Unsafe<(typeof permissionSlugs)[number][] | null>({
      type: ['array', 'null'],
      items: OneOf(permissionSlugs),
      maxItems: 100,
      examples: [['tickets.view_all']],
      description: 'Of those that its owner has; missing or null: all that its owner may. Only for staff.'
    })
  ),
  departments: Type.Optional(
    Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: Id(),
      maxItems: 200,
      examples: [[1]],
      description: 'The deptids to which it is limited; missing or null: all that its owner sees. Only for staff.'
    })
  ),
  addresses: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', minLength: 2, maxLength: 43 },
      minItems: 1,
      maxItems: 20,
      examples: [['192.0.2.0/24']],
      description: 'The IP addresses and networks from which it may be used; missing or null: anywhere.'
    })
  ),
  read_only: Type.Optional(BooleanInput(0)),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      ...Nullable(Instant('2027-03-20T08:00:00Z')),
      description: 'In the future; missing or null: it works until it is revoked.'
    })
  ),
  ...proof
}

/** What somebody says who replaces a token. */
export const replacementFields = { id: Id(), ...proof }

/** What a service account may, and what it is for. */
export const serviceAccountFields = {
  purpose: Type.Optional(Nullable(Text(255, 'Opens tickets for orders that failed'))),
  permissions: Type.Optional(PermissionList),
  departments: Type.Optional(
    Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: Id(),
      maxItems: 200,
      examples: [[1]],
      description: 'The deptids to which it is limited; null or an empty list: none, it sees all.'
    })
  )
}

/** A token as lists show it: never its secret. */
export const ApiTokenView = Type.Object({
  id: Id(),
  name: OutputText('Nightly export'),
  last_four: OutputText('7yTq'),
  permissions: Nullable(Type.Array(OneOf(permissionSlugs))),
  departments: Nullable(Type.Array(Type.Object({ deptid: Id(), name: OutputText('Technical Support') }))),
  addresses: Nullable(Type.Array(OutputText('192.0.2.0/24'))),
  read_only: Flag(0),
  created_at: IsoTime(),
  expires_at: Nullable(IsoTime()),
  // By day and network only: neither the hour nor the whole address is kept.
  last_used_on: Nullable(Type.String({ format: 'date', examples: ['2026-11-23'] })),
  last_used_network: Nullable(OutputText('192.0.2.0/24')),
  // Its successor. Both work for a day, or until this one ends.
  replaced_by: Nullable(Id(32))
})

/** Whose it is. */
export const ApiTokenOwner = Type.Object({
  user_type: OneOf(['client', 'staff']),
  id: Id(),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  is_service_account: Flag(0)
})

export const OwnedApiToken = Type.Object({ ...ApiTokenView.properties, owner: ApiTokenOwner })

/** A new one, with its secret, which is shown only here. */
export const NewApiToken = Type.Object({
  token: OutputText('dl_0NqVhLx2mW8yZ4aKc7RtBf1uPjEsD3gZX5Tq'),
  api_token: ApiTokenView
})
