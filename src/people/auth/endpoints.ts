import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { logInStaff } from './endpoints/admin-auth-login.ts'
import { disableSecondFactor } from './endpoints/auth-2fa-disable.ts'
import { enableSecondFactor } from './endpoints/auth-2fa-enable.ts'
import { setUpSecondFactor } from './endpoints/auth-2fa-setup.ts'
import { verifyLogin } from './endpoints/auth-2fa-verify-login.ts'
import { logInClient } from './endpoints/auth-login.ts'
import { logOut } from './endpoints/auth-logout.ts'
import { refreshTokens } from './endpoints/auth-refresh.ts'

export const authEndpoints: readonly AnyEndpoint[] = [
  logInClient,
  verifyLogin,
  setUpSecondFactor,
  enableSecondFactor,
  disableSecondFactor,
  refreshTokens,
  logOut,
  logInStaff
]
