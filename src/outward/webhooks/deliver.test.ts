import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { aWebhookReceiver, type Receiver } from '../../../test/support/webhook-receivers.ts'
import {
  aWebhook,
  deliveriesOf,
  deliverWebhooks,
  kindsOf,
  localReceivers,
  verified
} from '../../../test/support/webhooks.ts'

const desk = await bootDesk({ config: localReceivers, connections: 5 })
let admin = await anAdmin(desk)
const ada = await aClient(desk)

const post = (path: string, body: object = {}) => desk.post(`/api/admin/${path}`, admin, body)

async function listening(given: object = {}) {
  const receiver = await aWebhookReceiver()
  return { receiver, webhook: await aWebhook(desk, admin, { url: receiver.url, kinds: [], ...given }) }
}

/** Answers with these, one after the other, and then 200. */
function answering(receiver: Receiver, ...statuses: number[]): void {
  receiver.answer = response => response.writeHead(statuses.shift() ?? 200).end('so be it')
}

test('what happens to a ticket arrives in order, signed, under the id of the event, with ids and fields alone', async () => {
  const { receiver, webhook } = await listening()
  const { ticket_id: id } = await aTicket(desk, ada, { subject: 'Secret subject', message: 'Secret words' })
  await post('tickets/reply', { id, message: 'Secret answer' })
  await post('tickets/note', { id, note: 'Secret note' })
  await post('tickets/status', { id, status: 'Closed' })
  await deliverWebhooks(desk)

  assert.deepEqual(kindsOf(receiver.requests), [
    'ticket.created',
    'ticket.replied',
    'ticket.noted',
    'ticket.status_changed'
  ])
  for (const request of receiver.requests) {
    const { headers, event, body } = request
    assert.deepEqual(verified(webhook.secret, request), event)
    assert.deepEqual(Object.keys(event), ['type', 'timestamp', 'data'])
    assert.equal(headers['webhook-id'], String(event.data.id))
    assert.equal(headers['content-type'], 'application/json')
    assert.deepEqual([event.data.kind, event.data.ticket_id, event.data.client_id], [event.type, id, ada.id])
    assert.doesNotMatch(body, /Secret/)
  }
  const [created, replied] = receiver.requests.map(({ event }) => event.data)
  assert.deepEqual(created.actor, { type: 'client', id: ada.id, name: `${ada.first_name} ${ada.last_name}` })
  assert.equal(replied.after.status, 'Answered')
  assert.deepEqual(
    (await deliveriesOf(desk, admin, webhook)).map(({ state, attempts }: Record<string, unknown>) => [state, attempts]),
    Array(4).fill(['delivered', 1])
  )
  await post('webhooks/delete', { id: webhook.id })
})

test('the words of messages come with include_text, those of notes with include_notes, and with neither none', async () => {
  const words = ['A printer on fire', 'Off and on again', 'Still on fire', 'Mad as a hatter']
  const all = [{}, { include_text: 1 }, { include_notes: 1 }, { include_text: 1, include_notes: 1 }]
  const hooks = await Promise.all(
    all.map(given => listening({ kinds: ['ticket.created', 'ticket.replied', 'ticket.noted'], ...given }))
  )
  const { ticket_id: id } = await aTicket(desk, ada, { message: words[0] })
  await post('tickets/reply', { id, message: words[1] })
  await desk.post('/api/tickets/reply', ada, { id, message: words[2] })
  await post('tickets/note', { id, note: words[3] })
  const created = await post('tickets/create', { client_id: ada.id, department_id: 1, subject: 'A', message: words[0] })
  await deliverWebhooks(desk)

  const texts = hooks.map(({ receiver }) =>
    receiver.requests.filter(({ event }) => event.data.ticket_id === id).map(({ event }) => event.data.text)
  )
  assert.deepEqual(texts, [
    [undefined, undefined, undefined, undefined],
    [...words.slice(0, 3), undefined],
    [undefined, undefined, undefined, words[3]],
    words
  ])
  const opened = hooks[1]!.receiver.requests.find(({ event }) => event.data.ticket_id === created.data.ticket.id)
  assert.deepEqual([opened?.event.data.text, opened?.event.data.is_cut], [words[0], 0])
  for (const { webhook } of hooks) await post('webhooks/delete', { id: webhook.id })
})

test('a webhook is told of the kinds that it names, from now on, and never of itself', async () => {
  await aTicket(desk, ada)
  const { receiver, webhook } = await listening()
  const named = await listening({ kinds: ['tag.created', 'client.updated'] })
  await post('webhooks/update', { id: webhook.id, include_text: 1 })
  await post('tags/create', { name: 'late' })
  await post('clients/update', { id: ada.id, city: 'London' })
  await deliverWebhooks(desk)

  // In any order: they are of no ticket.
  assert.deepEqual(kindsOf(named.receiver.requests).toSorted(), ['client.updated', 'tag.created'])
  const all = ['client.updated', 'tag.created', 'webhook.created']
  assert.deepEqual(kindsOf(receiver.requests).toSorted(), all)
  for (const { id } of [webhook, named.webhook]) await post('webhooks/delete', { id })
})

test('what fails is tried again under the same id, and what each attempt came to is kept', async () => {
  const { receiver, webhook } = await listening({ kinds: ['ticket.created'] })
  answering(receiver, 500, 404, 302)
  await aTicket(desk, ada)

  for (let round = 0; round < 4; round++) {
    await deliverWebhooks(desk)
    desk.clock.turn(200)
  }
  const [delivery] = await deliveriesOf(desk, admin, webhook)
  const { attempts } = (await post('webhooks/deliveries/detail', { id: delivery.id })).data

  assert.deepEqual([delivery.state, delivery.attempts, delivery.last_status], ['delivered', 4, 200])
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(receiver.requests.map(({ body }) => body)).size, 1)
  assert.deepEqual(
    attempts.map(({ number, status, answer }: Record<string, unknown>) => [number, status, answer]),
    [500, 404, 302, 200].map((status, at) => [at + 1, status, 'so be it'])
  )
  await post('webhooks/delete', { id: webhook.id })
})

test('of one ticket the next event waits for the first attempt of the one before, and no longer', async () => {
  const { receiver, webhook } = await listening({ kinds: ['ticket.created', 'ticket.replied'] })
  const { ticket_id: id } = await aTicket(desk, ada)
  for (const message of ['one', 'two', 'three']) await desk.post('/api/tickets/reply', ada, { id, message })
  answering(receiver, 200, 500)
  await deliverWebhooks(desk)
  const ids = receiver.requests.map(({ event }) => event.data.id)
  desk.clock.turn(60)
  await deliverWebhooks(desk)

  assert.equal(ids.length, 4)
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other)
  )
  assert.equal(receiver.requests[4]!.event.data.id, ids[1])
  await post('webhooks/delete', { id: webhook.id })
})

test('a receiver that says 410 is turned off, the admins are told, and what waited counts as failed', async () => {
  const { receiver, webhook } = await listening({ kinds: ['ticket.created'] })
  answering(receiver, 500, 410)
  await aTicket(desk, ada)
  await deliverWebhooks(desk)
  await aTicket(desk, ada)
  await deliverWebhooks(desk)
  await aTicket(desk, ada)
  await deliverWebhooks(desk)
  const { emails } = await desk.deliver()
  const { data } = await post('webhooks/detail', { id: webhook.id })
  const states = (await deliveriesOf(desk, admin, webhook)).map(({ state }: { state: string }) => state)

  assert.equal(receiver.requests.length, 2)
  assert.deepEqual([data.webhook.is_active, data.webhook.disabled_reason], [0, 'gone'])
  assert.ok(data.webhook.disabled_at)
  assert.deepEqual(states, ['failed', 'failed'])
  const told = emails.filter(({ subject }) => subject === 'A webhook was turned off')
  assert.deepEqual(
    told.map(({ to }) => to),
    [admin.email]
  )
  assert.match(told[0]!.text, /answered 410/)
  assert.doesNotMatch(told[0]!.text, /hook\b.*\/hook/)

  answering(receiver)
  await post('webhooks/update', { id: webhook.id, is_active: 1 })
  const replay = await post('webhooks/deliveries/replay', { webhook_id: webhook.id, since: '2026-01-01' })
  await deliverWebhooks(desk)
  assert.equal(replay.data.count, 2)
  assert.ok(receiver.requests.length >= 5)
  const ids = new Set(receiver.requests.slice(2).map(({ event }) => event.data.id))
  assert.equal(ids.size, receiver.requests.length - 2)
  await post('webhooks/delete', { id: webhook.id })
})

test('after five days of nothing but failure it is turned off, once', async () => {
  const { receiver, webhook } = await listening({ kinds: ['ticket.created'] })
  receiver.answer = response => response.writeHead(500).end()
  await aTicket(desk, ada)
  await deliverWebhooks(desk)
  for (let round = 0; round < 14; round++) {
    desk.clock.turn(0.35 * 86_400)
    await deliverWebhooks(desk)
  }
  admin = await anAdmin(desk)
  const before = await post('webhooks/detail', { id: webhook.id })
  const [delivery] = await deliveriesOf(desk, admin, webhook)
  desk.clock.turn(0.2 * 86_400)
  await Promise.all([deliverWebhooks(desk), deliverWebhooks(desk), deliverWebhooks(desk)])
  const after = await post('webhooks/detail', { id: webhook.id })
  const { emails } = await desk.deliver()

  assert.ok(receiver.requests.length > 8)
  assert.deepEqual([before.data.webhook.is_active, after.data.webhook.is_active], [1, 0])
  assert.ok(before.data.webhook.failing_since)
  assert.equal(after.data.webhook.disabled_reason, 'failing')
  assert.equal(delivery.state, 'failed')
  const told = emails.filter(({ text }) => /For\s+five\s+days/.test(text))
  assert.deepEqual(told.map(({ to }) => to).length, 2)
})

test('one that was delivered can be replayed, with the same id', async () => {
  const { receiver, webhook } = await listening({ kinds: ['ticket.created'] })
  await aTicket(desk, await aClient(desk))
  await deliverWebhooks(desk)
  const [{ id }] = await deliveriesOf(desk, admin, webhook, { state: 'delivered' })

  const { status, data } = await desk.post(`/api/admin/webhooks/deliveries/${id}/replay`, admin)
  await deliverWebhooks(desk)

  assert.deepEqual([status, data.count, data.delivery.state], [200, 1, 'queued'])
  assert.equal(receiver.requests.length, 2)
  assert.equal(receiver.requests[0]!.headers['webhook-id'], receiver.requests[1]!.headers['webhook-id'])
  assert.equal((await deliveriesOf(desk, admin, webhook)).length, 1)
})
