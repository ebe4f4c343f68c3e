import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf } from '../../../core/sessions/page-sessions.ts'
import { Id } from '../../../kit/schemas.ts'
import { AccountInactive } from '../../auth/log-in.ts'
import { loginResponse } from '../../auth/login-response.ts'
import { LoginResult } from '../../auth/views.ts'
import { ClientProfile, clientProfileView } from '../../clients/views.ts'
import { PasskeysUnavailable } from '../relying-party.ts'
import { AuthenticationResponse } from '../schemas.ts'
import { InvalidPasskey, PasskeyBlocked, signInWithPasskey } from '../sign-in-with-passkey.ts'

/** Signs a client in with a passkey, which stands for password and second factor. */
export const clientPasskeyVerify = endpoint({
  path: '/api/auth/passkey/verify',
  summary: 'Sign in with a passkey as a client',
  access: 'public',
  answersSecrets: true,
  body: Type.Object({ challenge_id: Id(), response: AuthenticationResponse }),
  data: Type.Union([...LoginResult(ClientProfile)]),
  errors: [InvalidPasskey, PasskeyBlocked, AccountInactive, PasskeysUnavailable, CrossOriginPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const { account, tokens: pair } = await signInWithPasskey(services, 'client', body, caller)
    const { tokens, cookies } = await loginResponse(services, page, 'client', pair)
    return { message: 'Logged in', data: { ...tokens, user: clientProfileView(account) }, cookies }
  }
})
