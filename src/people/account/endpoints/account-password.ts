import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { NewPassword } from '../../../kit/schemas.ts'
import { WrongPassword } from '../../auth/prove-password.ts'
import { Password } from '../../auth/schemas.ts'
import { changePassword } from '../change-password.ts'

/** Replaces the caller's password. Every other session ends, and the caller is notified by e-mail. */
export const changeOwnPassword = endpoint({
  path: '/api/account/password',
  summary: 'Change your password',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ current_password: Password, new_password: NewPassword() }),
  data: Type.Object({ sessions_ended: Type.Integer({ examples: [2] }) }),
  errors: [WrongPassword, Unauthenticated, TooManyAttempts],
  async handle({ body, session, services, caller }) {
    const given = { current: body.current_password, next: body.new_password }
    const ended = await changePassword(services, session, given, caller)
    return { message: 'Your password has been changed', data: { sessions_ended: ended } }
  }
})
