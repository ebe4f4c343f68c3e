import { sql } from 'kysely'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import type { LogReader } from '../../core/events/follow-log.ts'
import { readEvents } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { WebhookRow } from '../../core/tables/webhooks.ts'
import { webhookColumns } from './webhooks.ts'

/** Queues a delivery of each event for every webhook that wants it. `handled` is called whenever there may be something new to deliver. */
export function webhookReader({ realClock }: Pick<Services, 'realClock'>, handled: () => void = () => {}): LogReader {
  return {
    name: 'webhooks',
    async handle(db, events) {
      const now = realClock.now()
      for (const webhook of await activeWebhooks(db, {})) {
        const fresh = events.filter(({ id }) => id > webhook.starts_after)
        await queue(db, webhook, fresh, now)
      }
    },
    handled
  }
}

const missedBatchSize = 200
/** The most deliveries that wait for their first attempt when missed events are queued: further ones wait in the log. */
const maxUntried = 1_000

/**
 * Queues a batch of what happened while a webhook was off, as far as an admin wants it; what was queued before is there already. Returns whether
 * there may be more. Skips a webhook that is off, or that another process does this for.
 */
export async function queueMissed(
  { db, realClock }: Pick<Services, 'db' | 'realClock'>,
  webhookId: number
): Promise<boolean> {
  return await transaction(db, async db => {
    const [webhook] = await lockedForReading(db, { id: webhookId })
    if (!webhook || webhook.missed_after === null) return false
    const [waiting] = await untried(db, { webhook: webhookId, most: maxUntried })
    if (waiting!.count >= maxUntried) return false
    const events = await readEvents(db, { after: webhook.missed_after, limit: missedBatchSize })
    const missed = events.filter(({ id, at }) => id <= webhook.missed_until! && at >= webhook.missed_since!)
    await queue(db, webhook, missed, realClock.now())
    const last = events.at(-1)
    const isOver = !last || last.id >= webhook.missed_until!
    await moveMissed(db, { id: webhook.id, after: isOver ? null : last.id })
    return !isOver
  })
}

async function queue(db: Db, webhook: WebhookRow, events: readonly DeskEvent[], now: Date): Promise<void> {
  const wanted = events.filter(event => isWanted(webhook, event))
  if (wanted.length === 0) return
  await insert(db, {
    webhook: webhook.id,
    now,
    rows: JSON.stringify(wanted.map(({ id, kind, ticket_id, client_id }) => ({ id, kind, ticket_id, client_id })))
  })
}

/** A webhook receives no events about itself. */
function isWanted({ id, kinds, include_staff_fields }: WebhookRow, event: DeskEvent): boolean {
  const { kind, subject_type, subject_id } = event
  if (subject_type === 'webhook' && subject_id === id) return false
  if (!include_staff_fields && isOfStaffField(event)) return false
  // A macro or a rule calls one webhook.
  if (kind === 'ticket.webhook_called') return event.after.webhook_id === id
  return kinds.length === 0 || kinds.includes(kind)
}

/** About a custom field of which clients know nothing, or knew nothing before or after. */
function isOfStaffField({ before, after }: DeskEvent): boolean {
  return [before, after].some(facts => facts && 'client_access' in facts && facts.client_access === 'none')
}

/** Locked, so that none is turned off until their deliveries are there. */
const activeWebhooks = prepared(db =>
  db.selectFrom('webhooks').where('is_active', '=', sql.lit(true)).select(webhookColumns).orderBy('id').forShare()
)

const lockedForReading = prepared((db, p: { id: number }) =>
  db
    .selectFrom('webhooks')
    .where('id', '=', p.id)
    .where('is_active', '=', sql.lit(true))
    .select(webhookColumns)
    .forNoKeyUpdate()
    .skipLocked()
)

const untried = prepared((db, p: { webhook: number; most: number }) =>
  db
    .selectFrom(db =>
      db
        .selectFrom('webhook_deliveries')
        .where('webhook_id', '=', p.webhook)
        .where('state', '=', sql.lit('queued' as const))
        .select('id')
        .limit(p.most)
        .as('waiting')
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
)

const insert = prepared((db, p: { webhook: number; rows: string; now: Date }) =>
  db
    .insertInto('webhook_deliveries')
    .columns(['webhook_id', 'event_id', 'message_id', 'kind', 'ticket_id', 'client_id', 'due_at', 'created_at'])
    .expression(db =>
      db
        .selectFrom(
          sql<{ id: number; kind: string; ticket_id: number | null; client_id: number | null }>`
            json_to_recordset(${p.rows}::json)`.as<'event'>(
            sql`event (id bigint, kind text, ticket_id bigint, client_id bigint)`
          )
        )
        .select([sql<number>`${p.webhook}::bigint`.as('webhook_id'), 'event.id as event_id'])
        .select([sql<string>`event.id::text`.as('message_id'), 'event.kind', 'event.ticket_id', 'event.client_id'])
        .select([sql<Date>`${p.now}::timestamptz`.as('due_at'), sql<Date>`${p.now}::timestamptz`.as('created_at')])
        .orderBy('event.id')
    )
    .onConflict(conflict => conflict.columns(['webhook_id', 'event_id']).doNothing())
)

const moveMissed = prepared((db, p: { id: number; after: number | null }) =>
  db.updateTable('webhooks').set({ missed_after: p.after }).where('id', '=', p.id)
)
