import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, localReceivers } from '../../../test/support/webhooks.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import { checkWebhooks } from '../../operation/cli/doctor-webhooks.ts'
import { webhookReader } from './queue-deliveries.ts'
import { watchWebhooks } from './watch-webhooks.ts'

const desk = await bootDesk({ config: localReceivers, connections: 3 })
watchWebhooks(desk.services)

test('metrics and doctor tell what waits, what fails and what was turned off', async () => {
  const admin = await anAdmin(desk)
  const ada = await aClient(desk)
  const [busy, gone, slow] = [await aWebhookReceiver(), await aWebhookReceiver(), await aWebhookReceiver()]
  busy.answer = response => response.writeHead(500).end()
  gone.answer = response => response.writeHead(410).end()
  for (const { url } of [busy, gone]) await aWebhook(desk, admin, { url, kinds: ['ticket.created'] })
  await aTicket(desk, ada)
  await deliverWebhooks(desk)
  await aWebhook(desk, admin, { url: slow.url, kinds: ['ticket.created'] })
  await aTicket(desk, ada)
  await sequence(desk.services)
  await catchUpWithLog(desk.db, webhookReader(desk.services))
  desk.clock.turn(90)

  const text = await desk.services.metrics.registry.metrics()
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1)
    )

  assert.equal(value('deskline_webhooks{state="on"}'), 2)
  assert.equal(value('deskline_webhooks{state="failing"}'), 1)
  assert.equal(value('deskline_webhooks{state="disabled"}'), 1)
  assert.equal(value('deskline_webhook_deliveries{state="queued"}'), 2)
  assert.equal(value('deskline_webhook_deliveries{state="retrying"}'), 1)
  assert.equal(value('deskline_webhook_deliveries{state="failed"}'), 1)
  assert.ok(value('deskline_webhook_oldest_seconds') >= 90)
  assert.equal(value('deskline_webhook_attempts_total{outcome="retrying"}'), 1)
  const finding = await checkWebhooks(desk.db)
  assert.deepEqual([finding.verdict, finding.about], ['warn', 'webhooks'])
  assert.match(finding.text, /^2 are on, of which 1 fail; 1 were turned off/)
})
