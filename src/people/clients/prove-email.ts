import { sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import { removeIdentities, removePasskeys } from '../credentials/remove-passkeys.ts'
import { joinByDomain, leaveByDomain } from '../organisations/membership.ts'
import { closeEmailChange } from './email-changes.ts'
import { takeFactor } from './reset-two-factor.ts'
import { isSameEmail } from './same-email.ts'
import { invalidateCodes } from './sign-out-everywhere.ts'
import { EmailTaken } from './sign-up.ts'
import { taken } from './store-client.ts'

/** A client has typed the code that was sent to the present address, which closes an open change, and joins the organisation with its domain. Lock the client first. */
export async function proveByCode(act: Act, client: number): Promise<void> {
  const { db, now } = act
  await closeEmailChange(db, client)
  await markVerified(db, { client, now })
  await joinByDomain(act, [client])
}

/**
 * A client has used a link that was sent to `email`, which makes the account theirs: the address is the account's again, if it was changed since,
 * and proven. What rested on a mere claim of another person ends with it: the second factor and its recovery codes, passkeys, connected accounts, one-time codes and an open
 * change of the address; with a new password also the sessions and links. Returns whether the address was changed back. Lock the client first.
 * Throws `EmailTaken` if somebody else has the address by now.
 */
export async function proveByLink(act: Act, { client, email }: { client: number; email: string }): Promise<boolean> {
  const { db, now } = act
  const [present] = await presentAddress(db, { client })
  const isReturned = !(await isSameEmail(db, present!.email, email))
  await closeEmailChange(db, client)
  await invalidateCodes(db, { client, type: 'email', now })
  if (isReturned && (await returnTo(db, { client, email, now }).catch(taken)).length === 0) throw EmailTaken()
  if (isReturned || !present!.is_email_verified) {
    await invalidateCodes(db, { client, type: 'phone', now })
    await takeFactor(db, { id: client, now })
    await removeRecoveryCodes(db, { client })
    await removePasskeys(db, { population: 'client', id: client })
    await removeIdentities(db, client)
  }
  if (isReturned) await leaveByDomain(act, client)
  await markVerified(db, { client, now })
  await joinByDomain(act, [client])
  return isReturned
}

const presentAddress = prepared((db, p: { client: number }) =>
  db.selectFrom('clients').where('id', '=', p.client).select(['email', 'is_email_verified'])
)

const markVerified = prepared((db, p: { client: number; now: Date }) =>
  db.updateTable('clients').set({ is_email_verified: true, updated_at: p.now }).where('id', '=', p.client)
)

/** Which addresses were proven since does not matter: they were those of whoever took the account. */
const returnTo = prepared((db, p: { client: number; email: string; now: Date }) =>
  db
    .updateTable('clients')
    .set({ email: p.email, updated_at: p.now })
    .where('id', '=', p.client)
    .where(
      sql<boolean>`not exists (select from email_changes where client_id <> ${p.client} and lower(former_email) = lower(${p.email}))`
    )
    .returning('id')
)

const removeRecoveryCodes = prepared((db, p: { client: number }) =>
  db.deleteFrom('recovery_codes').where('client_id', '=', p.client)
)
