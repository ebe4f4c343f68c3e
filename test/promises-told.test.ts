import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from '../src/core/events/catalogue.ts'
import { kindsForClients } from '../src/outward/live/event-view.ts'
import { withoutAttemptLimits } from './support/routes.ts'
import { aPolicy } from './support/sla.ts'
import { bootSlaDesk, targets } from './support/sla-desk.ts'
import { listen } from './support/streams.ts'
import { aWebhookReceiver } from './support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, kindsOf, localReceivers, verified } from './support/webhooks.ts'

const { desk, admin, client, berlin, opened, at, clockTo } = await bootSlaDesk({
  ...localReceivers,
  ...withoutAttemptLimits
})
await clockTo('2026-03-09T07:00:00Z')
await aPolicy(desk, admin, berlin, { targets: targets('first_response', { Medium: 240 }, berlin), warn_minutes: 30 })

const slaKinds = Object.keys(eventKinds).filter(kind => kind.startsWith('sla.'))

test('S16, S17: webhooks tell that a ticket is due soon, and that it is late, once each, also those that want nothing else', async () => {
  const [some, all] = [await aWebhookReceiver(), await aWebhookReceiver()]
  const webhook = await aWebhook(desk, admin, { url: some.url, kinds: ['sla.warned', 'sla.breached'] })
  await aWebhook(desk, admin, { url: all.url, kinds: [] })

  // The office is open from 08:00 to 16:00 UTC.
  const late = await opened('2026-03-09T08:00:00Z')
  await at('2026-03-09T08:30:00Z', '/api/admin/tickets/reply', {
    id: await opened('2026-03-09T08:10:00Z'),
    message: 'In time'
  })
  for (const now of ['11:29:59', '11:30:00', '11:59:00', '12:01:00', '13:00:00']) {
    await clockTo(`2026-03-09T${now}Z`)
    await deliverWebhooks(desk)
  }

  const due = { metric: 'first_response', due_at: '2026-03-09T12:00:00.000Z' }
  assert.deepEqual(
    some.requests.map(request => {
      const { type, data } = verified(webhook.secret, request) as { type: string; data: Record<string, unknown> }
      return [type, data.ticket_id, data.client_id, data.after]
    }),
    [
      ['sla.warned', late, client.id, due],
      ['sla.breached', late, client.id, { ...due, breached_at: due.due_at }]
    ]
  )
  const toAll = kindsOf(all.requests).filter(kind => kind.startsWith('sla.'))
  assert.deepEqual(toAll.toSorted(), ['sla.breached', 'sla.met', 'sla.started', 'sla.started', 'sla.warned'])
})

test('S1–S18: clients hear nothing of clocks, from the stream from its beginning on, whatever kinds they ask for', async () => {
  assert.deepEqual(
    kindsForClients.filter(kind => slaKinds.includes(kind)),
    []
  )
  const path = '/api/events/stream'
  const [all, asked] = [
    await listen(desk.url, { token: client.token, path, body: { after: '0' } }),
    await listen(desk.url, {
      token: client.token,
      path,
      body: { after: '0', kinds: [...slaKinds, 'ticket.status_changed'] }
    })
  ]

  const ticket = await opened('2026-03-10T08:00:00Z')
  await clockTo('2026-03-10T13:00:00Z')
  await at('2026-03-10T13:10:00Z', '/api/admin/tickets/reply', { id: ticket, message: 'Late' })
  await at('2026-03-10T13:20:00Z', '/api/tickets/status', { id: ticket, status: 'Closed' }, client)
  const { events } = (await desk.post('/api/admin/events/list', admin, { kinds: slaKinds, ticket_id: ticket })).data
  for (const stream of [all, asked]) await stream.first(({ event }) => event === 'ticket.status_changed')

  assert.deepEqual(
    events.map(({ kind }: { kind: string }) => kind),
    ['sla.started', 'sla.warned', 'sla.breached']
  )
  for (const stream of [all, asked]) {
    assert.doesNotMatch(JSON.stringify(stream.told), /sla|due_at|breach|first_response/)
    stream.close()
  }
  assert.ok(all.told.some(({ event }) => event === 'ticket.replied'))
})
