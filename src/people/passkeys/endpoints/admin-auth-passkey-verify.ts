import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { CrossOriginPage, pageSessionOf } from '../../../core/sessions/page-sessions.ts'
import { Id } from '../../../kit/schemas.ts'
import { AccountInactive } from '../../auth/log-in.ts'
import { loginResponse } from '../../auth/login-response.ts'
import { LoginResult } from '../../auth/views.ts'
import { StaffUser, staffUserView } from '../../staff/views.ts'
import { PasskeysUnavailable } from '../relying-party.ts'
import { AuthenticationResponse } from '../schemas.ts'
import { InvalidPasskey, PasskeyBlocked, signInWithPasskey } from '../sign-in-with-passkey.ts'

/** Signs a member of staff in with a passkey, which stands for password and second factor. */
export const staffPasskeyVerify = endpoint({
  path: '/api/admin/auth/passkey/verify',
  summary: 'Sign in with a passkey as a member of staff',
  access: 'public',
  answersSecrets: true,
  body: Type.Object({ challenge_id: Id(), response: AuthenticationResponse }),
  data: Type.Union([...LoginResult(StaffUser)]),
  errors: [InvalidPasskey, PasskeyBlocked, AccountInactive, PasskeysUnavailable, CrossOriginPage],
  async handle({ body, services, caller }) {
    const page = pageSessionOf(services, caller)
    const { account, tokens: pair } = await signInWithPasskey(services, 'staff', body, caller)
    const { tokens, cookies } = await loginResponse(services, page, 'staff', pair)
    return { message: 'Logged in', data: { ...tokens, user: staffUserView(account) }, cookies }
  }
})
