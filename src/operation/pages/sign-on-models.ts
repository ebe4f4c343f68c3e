import type { TSchema } from 'typebox'
import { BrowserOptions, PasskeyView } from '../../people/passkeys/schemas.ts'
import {
  IdentityView,
  ListedSsoProvider,
  PasskeyUse,
  SignOnView,
  SsoProviderView,
  SsoRefusalView,
  StaffLockedOut,
  TestEffect,
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
  ListedSsoProvider,
  StaffLockedOut,
  PasskeyUse,
  SsoRefusal: SsoRefusalView,
  SsoTestEffect: TestEffect,
  SsoTestFindings: TestFindings,
  SsoTestStep: TestStep
}
