import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { logOutcome } from '../../mail/log/log-incoming.ts'
import { HeldMailNotFound, requireRightToDecide } from './held-mails.ts'

export const MailGone = failure(
  410,
  'mail_gone',
  'This e-mail was discarded more than a day ago, and its raw message was deleted'
)

/** How long discarding can be undone. The originals are swept some time later. */
const undoSeconds = 86_400
export const discardedSeconds = 2 * undoSeconds

/** The most mails of one sender that are discarded at once; the rest stay held. */
const maxAtOnce = 10_000

/**
 * Discards held mails, which can be undone for a day. Mails that are no longer held are skipped; returns the ids of the discarded ones. Throws
 * `HeldMailNotFound` if there were none.
 */
export async function discardMails(
  services: Services,
  actor: StaffActor,
  caller: Origin,
  ids: readonly number[]
): Promise<number[]> {
  requireRightToDecide(actor)
  return await act(services, { actor, caller }, async act => {
    const discarded = await discard(act.db, { ids, now: act.now })
    if (discarded.length === 0) throw HeldMailNotFound()
    await tell(act, discarded, actor)
    return discarded.map(({ id }) => id)
  })
}

/** Discards the held mails of an address, or of an @ and a domain with its subdomains. Returns how many there were. */
export async function discardHeldOf(act: Act, actor: StaffActor, sender: string): Promise<number> {
  const discarded = await (sender.startsWith('@')
    ? discardOfDomain(act.db, { exact: sender, below: `.${sender.slice(1)}`, now: act.now })
    : discardOfAddress(act.db, { sender, now: act.now }))
  await tell(act, discarded, actor)
  return discarded.length
}

/** Restores a discarded mail to held. Throws `HeldMailNotFound`, and `MailGone` after a day, when its original is about to be removed. */
export async function restoreMail(services: Services, actor: StaffActor, caller: Origin, id: number): Promise<void> {
  requireRightToDecide(actor)
  await act(services, { actor, caller }, async act => {
    const [mail] = await discardedMail(act.db, { id })
    if (!mail) throw HeldMailNotFound()
    if (mail.settled_at! < secondsAfter(act.now, -undoSeconds)) throw MailGone()
    await holdAgain(act.db, { id })
    const again = { outcome: 'held', reason: mail.held_reason } as const
    await logOutcome(act.db, [id], again, { step: 'restored', staff_id: actor.id }, act.now)
    act.happened({ kind: 'mail.restored', subject: { type: 'mail', id }, after: { reason: mail.held_reason } })
  })
}

async function tell(
  act: Act,
  discarded: readonly { id: number; held_reason: string | null }[],
  actor: StaffActor
): Promise<void> {
  const outcome = { outcome: 'dropped', reason: discardedReason } as const
  const ids = discarded.map(({ id }) => id)
  await logOutcome(act.db, ids, outcome, { step: 'discarded', staff_id: actor.id }, act.now)
  for (const { id, held_reason: reason } of discarded.toSorted((one, other) => one.id - other.id)) {
    act.happened({ kind: 'mail.discarded', subject: { type: 'mail', id }, before: { reason } })
  }
}

export const discardedReason = 'discarded'

const asDiscarded = (now: Date) => ({
  state: 'dropped' as const,
  held_reason: sql<string>`reason`,
  reason: discardedReason,
  settled_at: now
})

const discard = prepared((db, p: { ids: readonly number[]; now: Date }) =>
  db
    .updateTable('inbound_mails')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('state', '=', 'held')
    .set(asDiscarded(p.now))
    .returning(['id', 'held_reason'])
)

const discardOfAddress = prepared((db, p: { sender: string; now: Date }) =>
  db
    .updateTable('inbound_mails')
    .where('id', 'in', db =>
      db
        .selectFrom('inbound_mails as held')
        .where('held.state', '=', 'held')
        .where(sql`regexp_replace(lower(held.sender), '[+].*@', '@')`, '=', p.sender)
        .select('held.id')
        .limit(maxAtOnce)
    )
    .where('state', '=', 'held')
    .set(asDiscarded(p.now))
    .returning(['id', 'held_reason'])
)

const discardOfDomain = prepared((db, p: { exact: string; below: string; now: Date }) =>
  db
    .updateTable('inbound_mails')
    .where('id', 'in', db =>
      db
        .selectFrom('inbound_mails as held')
        .where('held.state', '=', 'held')
        .where(
          sql<boolean>`(right(lower(held.sender), length(${p.exact}::text)) = ${p.exact}
            or right(lower(held.sender), length(${p.below}::text)) = ${p.below})`
        )
        .select('held.id')
        .limit(maxAtOnce)
    )
    .where('state', '=', 'held')
    .set(asDiscarded(p.now))
    .returning(['id', 'held_reason'])
)

const discardedMail = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails')
    .where('id', '=', p.id)
    .where('state', '=', 'dropped')
    .where('reason', '=', discardedReason)
    .select(['held_reason', 'settled_at'])
    .forUpdate()
)

const holdAgain = prepared((db, p: { id: number }) =>
  db
    .updateTable('inbound_mails')
    .where('id', '=', p.id)
    .set({ state: 'held', reason: sql<string>`held_reason`, held_reason: null })
)
