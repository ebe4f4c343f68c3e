import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { sendNotifications } from './send-notifications.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const delay = 60

test('one ticket that fails is put off alone, longer each time, however many come after it', async () => {
  const { ticket_id: failingId } = await aTicket(desk, ada)
  const bob = await aClient(desk)
  const { ticket_id: other } = await aTicket(desk, bob)
  desk.clock.turn(delay)
  await desk.findPendingNotifications()
  const untold = (id: number) =>
    desk.db.selectFrom('pending_notifications').where('ticket_id', '=', id).selectAll().execute()
  const { jobs } = desk.services
  let tries = 0
  const send: typeof jobs.send = async (db, name, data) => {
    const { rows } = await sql<{
      recipient: string
    }>`select recipient from outbox_messages order by id desc limit 1`.execute(db)
    if (rows[0]!.recipient !== ada.email) return await jobs.send(db, name, data)
    tries++
    throw new Error('out of order')
  }
  const failing = { ...desk.services, jobs: { ...jobs, send } }

  await assert.rejects(sendNotifications(failing), new RegExp(`the tickets ${failingId}$`))
  assert.deepEqual([(await untold(failingId)).length, await untold(other), tries], [1, [], 1])
  await sendNotifications(failing)
  assert.equal(tries, 1)
  const waits = []
  for (let round = 0; round < 3; round++) {
    const [event] = await untold(failingId)
    const seconds = (event!.due_at.getTime() - desk.clock.now().getTime()) / 1000
    waits.push(seconds)
    desk.clock.turn(seconds)
    await assert.rejects(sendNotifications(failing))
  }

  assert.equal(tries, 4)
  assert.ok(waits[0]! >= 30 && waits[1]! > waits[0]! && waits[2]! > waits[1]!, String(waits))
  await desk.db.deleteFrom('pending_notifications').execute()
})

test('what concerns nobody is passed over by the reader of the log', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const admin = await anAdmin(desk)
  for (const [action, body] of [
    ['update', { priority: 'High' }],
    ['watch', {}],
    ['tags', { tags: [] }],
    ['delete', {}],
    ['restore', {}],
    ['note', { note: 'Hm.' }],
    ['status', { status: 'Closed' }],
    ['assign', { assigned_staff_id: admin.id }]
  ] as const) {
    assert.ok((await desk.post(`/api/admin/tickets/${action}`, admin, { id, ...body })).status < 300, action)
  }

  await desk.findPendingNotifications()
  const waiting = await desk.db
    .selectFrom('pending_notifications')
    .innerJoin('event_places', 'event_places.place', 'pending_notifications.event_id')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .where('pending_notifications.ticket_id', '=', id)
    .select('events.kind')
    .orderBy('place')
    .execute()

  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ['ticket.created', 'ticket.noted', 'ticket.status_changed', 'ticket.assigned']
  )
})
