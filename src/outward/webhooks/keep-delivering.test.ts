import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { aTcpReceiver, aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, deliveriesOf, deliverWebhooks, localReceivers } from '../../../test/support/webhooks.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import { keepDelivering } from './keep-delivering.ts'
import { queueMissed, webhookReader } from './queue-deliveries.ts'
import { sweepWebhooks } from './sweep.ts'

const desk = await bootDesk({ config: localReceivers, connections: 10 })
const { services, db } = desk
const admin = await anAdmin(desk)
const kinds = ['ticket.created']

/** Queues what has happened for the webhooks. */
async function queueDeliveries(): Promise<void> {
  await sequence(services)
  await catchUpWithLog(db, webhookReader(services))
}

test('a receiver that hangs slows no other, and a process that is told to stop leaves to others what it has begun', async () => {
  const good = await aWebhookReceiver()
  const hanging = await Promise.all(Array.from({ length: 5 }, () => aTcpReceiver(() => {})))
  const hooks = await Promise.all(hanging.map(url => aWebhook(desk, admin, { url, kinds })))
  await aWebhook(desk, admin, { url: good.url, kinds })
  const ada = await aClient(desk)
  const stopping = new AbortController()

  for (let count = 0; count < 12; count++) await aTicket(desk, ada)
  const running = keepDelivering(services, stopping.signal)
  await good.got(12)
  stopping.abort()
  await running

  // Begun attempts are due again at once, except those that a busy machine has let time out.
  const pending = await db
    .selectFrom('webhook_deliveries')
    .where(
      'webhook_id',
      'in',
      hooks.map(({ id }) => id)
    )
    .select(['state', 'due_at'])
    .execute()
  assert.ok(pending.length >= 5 * hooks.length, String(pending.length))
  const left = pending.filter(({ state }) => state !== 'retrying')
  const now = desk.clock.now()
  assert.ok(
    left.length > 0 && left.every(({ state, due_at }) => state === 'queued' && due_at <= now),
    JSON.stringify(pending)
  )
  await db.deleteFrom('webhooks').execute()
})

test('a webhook that cannot be served keeps no other waiting', async () => {
  const receiver = await aWebhookReceiver()
  const broken = await aWebhook(desk, admin, { url: receiver.url, kinds })
  const good = await aWebhook(desk, admin, { url: receiver.url, kinds })
  await sql`
    create function refuse_webhook() returns trigger language plpgsql as $$
      begin raise exception 'no room for webhook %', old.webhook_id; end $$`.execute(db)
  await sql`
    create trigger refuse before update on webhook_deliveries
      for each row when (old.webhook_id = ${sql.lit(broken.id)}) execute function refuse_webhook()`.execute(db)
  await aTicket(desk, await aClient(desk))

  await assert.rejects(deliverWebhooks(desk), /could not be served: 1/)
  await receiver.got(1)

  assert.equal((await deliveriesOf(desk, admin, good)).length, 1)
  await sql`drop trigger refuse on webhook_deliveries`.execute(db)
  await db.deleteFrom('webhooks').execute()
})

test('several processes at once deliver each event once, those of a ticket in their order', async () => {
  const receiver = await aWebhookReceiver()
  const webhook = await aWebhook(desk, admin, { url: receiver.url, kinds: ['ticket.created', 'ticket.replied'] })
  const ada = await aClient(desk)
  const tickets = await Promise.all(Array.from({ length: 6 }, () => aTicket(desk, ada)))
  const processes = [deliverWebhooks(desk)]
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      tickets.map(({ ticket_id }) => desk.post('/api/tickets/reply', ada, { id: ticket_id, message: String(round) }))
    )
    processes.push(deliverWebhooks(desk), deliverWebhooks(desk))
  }
  await Promise.all(processes)
  await deliverWebhooks(desk)

  const seen = receiver.requests.map(({ event }) => [event.data.ticket_id, event.data.id] as [number, number])
  assert.equal(seen.length, 36)
  assert.equal(new Set(seen.map(([, id]) => id)).size, 36)
  for (const { ticket_id } of tickets) {
    const ids = seen.filter(([ticket]) => ticket === ticket_id).map(([, id]) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other)
    )
  }
  assert.equal((await deliveriesOf(desk, admin, webhook, { state: 'delivered' })).length, 36)
  await db.deleteFrom('webhooks').execute()
})

test('cut off between reading and queueing, nothing is lost and nothing queued twice', async () => {
  const receiver = await aWebhookReceiver()
  const webhook = await aWebhook(desk, admin, { url: receiver.url, kinds })
  const ada = await aClient(desk)
  for (let count = 0; count < 3; count++) await aTicket(desk, ada)
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''cut off''; end'`.execute(
    db
  )
  await sql`create trigger refused before update of place on event_readers for each row execute function refuse()`.execute(
    db
  )

  await assert.rejects(queueDeliveries(), /cut off/)
  const between = await deliveriesOf(desk, admin, webhook)
  await sql`drop trigger refused on event_readers`.execute(db)
  await Promise.all([queueDeliveries(), queueDeliveries(), queueDeliveries()])

  assert.equal(between.length, 0)
  assert.equal((await deliveriesOf(desk, admin, webhook)).length, 3)
  await db.deleteFrom('webhooks').execute()
})

test('a process that died in the middle of an attempt is missed after its lease, and another makes the next', async () => {
  const receiver = await aWebhookReceiver()
  const webhook = await aWebhook(desk, admin, { url: receiver.url, kinds })
  await aTicket(desk, await aClient(desk))
  await queueDeliveries()
  // As an attempt leaves it that nobody has ended.
  const lease = new Date(desk.clock.now().getTime() + 30_000)
  await db
    .updateTable('webhook_deliveries')
    .where('webhook_id', '=', webhook.id)
    .set({ attempts: 1, due_at: lease })
    .execute()

  await deliverWebhooks(desk)
  const during = receiver.requests.length
  desk.clock.turn(31)
  await deliverWebhooks(desk)

  assert.deepEqual([during, receiver.requests.length], [0, 1])
  assert.equal((await deliveriesOf(desk, admin, webhook))[0].state, 'delivered')
  await db.deleteFrom('webhooks').execute()
})

test('what was missed is queued bit by bit, so that a receiver that comes back is not buried', async () => {
  const { url } = await aWebhookReceiver()
  const webhook = await aWebhook(desk, admin, { url, kinds: ['two_factor.enabled'] })
  await desk.post('/api/admin/webhooks/update', admin, { id: webhook.id, is_active: 0 })
  await sql`insert into events (kind, subject_type, subject_id, actor_type, actor_name, created_at)
    select 'two_factor.enabled', 'staff', n, 'system', 'Deskline', ${desk.clock.now()} from generate_series(1, 1500) as n`.execute(
    db
  )
  await queueDeliveries()
  await desk.post('/api/admin/webhooks/update', admin, { id: webhook.id, is_active: 1 })
  await queueDeliveries()
  const before = (await deliveriesOf(desk, admin, webhook)).length
  const missed = { webhook_id: webhook.id, since: '2000-01-01T00:00:00Z' }
  const replayed = await desk.post('/api/admin/webhooks/deliveries/replay', admin, missed)
  assert.equal(replayed.status, 200, replayed.body.message)

  const counts: number[] = []
  for (let round = 0; round < 2; round++) {
    while (await queueMissed(services, webhook.id));
    const ofWebhook = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhook.id)
    counts.push((await ofWebhook.select('event_id').distinct().execute()).length)
    await db.updateTable('webhook_deliveries').set({ state: 'delivered', settled_at: desk.clock.now() }).execute()
  }

  assert.equal(before, 0)
  assert.ok(counts[0]! >= 1000 && counts[0]! <= 1200, String(counts[0]))
  assert.equal(counts[1], 1500)
  await db.deleteFrom('webhooks').execute()
})

test('what is old, of webhooks that are gone, or waits for one that is off is swept', async () => {
  const receiver = await aWebhookReceiver()
  receiver.answer = response => response.writeHead(500).end()
  const [gone, off, kept] = await Promise.all([1, 2, 3].map(() => aWebhook(desk, admin, { url: receiver.url, kinds })))
  await aTicket(desk, await aClient(desk))
  await deliverWebhooks(desk)
  const stateOf = async ({ id }: { id: number }) =>
    (await db.selectFrom('webhook_deliveries').where('webhook_id', '=', id).select('state').execute()).map(
      ({ state }) => state
    )

  await desk.post('/api/admin/webhooks/delete', admin, { id: gone!.id })
  await db.updateTable('webhooks').where('id', '=', off!.id).set({ is_active: false }).execute()
  await sweepWebhooks(services)
  const first = await Promise.all([gone!, off!, kept!].map(stateOf))
  desk.clock.turn(31 * 86_400)
  await sweepWebhooks(services)
  const second = await Promise.all([gone!, off!, kept!].map(stateOf))

  assert.deepEqual(first, [[], ['failed'], ['retrying']])
  assert.deepEqual(second, [[], [], ['retrying']])
})

test('turned off, a webhook has nothing queued any more, however much it was', async () => {
  const later = await anAdmin(desk)
  const webhook = await aWebhook(desk, later, { url: (await aWebhookReceiver()).url, kinds })
  await sql`
    insert into webhook_deliveries (webhook_id, event_id, message_id, kind, state, due_at, created_at)
    select ${webhook.id}, n, n::text, 'ticket.created', 'retrying', now(), now() from generate_series(1, 2500) as n`.execute(
    db
  )

  await desk.post('/api/admin/webhooks/update', later, { id: webhook.id, is_active: 0 })

  const { data } = await desk.post('/api/admin/webhooks/deliveries/list', later, {
    webhook_id: webhook.id,
    state: 'failed'
  })
  assert.equal(data.total, 2500)
  await db.deleteFrom('webhooks').execute()
})

test('an event that the log has dropped is given up at once', async () => {
  const receiver = await aWebhookReceiver()
  const later = await anAdmin(desk)
  const webhook = await aWebhook(desk, later, { url: receiver.url, kinds })
  await aTicket(desk, await aClient(desk))
  await queueDeliveries()
  await sql`delete from event_places where place = (select event_id from webhook_deliveries where webhook_id = ${webhook.id})`.execute(
    db
  )

  await deliverWebhooks(desk)

  const [delivery] = await deliveriesOf(desk, later, webhook)
  assert.deepEqual([delivery.state, delivery.last_error], ['failed', 'The event is no longer kept'])
  assert.equal(receiver.requests.length, 0)
})
