import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Email, Flag, Id, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { NoSuchAccount } from '../../clients/client-by-email.ts'
import { CodeRefused } from '../codes.ts'
import { verifyEmailWith } from '../email.ts'
import { OneTimeCode } from '../schemas.ts'

/** Both fields are required, except that a client's bearer token may replace the e-mail address. */
export const verifyEmail = endpoint({
  path: '/api/auth/verify-email',
  summary: 'Verify an e-mail address with the code',
  access: 'optional',
  about: { clients: ['user_id'] },
  body: Type.Object({ email: Type.Optional(Email()), code: Type.Optional(OneTimeCode()) }),
  data: Type.Object({ user_id: Id(), email: OutputText('ada@example.com'), is_email_verified: Flag() }),
  errors: [NoSuchAccount, CodeRefused, TooManyAttempts],
  async handle({ body: { email, code }, actor, services, caller }) {
    const verified = await verifyEmailWith(services, actor, { email, code }, caller)
    return {
      message: 'The e-mail address is verified',
      data: { user_id: verified.clientId, email: verified.email, is_email_verified: bit(true) }
    }
  }
})
