import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Email } from '../../../kit/schemas.ts'
import { requestStaffReset } from '../staff-reset.ts'

/** The response is the same whether or not there is such a staff member; the token is sent only by e-mail, whatever the settings. */
export const forgotStaffPassword = endpoint({
  path: '/api/admin/auth/forgot-password',
  summary: 'E-mail a member of staff a password reset link',
  access: 'public',
  body: Type.Object({ email: Email() }),
  errors: [TooManyAttempts],
  async handle({ body, services, caller }) {
    await requestStaffReset(services, body.email, caller)
    return {
      message: 'If a member of staff has this e-mail address, a link to choose a new password is on its way'
    }
  }
})
