import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { PasskeysUnavailable } from '../relying-party.ts'
import { BrowserOptions } from '../schemas.ts'
import { signInOptions } from '../sign-in-with-passkey.ts'

/** The options with which a browser offers its passkeys to a client. They name no account, work once, and for five minutes. */
export const clientPasskeyOptions = endpoint({
  path: '/api/auth/passkey/options',
  summary: 'Begin to sign in with a passkey as a client',
  access: 'public',
  answersSecrets: true,
  data: Type.Object({ options: BrowserOptions, challenge_id: Id() }),
  errors: [PasskeysUnavailable, TooManyAttempts],
  async handle({ services, caller }) {
    const data = await signInOptions(services, 'client', caller.ip)
    return { message: 'Have the browser sign this challenge', data }
  }
})
