import { sql } from 'kysely'
import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { type Db, prepared, transaction } from '../../core/db.ts'
import { resetTokenSeconds } from '../../core/limits.ts'
import { accountKey, countAttempt, deleteAttempts } from '../../core/rate-limits/attempts.ts'
import { emailBudget } from '../../core/rate-limits/outgoing.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { invalidateResetLinks } from '../credentials/end-sign-ins.ts'
import { inEachSpelling } from '../credentials/other-spellings.ts'
import { refuseCommonPassword } from '../credentials/refuse-common-password.ts'
import { resetLink, staffResetPage } from '../credentials/reset-page.ts'
import { setPassword } from '../credentials/set-password.ts'
import { staffAccountByEmail } from '../staff/staff-account.ts'
import { ResetTokenInvalid, ResetTokenUsed } from './reset-token.ts'

/**
 * Requests an e-mail to the staff member with this address. Neither the response nor its time reveals whether there is one: a job sends the
 * link. Throws 429 after too many, for any address alike.
 */
export async function requestStaffReset(services: Services, email: string, { ip, requestId }: Caller) {
  const account = accountKey('staff', email)
  const owner = await staffAccountByEmail(services.db, email)
  await countAttempt(services, { kind: 'reset-mail', account, ip, owner }, emailBudget(services, account))
  await services.jobs.send(services.db, 'staff-reset', { email, requestId })
}

/** Sends the active staff member with this e-mail address a password reset link, and voids older ones. */
export async function sendStaffResetLink(
  services: Pick<Services, 'config' | 'db' | 'clock' | 'realClock' | 'keys' | 'jobs'>,
  { email, requestId }: { email: string; requestId: string }
): Promise<void> {
  const { db, realClock, keys, config } = services
  await transaction(db, async db => {
    const member = await inEachSpelling(email, email => lockedByEmail(db, { email }))
    if (!member) return
    const now = realClock.now()
    await invalidateResetLinks(db, { population: 'staff', id: member.id }, now)
    const [row] = await insertToken(db, { staff: member.id, now, expiresAt: secondsAfter(now, resetTokenSeconds) })
    const token = keys.sign('staff-reset', { reset: row!.id }, now, resetTokenSeconds)
    const link = resetLink(staffResetPage(config), token, member.email)
    await addToOutbox(services, db, {
      kind: 'staff-reset-link',
      channel: 'mail',
      recipient: member.email,
      requestId,
      reader: { population: 'staff', id: member.id },
      email: { template: 'staff-reset-link', values: { 'reset.link': link, 'reset.valid_for': resetTokenSeconds } }
    })
  })
}

/**
 * Replaces a staff member's password. A token is valid once, also between concurrent requests; sessions of the old password end. Throws
 * `ResetTokenInvalid`, `ResetTokenUsed`.
 */
export async function resetStaffPassword(
  services: Services,
  token: string,
  newPassword: string,
  caller: Caller
): Promise<void> {
  const { db, passwords } = services
  // Checked before hashing, so that a bad token costs only a read; checked again when it is consumed.
  const { id, member } = await openStaffReset(services, db, token)
  await refuseCommonPassword(services, newPassword, 'new_password')
  const password = await passwords.hash(newPassword)

  await act(services, auditActorOfAccount(member, caller), async act => {
    const { db } = act
    await lockedById(db, { id: member.id })
    const [used] = await useToken(db, { id, now: services.realClock.now() })
    if (!used) {
      // Another request was first: this throws what applies to the token now.
      await openStaffReset(services, db, token)
      throw ResetTokenInvalid()
    }
    await setPassword(services, act, member, { to: password, by: 'reset-link' })
  })
  // Somebody who reads the account's e-mail is no attacker: the login with the new password is not limited.
  await deleteAttempts(db, [accountKey('staff', member.email)], ['password'])
}

async function openStaffReset({ keys, realClock }: Services, db: Db, token: string) {
  const now = realClock.now()
  const claims = keys.verify('staff-reset', token, now)
  if (!claims) throw ResetTokenInvalid()
  const [row] = await resetById(db, { id: claims.reset })
  if (row?.used_at) throw ResetTokenUsed()
  if (!row || row.voided_at || row.expires_at <= now) throw ResetTokenInvalid()
  const { staff_id, email, first_name, last_name } = row
  return { id: row.id, member: { population: 'staff' as const, id: staff_id, email, first_name, last_name } }
}

const lockedByEmail = prepared((db, p: { email: string }) =>
  db
    .selectFrom('staff')
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .where('is_active', '=', true)
    .where('is_service_account', '=', false)
    .select(['id', 'email'])
    .forNoKeyUpdate()
)

const lockedById = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).select('id').forNoKeyUpdate()
)

const insertToken = prepared((db, p: { staff: number; now: Date; expiresAt: Date }) =>
  db
    .insertInto('staff_reset_tokens')
    .values({ staff_id: p.staff, created_at: p.now, expires_at: p.expiresAt })
    .returning('id')
)

const resetById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('staff_reset_tokens')
    .innerJoin('staff', 'staff.id', 'staff_reset_tokens.staff_id')
    .where('staff_reset_tokens.id', '=', p.id)
    .where('staff.is_active', '=', true)
    .select(['staff_reset_tokens.id', 'used_at', 'voided_at', 'expires_at'])
    .select(['staff_id', 'staff.email', 'staff.first_name', 'staff.last_name'])
)

const useToken = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('staff_reset_tokens')
    .set({ used_at: p.now })
    .where('id', '=', p.id)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning('id')
)
