import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf } from '../../../core/sessions/page-sessions.ts'
import { Flag, Nullable, OutputText } from '../../../kit/schemas.ts'
import { challengeCookie, challengeCookieOf } from '../sso-cookies.ts'

/** What a sign-in page needs to ask for the code, after a provider has sent somebody with a second factor: once, from the cookie of the callback. */
export const readChallenge = endpoint({
  path: '/api/sso/challenge',
  summary: 'Read the second-factor challenge of a sign-in by a provider',
  access: 'public',
  answersSecrets: true,
  data: Type.Object({
    requires_2fa: Flag(),
    temp_token: Nullable(OutputText('eyJhbGciOiJIUzI1NiJ9.eyJjaGFsbGVuZ2UiOjF9.c2ln'))
  }),
  errors: [CrossOriginPage],
  async handle({ services, caller }) {
    const page = pageSessionOf(services, caller)
    const token = page ? challengeCookieOf(services.config, caller.cookies()) : ''
    if (token === '') return { message: 'No code is asked for', data: { requires_2fa: 0 as const, temp_token: null } }
    const cookies = [challengeCookie(services.config, '')]
    return { message: 'Enter the code', data: { requires_2fa: 1 as const, temp_token: token }, cookies }
  }
})
