import { sql } from 'kysely'
import { prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { DeliveryState } from '../../core/tables/webhooks.ts'
import { secondsAfter } from '../../lib/time.ts'
import type { OutgoingAnswer } from '../../platform/outgoing/outgoing.ts'
import type { Claim } from './claims.ts'
import { disableWebhook, type WebhookServices } from './disable-webhook.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

/** The result of an attempt. */
interface Attempt {
  startedAt: Date
  milliseconds: number
  answer: OutgoingAnswer | undefined
  error: string | null
  /** The event does not exist any more. */
  isLost: boolean
}

/**
 * Records the result of an attempt and when the next one is due. Does nothing if the delivery is no longer ours: its lease expired, it was
 * replayed, or its webhook was turned off.
 */
export async function recordAttempt(
  services: WebhookServices & Pick<Services, 'metrics' | 'log'>,
  claim: Claim,
  attempt: Attempt
): Promise<void> {
  const { realClock, metrics, log } = services
  const now = realClock.now()
  const outcome = judged(claim, attempt, now)
  const status = attempt.answer?.status ?? null
  const isOurs = await transaction(services.db, async db => {
    const [delivery] = await settle(db, {
      id: claim.id,
      attempt: claim.attempts,
      state: outcome.state,
      status,
      error: attempt.error,
      failed: outcome.state === 'delivered' ? 0 : 1,
      dueAt: outcome.state === 'retrying' ? secondsAfter(now, outcome.inSeconds) : now,
      settledAt: outcome.state === 'retrying' ? null : now
    })
    if (!delivery) return false
    await insert(db, {
      delivery: claim.id,
      number: claim.attempts,
      status,
      error: attempt.error,
      answer: delivery.is_scrubbed ? null : (attempt.answer?.text ?? null),
      milliseconds: attempt.milliseconds,
      startedAt: attempt.startedAt
    })
    if (outcome.state === 'delivered') await works(db, { id: claim.webhook_id })
    else if (!attempt.isLost) await fails(db, { id: claim.webhook_id, now })
    return true
  })
  if (!isOurs) return
  metrics.webhookAttempts.inc({ outcome: outcome.state })
  const line = { webhookId: claim.webhook_id, deliveryId: claim.id, kind: claim.kind, attempt: claim.attempts, status }
  if (outcome.state === 'delivered') log.debug(line, 'A webhook was delivered')
  else log.warn({ ...line, error: attempt.error }, 'A webhook was not delivered')
  if (outcome.state === 'failed' && outcome.isGone) await disableWebhook(services, claim.webhook_id, 'gone')
}

function judged(claim: Claim, { answer, isLost }: Attempt, now: Date): Outcome {
  if (isLost) return { state: 'failed', isGone: false }
  const ageSeconds = (now.getTime() - claim.started_at!.getTime()) / 1000
  return outcomeOf(answer, { failures: claim.failures, ageSeconds, now, random: Math.random() })
}

interface Settled {
  id: number
  attempt: number
  state: DeliveryState
  status: number | null
  error: string | null
  failed: 0 | 1
  dueAt: Date
  settledAt: Date | null
}

const settle = prepared((db, p: Settled) =>
  db
    .updateTable('webhook_deliveries')
    .set(eb => ({
      state: p.state,
      last_status: p.status,
      last_error: p.error,
      failures: eb('failures', '+', sql<number>`${p.failed}::integer`),
      due_at: p.dueAt,
      settled_at: p.settledAt
    }))
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempt)
    .where('settled_at', 'is', null)
    .returning('is_scrubbed')
)

interface NewAttempt {
  delivery: number
  number: number
  status: number | null
  error: string | null
  answer: string | null
  milliseconds: number
  startedAt: Date
}

const insert = prepared((db, p: NewAttempt) =>
  db.insertInto('webhook_attempts').values({
    delivery_id: p.delivery,
    number: p.number,
    status: p.status,
    error: p.error,
    answer: p.answer,
    duration_milliseconds: p.milliseconds,
    started_at: p.startedAt
  })
)

// Only the first success after a failure, and the first failure after a success, write the webhook's row.
const works = prepared((db, p: { id: number }) =>
  db.updateTable('webhooks').set({ failing_since: null }).where('id', '=', p.id).where('failing_since', 'is not', null)
)

const fails = prepared((db, p: { id: number; now: Date }) =>
  db.updateTable('webhooks').set({ failing_since: p.now }).where('id', '=', p.id).where('failing_since', 'is', null)
)
