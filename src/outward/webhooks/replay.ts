import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { newestPosition, readEvents } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { WebhookDeliveryRow } from '../../core/tables/webhooks.ts'
import type { Caller } from '../../kit/caller.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { isDateOrTime, parseDateOrTime, secondsAfter } from '../../lib/time.ts'
import { webhookOf } from './change-webhooks.ts'
import { deliveryOf } from './deliveries.ts'
import { activeWebhook } from './webhooks.ts'

/** An event's time is when it was written, but its place follows from when it was committed: the orders may differ by this much. */
const slackSeconds = 600
/** Batches, so that replaying a million blocks nobody. */
const batchSize = 5_000

/** The time of a `Since`. Throws `InvalidFields` if it is not valid. */
export function sinceOf(text: string): Date {
  const moment = text.slice(0, 19).replace('T', ' ')
  if (!isDateOrTime(moment)) throw InvalidFields({ message: 'There is no such time', errors: ['since'] })
  return parseDateOrTime(moment)
}

/** Delivers an event again, with all attempts, whatever its state. Throws `DeliveryNotFound`, `WebhookOff`. */
export async function replayDelivery(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  id: number
): Promise<WebhookDeliveryRow> {
  const { db: pool } = services
  const { webhook_id } = await deliveryOf(pool, id)
  await activeWebhook(pool, webhook_id)
  await act(services, { actor, caller }, async act => {
    await requeueOne(act.db, { id, now: services.realClock.now() })
    act.happened({ kind: 'webhook.replayed', subject: webhookOf({ id: webhook_id }), after: { delivery_id: id } })
  })
  return await deliveryOf(pool, id)
}

/**
 * Delivers again what has failed since then, including what waits for a retry, and what was never queued, for example while the webhook was off.
 * Returns how many deliveries were requeued at once; missed events are read from the log later. Throws `WebhookNotFound`, `WebhookOff`.
 */
export async function replaySince(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { webhookId, since }: { webhookId: number; since: Date }
): Promise<number> {
  const { db: pool, realClock } = services
  const { created_at: madeAt } = await activeWebhook(pool, webhookId)
  let requeued = 0
  for (let count = batchSize; count === batchSize; requeued += count) {
    count = (await requeueFailed(pool, { webhook: webhookId, since, now: realClock.now(), limit: batchSize })).length
  }
  // A webhook has not missed what happened before it existed.
  const missedSince = since > madeAt ? since : madeAt
  await act(services, { actor, caller }, async act => {
    const { db } = act
    // Uses the same connection: a request with an idempotency key already has one.
    await services.events.sequenceWithin(db)
    const until = await newestPosition(db)
    const after = await placeBefore(db, secondsAfter(missedSince, -slackSeconds), until)
    await lookThrough(db, { id: webhookId, after, until, since: missedSince })
    const told = { since: since.toISOString() }
    act.happened({ kind: 'webhook.replayed', subject: webhookOf({ id: webhookId }), after: told })
  })
  return requeued
}

/** The last place whose event is older. Places roughly grow with time, so a binary search finds it without an index. */
async function placeBefore(db: Db, time: Date, newest: number): Promise<number> {
  let [older, newer] = [0, newest + 1]
  while (newer - older > 1) {
    const middle = Math.floor((older + newer) / 2)
    const [event] = await readEvents(db, { after: middle - 1, limit: 1 })
    if (event && event.id < newer && event.at < time) older = event.id
    else newer = middle
  }
  return older
}

const requeueOne = prepared((db, p: { id: number; now: Date }) =>
  db.updateTable('webhook_deliveries').set(anew(p.now)).where('id', '=', p.id)
)

const requeueFailed = prepared((db, p: { webhook: number; since: Date; now: Date; limit: number }) =>
  db
    .updateTable('webhook_deliveries')
    .set(anew(p.now))
    .where('id', 'in', db =>
      db
        .selectFrom('webhook_deliveries')
        .where('webhook_id', '=', p.webhook)
        .where(({ or, and, eb }) =>
          or([
            and([eb('state', '=', sql.lit('failed' as const)), eb('settled_at', '>=', p.since)]),
            eb('state', '=', sql.lit('retrying' as const))
          ])
        )
        .select('id')
        .orderBy('id')
        .limit(p.limit)
        .forUpdate()
    )
    .returning('id')
)

function anew(now: Date) {
  return { state: 'queued', failures: 0, due_at: now, started_at: null, settled_at: null } as const
}

const lookThrough = prepared((db, p: { id: number; after: number; until: number; since: Date }) =>
  db
    .updateTable('webhooks')
    .set({
      missed_after: sql<number>`least(missed_after, ${p.after}::bigint)`,
      missed_until: p.until,
      // Includes what an earlier replay is still searching for.
      missed_since: sql<Date>`case when missed_after is null then ${p.since}::timestamptz
        else least(missed_since, ${p.since}::timestamptz) end`
    })
    .where('id', '=', p.id)
)
