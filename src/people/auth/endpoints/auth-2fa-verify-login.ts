import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf } from '../../../core/sessions/page-sessions.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Verbatim } from '../../../kit/schemas.ts'
import { ClientUser, clientUserView } from '../../clients/views.ts'
import { StaffUser, staffUserView } from '../../staff/views.ts'
import { ChallengeExpired, completeChallenge } from '../challenges.ts'
import { loginResponse } from '../login-response.ts'
import { FactorCode } from '../schemas.ts'
import { LoginResult } from '../views.ts'
import { WrongFactor } from '../wrong-factors.ts'

/** The second step of a login, for clients and staff alike (contract: POST /api/auth/2fa/verify-login; decision 15). */
export const verifyLogin = endpoint({
  path: '/api/auth/2fa/verify-login',
  summary: 'Complete a login with the second factor',
  access: 'public',
  answersSecrets: true,
  body: Type.Object({
    temp_token: Verbatim(2000, 'eyJhbGciOiJIUzI1NiJ9.eyJjaGFsbGVuZ2UiOjF9.c2lnbmF0dXJl'),
    code: FactorCode
  }),
  data: Type.Union([...LoginResult(ClientUser), ...LoginResult(StaffUser)]),
  errors: [ChallengeExpired, WrongFactor, TooManyAttempts, CrossOriginPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const { account, tokens: pair } = await completeChallenge(services, body.temp_token, body.code, caller)
    const { tokens, cookies } = await loginResponse(services, page, account.population, pair)
    const message = 'Logged in'
    return account.population === 'client'
      ? { message, data: { ...tokens, user: clientUserView(account) }, cookies }
      : { message, data: { ...tokens, user: staffUserView(account) }, cookies }
  }
})
