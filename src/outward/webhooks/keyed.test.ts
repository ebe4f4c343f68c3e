import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, localReceivers } from '../../../test/support/webhooks.ts'

test('with an idempotency key a webhook is turned on, replayed and tested once, on the one connection that there is', async () => {
  const desk = await bootDesk({ config: localReceivers })
  const admin = await anAdmin(desk)
  const receiver = await aWebhookReceiver()
  const { id } = await aWebhook(desk, admin, { url: receiver.url, kinds: ['ticket.created'] })
  const twice = async (path: string, body: object) => {
    const key = newIdempotencyKey()
    const replies = [
      await postWithKey(desk, key, `/api/admin/webhooks/${path}`, admin, body),
      await postWithKey(desk, key, `/api/admin/webhooks/${path}`, admin, body)
    ]
    return replies.map(reply => [reply.status, isReplayed(reply)])
  }
  const once = [
    [200, false],
    [200, true]
  ]

  assert.deepEqual(await twice('update', { id, is_active: 0 }), once)
  await aTicket(desk, await aClient(desk))
  assert.deepEqual(await twice('update', { id, is_active: 1 }), once)
  await deliverWebhooks(desk)
  assert.equal(receiver.requests.length, 0)
  assert.deepEqual(await twice('deliveries/replay', { webhook_id: id, since: '2026-01-01' }), once)
  assert.deepEqual(await twice('test', { id }), once)
  await deliverWebhooks(desk)
  assert.deepEqual(receiver.requests.map(({ event }) => event.type).toSorted(), ['ticket.created', 'webhook.test'])
})
