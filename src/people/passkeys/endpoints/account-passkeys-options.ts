import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { registrationOptions, TooManyPasskeys } from '../register-passkey.ts'
import { PasskeysUnavailable } from '../relying-party.ts'
import { BrowserOptions } from '../schemas.ts'

/** The options with which a browser makes a passkey. They work once, for five minutes. */
export const passkeyOptions = endpoint({
  path: '/api/account/passkeys/options',
  summary: 'Begin to add a passkey',
  access: 'user',
  signedInOnly: true,
  whileRestricted: true,
  answersSecrets: true,
  data: Type.Object({ options: BrowserOptions, challenge_id: Id() }),
  errors: [PasskeysUnavailable, TooManyPasskeys, TooManyAttempts],
  async handle({ actor, services, caller }) {
    const data = await registrationOptions(services, actor, caller.ip)
    return { message: 'Have the browser make a passkey with these options', data }
  }
})
