import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Verbatim } from '../../kit/fields.ts'
import { stopLetters, UnknownStopToken } from '../stop-letters.ts'

/** What mail programs call when somebody ends letters with one click (RFC 8058): the token comes in the address. */
export const stopOwnLetters = endpoint({
  path: '/api/letters/stop',
  summary: 'End the letters about tickets that a token came with',
  access: 'public',
  query: ['token'],
  body: Type.Object({ token: Verbatim(255, '7.qL3l2bq0c7mJ9V6n1R5x8yT4w2zK0aB3dE6gH9jM1pQ') }),
  errors: [UnknownStopToken],
  async handle({ body, services, caller }) {
    await stopLetters(services, body.token, caller)
    return { message: 'You get no more letters about tickets' }
  }
})
