import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Flag, Id, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { CodeRefused } from '../codes.ts'
import { NoSuchNumber, verifyPhoneWith } from '../phone.ts'
import { OneTimeCode, PhoneNumber } from '../schemas.ts'

/** Both fields are required, except that a client's bearer token may replace the account's own number. */
export const verifyPhone = endpoint({
  path: '/api/auth/verify-phone',
  summary: 'Verify a phone number with the code',
  access: 'optional',
  about: { clients: ['user_id'] },
  body: Type.Object({ phone_number: Type.Optional(PhoneNumber()), code: Type.Optional(OneTimeCode()) }),
  data: Type.Object({ user_id: Id(), phone_number: OutputText('+1 555 0100'), is_phone_verified: Flag() }),
  errors: [NoSuchNumber, CodeRefused, TooManyAttempts],
  async handle({ body: { phone_number, code }, actor, services, caller }) {
    const verified = await verifyPhoneWith(services, actor, { phone_number, code }, caller)
    return {
      message: 'The phone number is verified',
      data: { user_id: verified.clientId, phone_number: verified.phoneNumber, is_phone_verified: bit(true) }
    }
  }
})
