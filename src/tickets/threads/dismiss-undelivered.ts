import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import { logDismissed } from '../../mail/log/log-outgoing.ts'
import { shownKinds } from '../../mail/outbox/delivery-state.ts'
import { partsOf } from '../followers/followers.ts'
import { lockedForReply } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'

/**
 * Says of the e-mails that came back, of a ticket and of those merged into it, that it is known: the queue does not tell of them any more, the thread in
 * quiet words, the log of who said so. One that comes back again is told anew. Returns how many there were. Throws `TicketNotFound`, `TicketMerged`.
 */
export async function dismissUndelivered(
  services: ActServices,
  { actor, caller, ref }: { actor: StaffActor; caller: Origin; ref: TicketRef }
): Promise<number> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const { id: ticket } = await lockedForReply(db, actor, ref, undefined)
    const emails = await dismiss(db, { ticket, now })
    for (const { outbox_message_id, message_ids } of emails) {
      await logDismissed(db, outbox_message_id, actor.id, now)
      act.happened({
        kind: 'ticket.delivery_changed',
        ticket,
        after: { message_ids: message_ids.slice(0, maxIds), delivery: 'bounced', is_dismissed: true }
      })
    }
    return emails.length
  })
}

/** More than one e-mail contains. */
const maxIds = 50

const dismiss = prepared((db, p: { ticket: number; now: Date }) =>
  db
    .updateTable('sent_emails')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('bounced_at', 'is not', null)
    .where(sql<boolean>`(dismissed_at is null or dismissed_at < bounced_at)`)
    .where('kind', 'in', shownKinds)
    .set({ dismissed_at: p.now })
    .returning(['outbox_message_id', 'message_ids'])
)
