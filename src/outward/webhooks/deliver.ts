import manifest from '../../../package.json' with { type: 'json' }
import { readEvents } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import { NotSent, type OutgoingAnswer } from '../../platform/outgoing/outgoing.ts'
import { type activeWebhooks, type Claim, releaseClaim } from './claims.ts'
import { currentText } from './event-text.ts'
import { eventBody, testBody } from './message.ts'
import { recordAttempt } from './record-attempt.ts'
import { signedHeaders } from './secrets.ts'

/** The services needed to deliver. */
export type Sender = Pick<
  Services,
  'db' | 'clock' | 'realClock' | 'keys' | 'jobs' | 'log' | 'metrics' | 'outgoing' | 'events' | 'config'
>

type Target = Awaited<ReturnType<typeof activeWebhooks>>[0]

/** Makes one attempt of a delivery and records the result. No transaction is open while the receiver responds. */
export async function deliver(services: Sender, webhook: Target, claim: Claim, signal: AbortSignal): Promise<void> {
  const { db, realClock, keys, log, outgoing } = services
  const startedAt = realClock.now()
  const since = performance.now()
  let answer: OutgoingAnswer | undefined
  let error: string | null = null
  let isLost = false
  try {
    const body = await bodyOf(services, webhook, claim)
    if (body === undefined) {
      ;[error, isLost] = ['The event is no longer kept', true]
    } else {
      const message = { webhookId: webhook.id, messageId: claim.message_id, body, now: startedAt }
      const headers = { ...ownHeaders, ...(await signedHeaders(keys, db, message)) }
      answer = await outgoing.post(new URL(webhook.url), { headers, body }, signal)
    }
  } catch (fault) {
    if (signal.aborted) return await releaseClaim(db, claim, realClock.now())
    if (!(fault instanceof NotSent)) {
      // It is retried when the lease expires.
      log.error(
        { err: fault, webhookId: webhook.id, deliveryId: claim.id },
        'A webhook delivery could not be attempted'
      )
      return
    }
    error = fault.message
  }
  const milliseconds = Math.round(performance.now() - since)
  await recordAttempt(services, claim, { startedAt, milliseconds, answer, error, isLost })
}

const ownHeaders = { 'content-type': 'application/json', 'user-agent': `Deskline-Webhooks/${manifest.version}` }

/** Built anew at each attempt, so that texts are not stored twice. Undefined if the log has dropped the event. */
async function bodyOf({ db }: Sender, webhook: Target, claim: Claim): Promise<string | undefined> {
  if (claim.event_id === null) return testBody({ at: claim.created_at, actor: testActor })
  const [event] = await readEvents(db, { after: claim.event_id - 1, limit: 1 })
  if (event?.id !== claim.event_id) return undefined
  return eventBody(event, await currentText(db, webhook, event))
}

const testActor = { type: 'system', id: null, name: 'Deskline' }
