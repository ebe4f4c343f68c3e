import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Verbatim } from '../../../kit/schemas.ts'
import { UnknownUnsubscribeToken, unsubscribe } from '../unsubscribe.ts'

/** Mail programs call this when somebody unsubscribes with one click (RFC 8058); the token is in the URL. */
export const unsubscribeByLink = endpoint({
  path: '/api/notifications/unsubscribe',
  summary: 'Unsubscribe from automatic e-mails about tickets',
  access: 'public',
  query: ['token'],
  body: Type.Object({ token: Verbatim(255, '7.qL3l2bq0c7mJ9V6n1R5x8yT4w2zK0aB3dE6gH9jM1pQ') }),
  errors: [UnknownUnsubscribeToken],
  async handle({ body, services, caller }) {
    await unsubscribe(services, body.token, caller)
    return { message: 'You get no more automatic e-mails about tickets' }
  }
})
