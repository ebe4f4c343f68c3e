import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf } from '../../../core/sessions/page-sessions.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { StaffUser, staffUserView } from '../../staff/views.ts'
import { AccountInactive, logIn, WrongCredentials } from '../log-in.ts'
import { loginResponse } from '../login-response.ts'
import { SsoRequired } from '../password-allowed.ts'
import { CredentialFields } from '../schemas.ts'
import { LoginResult, SecondFactorChallenge, secondFactorChallenge } from '../views.ts'
import { WrongFactor } from '../wrong-factors.ts'

/** Logs a staff member in, or asks for the second factor (contract: POST /api/admin/auth/login; decision 15). */
export const logInStaff = endpoint({
  path: '/api/admin/auth/login',
  aliases: ['/api/admin/login'],
  summary: 'Log in as a member of staff',
  access: 'public',
  answersSecrets: true,
  body: CredentialFields,
  data: Type.Union([...LoginResult(StaffUser), SecondFactorChallenge]),
  errors: [WrongCredentials, WrongFactor, AccountInactive, SsoRequired, TooManyAttempts, CrossOriginPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const login = await logIn(services, 'staff', body, caller)
    if (!login.tokens) return secondFactorChallenge(login)
    const { tokens, cookies } = await loginResponse(services, page, 'staff', login.tokens)
    return { message: 'Logged in', data: { ...tokens, user: staffUserView(login.account) }, cookies }
  }
})
