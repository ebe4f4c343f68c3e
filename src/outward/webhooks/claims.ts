import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { secondsAfter } from '../../lib/time.ts'

/** Longer than an attempt lasts: after that its process counts as dead, and another makes the next attempt. */
const leaseSeconds = 30

/** A delivery that this process attempts, and no other until the lease expires. */
export type Claim = Awaited<ReturnType<typeof claimDue>>[0]

/**
 * Claims due deliveries of a webhook. The next event of a ticket is claimed once the first attempt of the previous one has ended, so that events
 * arrive in order unless one fails.
 */
export async function claimDue(db: Db, { webhook, most, now }: { webhook: number; most: number; now: Date }) {
  return await claim(db, { webhook, most, now, until: secondsAfter(now, leaseSeconds) })
}

/** Releases a delivery whose attempt was not finished, for example because this process is stopping. */
export async function releaseClaim(db: Db, { id, attempts }: Claim, now: Date): Promise<void> {
  await releaseLease(db, { id, attempt: attempts, now })
}

/** The active webhooks: since when each fails, whether it is to get missed events, and whether a delivery is due. */
export async function activeWebhooks(db: Db, now: Date) {
  return await active(db, { now })
}

const active = prepared((db, p: { now: Date }) =>
  db
    .selectFrom('webhooks')
    .where('is_active', '=', sql.lit(true))
    .select(['id', 'url', 'failing_since', 'include_text', 'include_notes'])
    .select(({ exists, selectFrom, eb }) => [
      eb('missed_after', 'is not', null).as('misses'),
      exists(
        selectFrom('webhook_deliveries')
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('settled_at', 'is', null)
          .where('due_at', '<=', p.now)
          .select('webhook_deliveries.id')
      ).as('hasDue')
    ])
    .orderBy('id')
)

const claim = prepared((db, p: { webhook: number; most: number; now: Date; until: Date }) =>
  db
    .with('due', db =>
      db
        .selectFrom('webhook_deliveries as due')
        .where('due.webhook_id', '=', p.webhook)
        .where('due.settled_at', 'is', null)
        .where('due.due_at', '<=', p.now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_deliveries as earlier')
                .where('earlier.webhook_id', '=', p.webhook)
                .whereRef('earlier.ticket_id', '=', 'due.ticket_id')
                .whereRef('earlier.event_id', '<', 'due.event_id')
                .where('earlier.state', '=', sql.lit('queued' as const))
                .select('earlier.id')
            )
          )
        )
        .select('due.id')
        .orderBy('due.due_at')
        .orderBy('due.id')
        .limit(p.most)
        .forUpdate()
        .skipLocked()
    )
    .updateTable('webhook_deliveries')
    .from('due')
    .whereRef('webhook_deliveries.id', '=', 'due.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhooks').where('id', '=', p.webhook).where('is_active', '=', sql.lit(true)).select('webhooks.id')
      )
    )
    .set(({ eb, fn, ref }) => ({
      attempts: eb('attempts', '+', 1),
      started_at: fn.coalesce(ref('started_at'), sql<Date>`${p.now}::timestamptz`),
      due_at: p.until
    }))
    .returning([
      'webhook_deliveries.id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.message_id',
      'webhook_deliveries.kind',
      'webhook_deliveries.attempts',
      'webhook_deliveries.failures',
      'webhook_deliveries.started_at',
      'webhook_deliveries.created_at'
    ])
)

const releaseLease = prepared((db, p: { id: number; attempt: number; now: Date }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ due_at: p.now })
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempt)
    .where('settled_at', 'is', null)
)
