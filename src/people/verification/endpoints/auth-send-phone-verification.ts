import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { NoSuchNumber, sendPhoneCode } from '../phone.ts'
import { PhoneNumber } from '../schemas.ts'

/** With a client's bearer token the number may be new; without one it has to be that of an account (decision 22). */
export const sendPhoneVerification = endpoint({
  path: '/api/auth/send-phone-verification',
  summary: 'Send a verification code by text message',
  access: 'optional',
  about: 'caller',
  body: Type.Object({ phone_number: Type.Optional(PhoneNumber()) }),
  data: Type.Object({
    phone_number: OutputText('+1 555 0100'),
    expires_in: Type.Integer({ examples: [900] }),
    code: Type.Optional(OutputText('123456'))
  }),
  errors: [NoSuchNumber, TooManyAttempts],
  async handle({ body, actor, services, caller }) {
    const { phoneNumber, code, expiresInSeconds } = await sendPhoneCode(services, actor, body.phone_number, caller)
    const disclosed = services.config.DISCLOSE_CODES ? { code } : {}
    return {
      message: 'A verification code has been sent by text message',
      data: { phone_number: phoneNumber, expires_in: expiresInSeconds, ...disclosed }
    }
  }
})
