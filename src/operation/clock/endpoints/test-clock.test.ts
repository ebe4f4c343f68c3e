import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import type { DueWork } from '../../../core/clock/due-work.ts'
import { moveClock } from '../../../core/clock/move-clock.ts'
import { webhookReader } from '../../../outward/webhooks/queue-deliveries.ts'

const nine = '2026-03-10T09:00:00.000Z'

test('without TEST_CLOCK there is no clock to set, not even for an admin', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)

  const reply = await desk.post('/api/test/clock', admin, { now: nine })

  assert.equal(reply.status, 404)
  assert.equal((await desk.db.selectFrom('desk_clock').select('moved_to').executeTakeFirst())!.moved_to, null)
})

test('only an admin sets the clock', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true } })
  const [client, supporter] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]

  const replies = [undefined, client, supporter].map(asker => desk.post('/api/test/clock', asker, { now: nine }))

  assert.deepEqual(
    (await Promise.all(replies)).map(({ status }) => status),
    [401, 403, 403]
  )
})

test('the first setting may be any instant; from then on the clock stands, and goes forward only', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true } })
  const admin = await anAdmin(desk)
  const clock = async (body: object = {}) => await desk.post('/api/test/clock', admin, body)

  const before = await clock()
  const set = await clock({ now: '2026-03-10T10:00:00+01:00' })
  desk.clock.turn(3600)
  const stood = await clock()
  const advanced = await clock({ advance_seconds: 3600 })
  const back = await clock({ now: '2026-03-10T09:59:59Z' })
  const same = await clock({ now: '2026-03-10T10:00Z' })

  assert.equal(before.data.is_moved, false)
  assert.deepEqual([set.data, stood.data], Array(2).fill({ now: nine, is_moved: true }))
  assert.deepEqual(advanced.data, { now: '2026-03-10T10:00:00.000Z', is_moved: true })
  assert.deepEqual([back.status, back.body.reason], [409, 'clock_goes_back'])
  assert.deepEqual([same.status, same.data], [200, advanced.data])
})

test('a time without an offset, on no date, or beside a step is refused, and nothing is set', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true } })
  const admin = await anAdmin(desk)

  const bodies = [
    { now: '2026-03-10T09:00:00' },
    { now: '2026-02-30T09:00:00Z' },
    { now: 'tomorrow' },
    { now: nine, advance_seconds: 1 },
    { advance_seconds: 0 },
    { advance_seconds: 1e12 }
  ]

  for (const body of bodies) {
    const reply = await desk.post('/api/test/clock', admin, body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.equal(reply.body.errors[0], Object.keys(body)[0])
  }
  assert.equal((await desk.post('/api/test/clock', admin)).data.is_moved, false)
})

test('a ticket, its message, its event and its audit entry have the time of the desk; sessions and codes that of the machine', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true } })
  const admin = await anAdmin(desk)
  await desk.post('/api/test/clock', admin, { now: nine })
  const client = await aClient(desk)

  const ticket = await aTicket(desk, client)
  await desk.post('/api/test/clock', admin, { advance_seconds: 60 })
  await desk.post('/api/tickets/reply', client, { id: ticket.ticket_id, message: 'More' })
  await desk.post('/api/test/clock', admin, { advance_seconds: 60 })
  await desk.post('/api/tickets/status', client, { id: ticket.ticket_id, status: 'Closed' })
  await desk.post('/api/admin/tickets/note', admin, { id: ticket.ticket_id, note: 'Noted' })
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id: ticket.ticket_id })
  const events = await desk.post('/api/admin/events', admin, { limit: 100 })

  assert.equal(ticket.created_at, 'Tue Mar 10 09:00:00 2026')
  assert.equal(data.ticket.created_at_iso, '2026-03-10T09:00:00Z')
  assert.equal(data.ticket.updated_at_iso, '2026-03-10T09:02:00Z')
  assert.deepEqual(
    data.messages.map((message: { created_at: string }) => message.created_at),
    ['2026-03-10 09:00:00', '2026-03-10 09:01:00']
  )
  const times = events.data.events
    .filter(({ ticket_id }: { ticket_id: number | null }) => ticket_id === ticket.ticket_id)
    .map(({ kind, at }: { kind: string; at: string }) => [kind, at])
  assert.deepEqual(times, [
    ['ticket.created', '2026-03-10 09:00:00'],
    ['ticket.replied', '2026-03-10 09:01:00'],
    ['ticket.status_changed', '2026-03-10 09:02:00'],
    ['ticket.noted', '2026-03-10 09:02:00']
  ])
  const sessions = await desk.db.selectFrom('sessions').select('created_at').execute()
  assert.ok(sessions.every(({ created_at }) => Math.abs(created_at.getTime() - Date.now()) < 600_000))
})

test('a jump goes through all that falls due in order, each at its own instant, and every e-mail is queued then', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true, NOTIFICATION_DELAY_SECONDS: 60 } })
  const admin = await anAdmin(desk)
  const client = await aClient(desk)
  await desk.post('/api/test/clock', admin, { now: nine })
  const ticket = await aTicket(desk, client)
  await desk.post('/api/test/clock', admin, { advance_seconds: 30 })
  await desk.post('/api/admin/tickets/reply', admin, { id: ticket.ticket_id, message: 'An answer' })
  const queued = async () =>
    (
      await desk.db.selectFrom('outbox_messages').where('kind', '=', 'client-ticket').select('created_at').execute()
    ).map(({ created_at }) => created_at.toISOString())

  await desk.post('/api/test/clock', admin, { advance_seconds: 29 })
  const tooSoon = await queued()
  await desk.post('/api/test/clock', admin, { advance_seconds: 3600 })

  assert.deepEqual(tooSoon, [])
  assert.deepEqual(await queued(), ['2026-03-10T09:01:00.000Z'])
})

test('what falls due while a jump is on its way is done in its turn', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true } })
  await moveClock(desk.services, { due: [], readers: [] }, () => new Date(nine))
  const done: string[] = []
  // Each time that the first falls due, the second has to follow ten minutes later.
  const later: Date[] = []
  const hourly = everySeconds(3600, 2, now => later.push(new Date(now.getTime() + 600_000)))
  const following: DueWork = {
    name: 'following',
    nextDueAt: async () => later[0] ?? null,
    async runDue(now) {
      if (!later[0] || later[0] > now) return 0
      done.push(`following ${later.shift()!.toISOString().slice(11, 16)} at ${shown(now)}`)
      return 1
    }
  }

  function everySeconds(seconds: number, times: number, work: (now: Date) => void): DueWork {
    const due = Array.from({ length: times }, (_, at) => new Date(Date.parse(nine) + (at + 1) * seconds * 1000))
    return {
      name: 'hourly',
      nextDueAt: async () => due[0] ?? null,
      async runDue(now) {
        if (!due[0] || due[0] > now) return 0
        done.push(`hourly ${due.shift()!.toISOString().slice(11, 16)} at ${shown(now)}`)
        work(now)
        return 1
      }
    }
  }
  const shown = (now: Date) => {
    assert.equal(now.getTime(), desk.services.clock.now().getTime())
    return now.toISOString().slice(11, 16)
  }
  await moveClock(desk.services, { due: [hourly, following], readers: [] }, () => new Date('2026-03-10T20:00:00Z'))

  assert.deepEqual(done, [
    'hourly 10:00 at 10:00',
    'following 10:10 at 10:10',
    'hourly 11:00 at 11:00',
    'following 11:10 at 11:10'
  ])
  assert.equal(desk.services.clock.now().toISOString(), '2026-03-10T20:00:00.000Z')
})

test('the readers of the log have read it when the answer comes', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true, WEBHOOK_ALLOW_PRIVATE: [] } })
  const admin = await anAdmin(desk)
  const client = await aClient(desk)
  await desk.post('/api/test/clock', admin, { now: nine })
  await aTicket(desk, client)

  await desk.post('/api/test/clock', admin, { advance_seconds: 1 })

  const readers = await desk.db
    .selectFrom(['event_readers', 'event_sequencer'])
    .where('name', 'in', ['notifications', webhookReader(desk.services).name])
    .select(sql<boolean>`place = last_place`.as('isThere'))
    .execute()
  assert.deepEqual(
    readers.map(({ isThere }) => isThere),
    [true, true]
  )
})
