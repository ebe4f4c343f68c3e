import { type TSchema, Type } from 'typebox'
import { accessTokenSeconds } from '../../core/limits.ts'
import { Flag, OneOf, OutputText } from '../../kit/schemas.ts'

export const TokenFields = {
  token: OutputText('eyJhbGciOiJIUzI1NiJ9.eyJzZXNzaW9uIjoxfQ.c2lnbmF0dXJl'),
  refresh_token: OutputText('2YotnFZFEjr1zCsicMWpAA2YotnFZFEjr1zCsicMWpA'),
  expires_in: Type.Integer({ description: 'seconds', examples: [accessTokenSeconds] }),
  token_type: OneOf(['Bearer'])
}

const { refresh_token: _, ...fieldsWithoutRefresh } = TokenFields
/** The same for a page that keeps the refresh token in a cookie (`X-Deskline-Session`). */
export const CookieTokenFields = fieldsWithoutRefresh

/** The token pair with its user, in the forms with and without a cookie. */
export function LoginResult<T extends TSchema>(user: T) {
  return [
    Type.Object({ ...TokenFields, user }),
    Type.Object({ ...CookieTokenFields, user }, { description: 'Only with cookie sessions of pages.' })
  ] as const
}

/** The response to a right password if a second factor is on. */
export const SecondFactorChallenge = Type.Object({
  requires_2fa: Flag(),
  temp_token: OutputText('eyJhbGciOiJIUzI1NiJ9.eyJjaGFsbGVuZ2UiOjF9.c2lnbmF0dXJl'),
  email: OutputText('ada@example.com')
})

export function secondFactorChallenge({ account, tempToken }: { account: { email: string }; tempToken: string }) {
  return {
    message: 'Enter the 6-digit code of your authenticator app',
    data: { requires_2fa: 1 as const, temp_token: tempToken, email: account.email }
  }
}
