import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { sendEmailVerification } from './endpoints/auth-send-email-verification.ts'
import { sendPhoneVerification } from './endpoints/auth-send-phone-verification.ts'
import { verifyEmail } from './endpoints/auth-verify-email.ts'
import { verifyPhone } from './endpoints/auth-verify-phone.ts'

export const verificationEndpoints: readonly AnyEndpoint[] = [
  sendEmailVerification,
  verifyEmail,
  sendPhoneVerification,
  verifyPhone
]
