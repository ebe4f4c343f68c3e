import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createRecoveryCodes } from './endpoints/account-2fa-recovery-codes.ts'
import { setAwayUntil } from './endpoints/account-away.ts'
import { changeOwnPassword } from './endpoints/account-password.ts'
import { showProfile } from './endpoints/account-profile.ts'
import { updateProfile } from './endpoints/account-profile-update.ts'
import { listSessions } from './endpoints/account-sessions.ts'
import { revokeOwnSessions } from './endpoints/account-sessions-revoke.ts'
import { showSignature } from './endpoints/account-signature.ts'
import { changeSignature } from './endpoints/account-signature-update.ts'

export const accountEndpoints: readonly AnyEndpoint[] = [
  showProfile,
  updateProfile,
  changeOwnPassword,
  listSessions,
  revokeOwnSessions,
  createRecoveryCodes,
  setAwayUntil,
  showSignature,
  changeSignature
]
