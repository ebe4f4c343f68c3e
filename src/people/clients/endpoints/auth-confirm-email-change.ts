import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Verbatim } from '../../../kit/schemas.ts'
import { ConfirmationInvalid, confirmEmailFromFormer } from '../confirm-email.ts'

/** Confirms the address that staff have given a client, by the link sent to the former one (beyond the contract). */
export const confirmEmailChange = endpoint({
  path: '/api/auth/confirm-email-change',
  summary: 'Confirm a changed e-mail address with the link sent to the previous one',
  access: 'public',
  body: Type.Object({ token: Verbatim(2048, 'eyJhbGciOiJIUzI1NiJ9.eyJjaGFuZ2UiOjF9.c2lnbmF0dXJl') }),
  errors: [ConfirmationInvalid],
  async handle({ body, services, caller }) {
    await confirmEmailFromFormer(services, body.token, caller)
    return { message: 'The new e-mail address is confirmed' }
  }
})
