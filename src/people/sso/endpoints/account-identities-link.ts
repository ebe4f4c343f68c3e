import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { FreshSignInRequired } from '../../auth/fresh-sign-in.ts'
import { WrongPassword } from '../../auth/prove-password.ts'
import { FactorCode, Password } from '../../auth/schemas.ts'
import { WrongFactor } from '../../auth/wrong-factors.ts'
import { beginLink, SsoFailed } from '../begin-link.ts'
import { SsoProviderNotFound } from '../change-providers.ts'
import { Slug } from '../schemas.ts'
import { attemptCookies } from '../sso-cookies.ts'

/** Begins to connect the caller's account with one at a provider: the page sends the browser to the address. Needs what adding a passkey needs. */
export const linkIdentity = endpoint({
  path: '/api/account/identities/link',
  summary: 'Begin to connect an account at an identity provider',
  access: 'user',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object({ slug: Slug, password: Type.Optional(Password), code: Type.Optional(FactorCode) }),
  data: Type.Object({ url: OutputText('https://login.nordlicht.example/auth?client_id=deskline') }),
  errors: [
    SsoProviderNotFound,
    SsoFailed,
    FreshSignInRequired,
    WrongPassword,
    WrongFactor,
    Unauthenticated,
    TooManyAttempts
  ],
  async handle({ body, session, services, caller }) {
    const begun = await beginLink(services, session, body, caller.ip)
    const cookies = attemptCookies(services.config, caller.cookies(), begun)
    return { message: 'Go on at the provider', data: { url: begun.url }, cookies }
  }
})
