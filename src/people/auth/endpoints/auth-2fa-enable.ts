import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { Flag, Text } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { FactorCode } from '../schemas.ts'
import { enableTwoFactor, OtherSetupSecret, TwoFactorOn } from '../two-factor.ts'
import { WrongFactor } from '../wrong-factors.ts'

/** Turns the second factor on (contract: Two-factor state, first row). */
export const enableSecondFactor = endpoint({
  path: '/api/auth/2fa/enable',
  summary: 'Turn two-factor authentication on',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  whileRestricted: true,
  body: Type.Object({ secret: Text(255, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'), code: FactorCode }),
  data: Type.Object({ two_factor_enabled: Flag() }),
  errors: [TwoFactorOn, OtherSetupSecret, WrongFactor, Unauthenticated, TooManyAttempts],
  async handle({ body, actor, services, caller }) {
    await enableTwoFactor(services, actor, body, caller)
    return { message: 'Two-factor authentication is on', data: { two_factor_enabled: bit(true) } }
  }
})
