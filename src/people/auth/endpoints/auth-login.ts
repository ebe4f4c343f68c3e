import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf } from '../../../core/sessions/page-sessions.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { ClientProfile, clientProfileView } from '../../clients/views.ts'
import { AccountInactive, logIn, WrongCredentials } from '../log-in.ts'
import { loginResponse } from '../login-response.ts'
import { CredentialFields } from '../schemas.ts'
import { LoginResult, SecondFactorChallenge, secondFactorChallenge } from '../views.ts'
import { WrongFactor } from '../wrong-factors.ts'

/** Logs a client in, or asks for the second factor (contract: POST /api/auth/login). */
export const logInClient = endpoint({
  path: '/api/auth/login',
  summary: 'Log in as a client',
  access: 'public',
  answersSecrets: true,
  body: CredentialFields,
  data: Type.Union([...LoginResult(ClientProfile), SecondFactorChallenge]),
  errors: [WrongCredentials, WrongFactor, AccountInactive, TooManyAttempts, CrossOriginPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const login = await logIn(services, 'client', body, caller)
    if (!login.tokens) return secondFactorChallenge(login)
    const { tokens, cookies } = await loginResponse(services, page, 'client', login.tokens)
    return { message: 'Logged in', data: { ...tokens, user: clientProfileView(login.account) }, cookies }
  }
})
