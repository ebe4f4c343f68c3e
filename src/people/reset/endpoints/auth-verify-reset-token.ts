import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, OutputText, Verbatim } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { openReset, ResetTokenInvalid, ResetTokenUsed } from '../reset-token.ts'

/** Shows whose password a reset token may replace, without consuming it. */
export const verifyResetToken = endpoint({
  path: '/api/auth/verify-reset-token',
  get: true,
  query: ['token'],
  summary: 'Check whether a password reset token is valid',
  access: 'public',
  onlyReads: true,
  body: Type.Object({ token: Verbatim(2048, 'eyJhbGciOiJIUzI1NiJ9.eyJyZXNldCI6MX0.c2lnbmF0dXJl') }),
  data: Type.Object({
    valid: Flag(),
    user_id: Id(),
    email: OutputText('ada@example.com'),
    first_name: OutputText('Ada')
  }),
  errors: [ResetTokenInvalid, ResetTokenUsed],
  async handle({ body, services }) {
    const { client } = await openReset(services, services.db, body.token)
    return {
      message: 'The reset token is valid',
      data: { valid: bit(true), user_id: client.id, email: client.email, first_name: client.first_name }
    }
  }
})
