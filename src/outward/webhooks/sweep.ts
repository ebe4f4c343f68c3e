import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { failPending } from './disable-webhook.ts'

const batchSize = 1_000
/** The rest waits for the next sweep. */
const maxBatches = 1_000

/**
 * Removes deliveries that ended longer ago than WEBHOOK_DELIVERY_DAYS, those of deleted webhooks, and expired secrets; fails what is queued for
 * webhooks that are off.
 */
export async function sweepWebhooks(services: Pick<Services, 'db' | 'realClock' | 'config'>): Promise<void> {
  const { db, realClock, config } = services
  const now = realClock.now()
  await removeRetired(db, { now })
  const before = secondsAfter(now, -config.WEBHOOK_DELIVERY_DAYS * 86_400)
  await inBatches(async () => (await removeOld(db, { before, limit: batchSize })).length)
  for (const { webhook_id, isThere } of await unfinished(db)) {
    if (isThere) await failPending(services, webhook_id)
    else await inBatches(async () => (await removeOf(db, { webhook: webhook_id, limit: batchSize })).length)
  }
}

async function inBatches(next: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < maxBatches && (await next()) > 0; batch++);
}

const removeRetired = prepared((db, p: { now: Date }) =>
  db.deleteFrom('webhook_secrets').where('retires_at', '<=', p.now)
)

const removeOld = prepared((db, p: { before: Date; limit: number }) =>
  db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', db =>
      db
        .selectFrom('webhook_deliveries')
        .where('settled_at', '<=', p.before)
        .select('id')
        .limit(p.limit)
        .forUpdate()
        .skipLocked()
    )
    .returning('id')
)

/** Webhooks that have deliveries although they are off or deleted; found by walking the index from one webhook to the next. */
async function unfinished(db: Db) {
  const { rows } = await sql<{ webhook_id: number; isThere: boolean }>`
    with recursive found (id) as (
      select min(webhook_id) from webhook_deliveries
      union all
      select (select min(webhook_id) from webhook_deliveries where webhook_id > found.id) from found where found.id is not null)
    select found.id as webhook_id, webhooks.id is not null as "isThere"
    from found left join webhooks on webhooks.id = found.id
    where found.id is not null and webhooks.is_active is not true`.execute(db)
  return rows
}

const removeOf = prepared((db, p: { webhook: number; limit: number }) =>
  db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', db =>
      db
        .selectFrom('webhook_deliveries')
        .where('webhook_id', '=', p.webhook)
        .select('id')
        .limit(p.limit)
        .forUpdate()
        .skipLocked()
    )
    .returning('id')
)
