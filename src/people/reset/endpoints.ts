import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { forgotStaffPassword } from './endpoints/admin-auth-forgot-password.ts'
import { resetStaffPassword } from './endpoints/admin-auth-reset-password.ts'
import { forgotPassword } from './endpoints/auth-forgot-password.ts'
import { resetPassword } from './endpoints/auth-reset-password.ts'
import { verifyResetToken } from './endpoints/auth-verify-reset-token.ts'

export const resetEndpoints: readonly AnyEndpoint[] = [
  forgotPassword,
  verifyResetToken,
  resetPassword,
  forgotStaffPassword,
  resetStaffPassword
]
