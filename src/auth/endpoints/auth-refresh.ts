import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { failure } from '../../kit/errors.ts'
import { Verbatim } from '../../kit/schemas.ts'
import { rotateSession } from '../../sessions/sessions.ts'
import { TokenFields } from '../views.ts'

const InvalidRefreshToken = failure(401, 'invalid_refresh_token', 'Invalid or expired refresh token')

/** A new pair for a refresh token, which works once (contract: POST /api/auth/refresh; decision 18). */
export const refreshTokens = endpoint({
  path: '/api/auth/refresh',
  summary: 'Get a new pair of tokens',
  access: 'public',
  answersSecrets: true,
  body: Type.Object({ refresh_token: Verbatim(2000, '2YotnFZFEjr1zCsicMWpAA2YotnFZFEjr1zCsicMWpA') }),
  data: Type.Object(TokenFields),
  errors: [InvalidRefreshToken],
  async handle({ body, services, caller }) {
    const tokens = await rotateSession(services, body.refresh_token, caller)
    if (!tokens) throw InvalidRefreshToken()
    return { message: 'Tokens renewed', data: tokens }
  }
})
