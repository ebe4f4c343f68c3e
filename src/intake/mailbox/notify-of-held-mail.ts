import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import type { HoldReason } from './hold-reasons.ts'
import { admins } from './mail-limits.ts'

const noticeKind = 'staff-mail-held'
const daySeconds = 86_400

/**
 * Records an event for a held mail and notifies the admins, each at most once a day, so that a flood of mails causes no flood of e-mails. Runs
 * in the transaction of `services`.
 */
export async function notifyOfHeldMail(
  services: Services,
  { id, reason }: { id: number; reason: HoldReason }
): Promise<void> {
  const { db, clock, config } = services
  await act(services, system, async act =>
    act.happened({ kind: 'mail.held', subject: { type: 'mail', id }, after: { reason } })
  )
  const since = secondsAfter(clock.now(), -daySeconds)
  const told = new Set((await notifiedSince(db, { kind: noticeKind, since })).map(({ recipient }) => recipient))
  for (const { id, email: recipient } of (await admins(db, {})).filter(({ email }) => !told.has(email))) {
    await addToOutbox(services, db, {
      kind: noticeKind,
      channel: 'mail',
      recipient,
      reader: { population: 'staff', id },
      email: { template: 'staff-mail-held', values: { 'held.link': `${config.BASE_URL}/desk/mail/held` } }
    })
  }
}

const notifiedSince = prepared((db, p: { kind: string; since: Date }) =>
  db
    .selectFrom('staff')
    .innerJoin('sent_emails as sent', join =>
      join.on(sql<boolean>`lower(sent.recipient) = lower(staff.email)`).on('sent.created_at', '>', p.since)
    )
    .where('staff.role', '=', 'admin')
    .where('sent.kind', '=', p.kind)
    .select('staff.email as recipient')
)
