import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf, refusedSession, tokensFor } from '../../../core/sessions/page-sessions.ts'
import { rotateSession } from '../../../core/sessions/rotate-session.ts'
import { failure, MissingFields, Unauthenticated } from '../../../kit/errors.ts'
import { Flag } from '../../../kit/schemas.ts'
import { ClientProfile } from '../../clients/views.ts'
import { StaffUser } from '../../staff/views.ts'
import { profileOf } from '../login-response.ts'
import { CookieTokenFields, TokenFields } from '../views.ts'

const InvalidRefreshToken = failure(401, 'invalid_refresh_token', 'Invalid or expired refresh token')

/** Exchanges a refresh token, which is valid once, for a new pair (contract: POST /api/auth/refresh; decision 18). */
export const refreshTokens = endpoint({
  path: '/api/auth/refresh',
  summary: 'Refresh the access token',
  access: 'public',
  answersSecrets: true,
  body: Type.Object({
    refresh_token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        examples: ['2YotnFZFEjr1zCsicMWpAA2YotnFZFEjr1zCsicMWpA'],
        description: 'Required, except for pages with a cookie session (`X-Deskline-Session`).'
      })
    )
  }),
  data: Type.Union([
    Type.Object(TokenFields),
    Type.Object({ ...CookieTokenFields, user: Type.Union([ClientProfile, StaffUser]) }),
    Type.Object({ signed_in: Flag(0) }, { description: 'The page uses cookie sessions but has no cookie.' })
  ]),
  errors: [InvalidRefreshToken, Unauthenticated, CrossOriginPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const refreshToken = page ? page.refreshToken : body.refresh_token
    if (!refreshToken && page) return { message: 'Nobody is signed in', data: { signed_in: 0 as const } }
    if (!refreshToken) {
      throw MissingFields({ message: 'Missing required fields: refresh_token', errors: ['refresh_token'] })
    }
    const rotated = await rotateSession(services, refreshToken, caller, { inCookie: page !== undefined })
    if (!rotated) throw InvalidRefreshToken(refusedSession(page))
    const { tokens, cookies } = tokensFor(services, page, rotated.account.population, rotated.tokens)
    const message = 'Tokens renewed'
    if ('refresh_token' in tokens) return { message, data: tokens }
    return { message, data: { ...tokens, user: await profileOf(services, rotated.account) }, cookies }
  }
})
