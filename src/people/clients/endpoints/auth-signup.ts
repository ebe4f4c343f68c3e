import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { countSignUp } from '../../../core/rate-limits/use-limits.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id, NewPassword, OutputText } from '../../../kit/schemas.ts'
import { contactFields, nameFields } from '../columns.ts'
import { EmailTaken, SignUpClosed, signUp } from '../sign-up.ts'

/** Opens an account for a client (contract: POST /api/auth/signup). */
export const registerClient = endpoint({
  path: '/api/auth/signup',
  summary: 'Sign up a client',
  access: 'public',
  about: { clients: ['user_id'] },
  keysWithoutLogin: true,
  body: Type.Object({ ...nameFields, password: NewPassword(), ...contactFields }),
  status: 201,
  data: Type.Object({
    user_id: Id(),
    first_name: OutputText('Ada'),
    last_name: OutputText('Lovelace'),
    email: OutputText('ada@example.com')
  }),
  errors: [SignUpClosed, EmailTaken, TooManyAttempts],
  async handle({ body, services, caller }) {
    if ((await settingsOf(services.db)).settings.sign_up === 0) throw SignUpClosed()
    await countSignUp(services, caller.ip)
    const language = languageAmong(caller.headers['accept-language'])
    const user_id = await signUp(services, { ...body, language }, caller)
    const { first_name, last_name, email } = body
    return { message: 'Account created', data: { user_id, first_name, last_name, email } }
  }
})
