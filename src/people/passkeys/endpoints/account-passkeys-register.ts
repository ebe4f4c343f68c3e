import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { FreshSignInRequired } from '../../auth/fresh-sign-in.ts'
import { WrongPassword } from '../../auth/prove-password.ts'
import { FactorCode, Password } from '../../auth/schemas.ts'
import { WrongFactor } from '../../auth/wrong-factors.ts'
import { PasskeyExists, PasskeyRefused, registerPasskey, TooManyPasskeys } from '../register-passkey.ts'
import { PasskeysUnavailable } from '../relying-party.ts'
import { PasskeyName, PasskeyView, passkeyView, RegistrationResponse } from '../schemas.ts'

/** Adds the passkey that a browser has made. Needs a sign-in of the last ten minutes, or the password, or a code of the authenticator. */
export const addPasskey = endpoint({
  path: '/api/account/passkeys/register',
  summary: 'Add a passkey',
  access: 'user',
  signedInOnly: true,
  whileRestricted: true,
  about: 'caller',
  body: Type.Object({
    challenge_id: Id(),
    response: RegistrationResponse,
    name: Type.Optional(PasskeyName),
    password: Type.Optional(Password),
    code: Type.Optional(FactorCode)
  }),
  status: 201,
  data: Type.Object({ passkey: PasskeyView }),
  errors: [
    FreshSignInRequired,
    WrongPassword,
    WrongFactor,
    PasskeyRefused,
    PasskeyExists,
    TooManyPasskeys,
    PasskeysUnavailable,
    Unauthenticated,
    TooManyAttempts
  ],
  async handle({ body, session, services, caller }) {
    const passkey = await registerPasskey(services, session, body, caller)
    return { message: 'The passkey signs you in from now on', data: { passkey: passkeyView(passkey) } }
  }
})
