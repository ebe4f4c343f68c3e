import { auditActorOfAccount } from '../audit/audit-actor.ts'
import { record } from '../audit/record.ts'
import type { Db } from '../db.ts'
import type { Caller } from '../kit/caller.ts'
import type { Services } from '../services.ts'
import type { AnyAccount } from './accounts.ts'
import type { ShownFactor } from './second-factor.ts'

/** Records who of the staff signed in, and by what; of clients, that a recovery code was used. Last in the transaction. */
export async function recordSignIn(
  services: Services,
  db: Db,
  account: AnyAccount,
  factor: ShownFactor | undefined,
  caller: Caller
): Promise<void> {
  const actor = auditActorOfAccount(account, caller)
  const target = { type: account.population, id: account.id } as const
  const isRecovery = factor !== undefined && 'recoveryCode' in factor
  if (isRecovery) await record(services, db, actor, { action: 'recovery_code.used', target })
  if (account.population !== 'staff') return
  const second_factor = isRecovery ? 'recovery-code' : factor ? 'authenticator' : 'none'
  await record(services, db, actor, { action: 'staff.signed_in', target, after: { second_factor } })
}
