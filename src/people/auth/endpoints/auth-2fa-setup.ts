import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Unauthenticated } from '../../../kit/errors.ts'
import { Flag, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { setUpTwoFactor } from '../two-factor.ts'

/** Creates a new secret, which `enable` activates (contract: POST /api/auth/2fa/setup). */
export const setUpSecondFactor = endpoint({
  path: '/api/auth/2fa/setup',
  summary: 'Get the secret for an authenticator app',
  access: 'user',
  signedInOnly: true,
  answersSecrets: true,
  whileRestricted: true,
  data: Type.Object({
    secret: OutputText('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
    otpauth_uri: OutputText(
      'otpauth://totp/Deskline:ada%40example.com?issuer=Deskline&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30'
    ),
    two_factor_enabled: Flag(0)
  }),
  errors: [Unauthenticated],
  async handle({ actor, services }) {
    const { secret, otpauthUri, isEnabled } = await setUpTwoFactor(services, actor)
    return {
      message: 'Add the secret to your authenticator app, then enable it with a code',
      data: { secret, otpauth_uri: otpauthUri, two_factor_enabled: bit(isEnabled) }
    }
  }
})
