import { type Static, Type } from 'typebox'
import { Flag, Id, Name, Nullable, OutputText, Timestamp, Verbatim } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import type { OwnPasskey } from './passkeys.ts'

// Browsers add to what they send: what we do not know is left alone.
const further = { additionalProperties: true }

const credentialFields = {
  id: Verbatim(1400, 'KVYvdY6R2vbq2kF0Hq3oQw'),
  rawId: Verbatim(1400, 'KVYvdY6R2vbq2kF0Hq3oQw'),
  type: Verbatim(20, 'public-key')
}

/** What a browser answers to the options of a new passkey (WebAuthn: RegistrationResponseJSON). */
export const RegistrationResponse = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      {
        clientDataJSON: Verbatim(8000, 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'),
        attestationObject: Verbatim(40_000, 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg'),
        transports: Type.Optional(Type.Array(Verbatim(32, 'internal'), { maxItems: 16 }))
      },
      further
    )
  },
  further
)

/** What a browser answers to the options of a sign-in (WebAuthn: AuthenticationResponseJSON). */
export const AuthenticationResponse = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      {
        clientDataJSON: Verbatim(8000, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'),
        authenticatorData: Verbatim(20_000, 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'),
        signature: Verbatim(4000, 'MEUCIQDx'),
        userHandle: Type.Optional(Nullable(Type.String({ maxLength: 200, examples: ['Y2xpZW50Ojc'] })))
      },
      further
    )
  },
  further
)

/** The options for the browser, as WebAuthn has them in JSON. */
export const BrowserOptions = Type.Object({}, { ...further, examples: [{ challenge: 'c2lnbiB0aGlz' }] })

export const PasskeyName = Name(100, 'MacBook of Ada')

export const PasskeyView = Type.Object({
  id: Id(),
  name: OutputText('MacBook of Ada'),
  // Whether the browser or the system keeps a copy of it, as in iCloud or Google’s password manager.
  is_backed_up: Flag(),
  transports: Type.Array(OutputText('internal')),
  aaguid: OutputText('fbfc3007-154e-4ecc-8c0b-6e020557d7bd'),
  // Its counter went back, so that a copy may exist: it no longer signs in.
  is_blocked: Flag(0),
  created_at: Timestamp(),
  last_used_at: Nullable(Timestamp())
})

export function passkeyView(passkey: OwnPasskey): Static<typeof PasskeyView> {
  const { id, name, transports, aaguid, created_at, last_used_at } = passkey
  return {
    id,
    name,
    transports: [...transports],
    aaguid,
    is_backed_up: bit(passkey.is_backed_up),
    is_blocked: bit(passkey.blocked_at !== null),
    created_at: timestamp(created_at),
    last_used_at: last_used_at && timestamp(last_used_at)
  }
}
