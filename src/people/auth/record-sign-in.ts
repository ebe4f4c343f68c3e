import type { Act } from '../../core/acts/act.ts'
import type { AnyAccount } from './accounts.ts'
import type { SubmittedFactor } from './second-factor.ts'

/** Records sign-ins of staff with the factor used; for clients, only the use of a recovery code. */
export function recordSignIn(
  act: Act,
  account: AnyAccount,
  factor: SubmittedFactor | 'passkey' | 'provider' | undefined
): void {
  const subject = { type: account.population, id: account.id } as const
  const isRecovery = typeof factor === 'object' && 'recoveryCode' in factor
  if (isRecovery) act.happened({ kind: 'recovery_code.used', subject })
  if (account.population !== 'staff') return
  const second_factor = isRecovery
    ? 'recovery-code'
    : typeof factor === 'string'
      ? factor
      : factor
        ? 'authenticator'
        : 'none'
  act.happened({ kind: 'staff.signed_in', subject, after: { second_factor } })
}
