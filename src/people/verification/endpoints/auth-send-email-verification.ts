import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Email, OutputText } from '../../../kit/schemas.ts'
import { NoSuchAccount } from '../../clients/client-by-email.ts'
import { EmailUnconfirmed } from '../../clients/email-changes.ts'
import { sendEmailCode } from '../email.ts'

/** The e-mail address selects the account; without one, a client's bearer token does. */
export const sendEmailVerification = endpoint({
  path: '/api/auth/send-email-verification',
  summary: 'E-mail a verification code',
  access: 'optional',
  about: 'caller',
  body: Type.Object({ email: Type.Optional(Email()) }),
  data: Type.Object({
    email: OutputText('ada@example.com'),
    expires_in: Type.Integer({ examples: [900] }),
    code: Type.Optional(OutputText('123456'))
  }),
  errors: [NoSuchAccount, TooManyAttempts, EmailUnconfirmed],
  async handle({ body, actor, services, caller }) {
    const { email, code, expiresInSeconds } = await sendEmailCode(services, actor, body.email, caller)
    return {
      message: 'A verification code has been sent by e-mail',
      data: { email, expires_in: expiresInSeconds, ...(services.config.DISCLOSE_CODES ? { code } : {}) }
    }
  }
})
