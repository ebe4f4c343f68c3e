import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { requireVersion } from '../../kit/versions.ts'
import {
  changedMembership,
  leaveByDomain,
  type MembershipChange,
  requireMayChange,
  setMembership
} from '../organisations/membership.ts'
import { type ContactColumn, clientColumns } from './columns.ts'
import { markEmailUnconfirmed } from './email-changes.ts'
import { refuseErased } from './erased.ts'
import { lockedClient, type ManagedClient, managedClient } from './managed-client.ts'
import { isSameEmail } from './same-email.ts'
import { invalidateCodes, signOutEverywhere } from './sign-out-everywhere.ts'
import { refuseSupportAddress } from './sign-up.ts'
import { storeClient } from './store-client.ts'

/** What staff may change about a client; missing fields stay, null empties them. */
type ClientChanges = Partial<Pick<ManagedClient, 'first_name' | 'last_name' | 'email'>> & {
  [Column in ContactColumn]?: string | null
} & { is_active?: 0 | 1; language?: ManagedClient['language'] } & MembershipChange

/**
 * Changes the given fields. A new e-mail address or phone number is unverified, and voids the codes sent to the former. A new address also
 * ends all sessions and notifies the former one; that address or an admin has to confirm the new one before reset links go there.
 * Only admins change the organisation and the role in it, which decide what others see. Deactivation ends all sessions and open tokens, and so does reactivation: what was requested in between does not work either. Throws
 * `ClientNotFound`, `EmailTaken`, `ClientErased`, `VersionConflict`, `Forbidden`, and what `changedMembership` and `setMembership` throw.
 */
export async function updateClient(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  {
    id,
    expected_version,
    organisation_id,
    organisation_role,
    ...changes
  }: ClientChanges & {
    id: number
    expected_version?: number
  }
): Promise<ManagedClient> {
  const membership = { organisation_id, organisation_role }
  requireMayChange(actor, membership)
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedClient(db, id)
    requireVersion(former.version, expected_version)
    refuseErased(former)
    const next = { ...former, ...given(changes) }
    const fields = columns.filter(name => next[name] !== former[name])
    const belongs = changedMembership(former, membership)
    const { now } = act
    if (fields.length === 0) {
      const isChanged = await setMembership(act, id, former, belongs)
      return isChanged ? await managedClient(db, id) : former
    }

    const movesAway = !(await isSameEmail(db, next.email, former.email))
    if (movesAway) await refuseSupportAddress(db, next.email)
    const hasNewNumber = fields.includes('phone_number')
    await storeClient(db, {
      ...next,
      is_email_verified: former.is_email_verified && !movesAway,
      is_phone_verified: former.is_phone_verified && !hasNewNumber,
      updated_at: now
    })
    if (hasNewNumber) await invalidateCodes(db, { client: id, type: 'phone', now })
    if (next.is_active !== former.is_active) await signOutEverywhere(db, id, now)
    if (movesAway) {
      await signOutEverywhere(db, id, now)
      await markEmailUnconfirmed(services, db, { former, next: next.email }, actor, caller.requestId)
      await leaveByDomain(act, id)
    }
    await setMembership(act, id, former, belongs)
    const client = await managedClient(db, id)
    // The names of the fields, not their values: the audit log outlives an erased client.
    const [before, after] = [{ is_active: former.is_active }, { is_active: client.is_active, fields }]
    act.happened({ kind: 'client.updated', subject: { type: 'client', id }, before, after })
    return client
  })
}

const columns = [...clientColumns, 'language', 'is_active'] as const

function given({ is_active, language, ...texts }: ClientChanges): Partial<ManagedClient> {
  const named = Object.entries(texts).filter(([, text]) => text !== undefined)
  return {
    ...Object.fromEntries(named.map(([name, text]) => [name, text ?? ''])),
    ...(language === undefined ? {} : { language }),
    ...(is_active === undefined ? {} : { is_active: is_active === 1 })
  }
}
