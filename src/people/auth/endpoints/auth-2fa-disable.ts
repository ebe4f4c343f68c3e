import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { Flag } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { WrongPassword } from '../prove-password.ts'
import { FactorCode, Password } from '../schemas.ts'
import { disableTwoFactor, TwoFactorOff } from '../two-factor.ts'
import { WrongFactor } from '../wrong-factors.ts'

/** Turns the second factor off (contract: Two-factor state, second row). */
export const disableSecondFactor = endpoint({
  path: '/api/auth/2fa/disable',
  summary: 'Turn two-factor authentication off',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ password: Type.Optional(Password), code: Type.Optional(FactorCode) }),
  data: Type.Object({ two_factor_enabled: Flag(0) }),
  errors: [TwoFactorOff, WrongPassword, WrongFactor, Unauthenticated, TooManyAttempts],
  async handle({ body, session, services, caller }) {
    await disableTwoFactor(services, session, body, caller)
    return { message: 'Two-factor authentication is off', data: { two_factor_enabled: bit(false) } }
  }
})
