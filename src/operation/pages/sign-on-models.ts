import type { TSchema } from 'typebox'
import { BrowserOptions, PasskeyView } from '../../people/passkeys/schemas.ts'
import {
  IdentityView,
  SignOnView,
  SsoProviderView,
  SsoRefusalView,
  TestFindings,
  TestStep
} from '../../people/sso/schemas.ts'

/** Those of `apiModels` that are of signing in otherwise than by password. */
export const signOnModels: Record<string, TSchema> = {
  Passkey: PasskeyView,
  PasskeyOptions: BrowserOptions,
  Identity: IdentityView,
  SignOn: SignOnView,
  SsoProvider: SsoProviderView,
  SsoRefusal: SsoRefusalView,
  SsoTestFindings: TestFindings,
  SsoTestStep: TestStep
}
