import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { deliverDue } from '../../src/outward/webhooks/keep-delivering.ts'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import type { Received } from './webhook-receivers.ts'

/** The settings of a desk that allow receivers on this machine. */
export const localReceivers = { WEBHOOK_ALLOW_PRIVATE: ['127.0.0.1'] }

/** A webhook as webhooks/create answers it, with its secret. */
export async function aWebhook(desk: Desk, admin: Person, given: object) {
  const reply = await desk.post('/api/admin/webhooks/create', admin, given)
  assert.equal(reply.status, 201, reply.body.message)
  return { ...reply.data.webhook, secret: reply.data.secret as string }
}

/** Queues new events and makes every due attempt. Returns how many. */
export async function deliverWebhooks({ services }: Desk): Promise<number> {
  return await deliverDue(services)
}

/** The message after its receiver has verified the signature; throws if that is invalid. */
export function verified(secret: string, { body, headers }: Received) {
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

/** The event kinds of the received requests, in order. */
export function kindsOf(requests: readonly Received[]): string[] {
  return requests.map(({ event }) => event.type)
}

/** The deliveries of a webhook as their list tells them, oldest first. */
export async function deliveriesOf(desk: Desk, admin: Person, webhook: { id: number }, given: object = {}) {
  const reply = await desk.post('/api/admin/webhooks/deliveries/list', admin, { webhook_id: webhook.id, ...given })
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data.deliveries.toReversed()
}
