import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { WrongPassword } from '../../auth/prove-password.ts'
import { FactorCode, Password } from '../../auth/schemas.ts'
import { makeRecoveryCodes, TwoFactorOff } from '../../auth/two-factor.ts'
import { WrongFactor } from '../../auth/wrong-factors.ts'

/** Creates ten codes, each of which replaces the authenticator for one login. They are shown only here; the former ones become void. */
export const createRecoveryCodes = endpoint({
  path: '/api/account/2fa/recovery-codes',
  summary: 'Create recovery codes for two-factor authentication',
  access: 'user',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object({ password: Type.Optional(Password), code: Type.Optional(FactorCode) }),
  status: 201,
  data: Type.Object({ recovery_codes: Type.Array(OutputText('4k7cz-9q2xw')) }),
  errors: [TwoFactorOff, WrongPassword, WrongFactor, Unauthenticated, TooManyAttempts],
  async handle({ body, session, services, caller }) {
    const codes = await makeRecoveryCodes(services, session, body, caller)
    return { message: 'Keep these codes in a safe place: each logs you in once', data: { recovery_codes: codes } }
  }
})
