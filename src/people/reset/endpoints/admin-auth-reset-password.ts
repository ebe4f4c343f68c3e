import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { NewPassword, Verbatim } from '../../../kit/schemas.ts'
import { ResetTokenInvalid, ResetTokenUsed } from '../reset-token.ts'
import { resetStaffPassword as replacePassword } from '../staff-reset.ts'

/** Consumes the token, and ends every session of the staff member. */
export const resetStaffPassword = endpoint({
  path: '/api/admin/auth/reset-password',
  summary: 'Set a new password for a member of staff with a reset token',
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
