import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { TooManyAttempts } from '../../kit/errors.ts'
import { ForeignPage, pageSessionOf } from '../../sessions/page-sessions.ts'
import { StaffUser, staffUserView } from '../../staff/views.ts'
import { AccountInactive, logIn, WrongCredentials } from '../log-in.ts'
import { CredentialFields } from '../schemas.ts'
import { signedIn } from '../signed-in.ts'
import { FactorWanted, factorWantedAnswer, LoggedIn } from '../views.ts'
import { WrongFactor } from '../wrong-factors.ts'

/** Logs a staff member in, or asks for the second factor (contract: POST /api/admin/auth/login; decision 15). */
export const logInStaff = endpoint({
  path: '/api/admin/auth/login',
  aliases: ['/api/admin/login'],
  summary: 'Log in as a member of staff',
  access: 'public',
  answersSecrets: true,
  body: CredentialFields,
  data: Type.Union([...LoggedIn(StaffUser), FactorWanted]),
  errors: [WrongCredentials, WrongFactor, AccountInactive, TooManyAttempts, ForeignPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const login = await logIn(services, 'staff', body, caller)
    if (!login.tokens) return factorWantedAnswer(login)
    const { tokens, cookies } = await signedIn(services, page, 'staff', login.tokens)
    return { message: 'Logged in', data: { ...tokens, user: staffUserView(login.account) }, cookies }
  }
})
