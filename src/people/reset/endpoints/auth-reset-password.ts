import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { NewPassword, Verbatim } from '../../../kit/schemas.ts'
import { resetPassword as replacePassword } from '../reset-password.ts'
import { ResetTokenInvalid, ResetTokenUsed } from '../reset-token.ts'

/** Consumes the token, and ends every session of the client (contract: Reset token, first row; decision 19). */
export const resetPassword = endpoint({
  path: '/api/auth/reset-password',
  summary: 'Set a new password with a reset token',
  access: 'public',
  body: Type.Object({
    token: Verbatim(2048, 'eyJhbGciOiJIUzI1NiJ9.eyJyZXNldCI6MX0.c2lnbmF0dXJl'),
    new_password: NewPassword()
  }),
  errors: [ResetTokenInvalid, ResetTokenUsed],
  async handle({ body, services, caller }) {
    await replacePassword(services, body.token, body.new_password, caller)
    return { message: 'Your password has been changed. Please log in with the new one' }
  }
})
