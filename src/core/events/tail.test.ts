import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { eventually } from '../../../test/faults/eventually.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { sealEvents } from '../audit/audit-chain.ts'
import { type Db, transaction } from '../db.ts'
import type { DeskEvent } from './event.ts'
import { postgresEventChannel } from './event-channel.ts'
import { insertEvents } from './insert-events.ts'
import { newestPosition, readEvents, sequence } from './read-events.ts'
import { type AuditedEvent, sequenceBatch } from './sequencer.ts'
import { openEventTail } from './tail.ts'

const desk = await bootDesk({ connections: 8 })
const grace = { type: 'staff', id: 7, name: 'Grace Hopper', ip: '192.0.2.7', requestId: 'r-7' } as const

const add = (db = desk.db, id = 1) =>
  insertEvents(
    db,
    [
      {
        kind: 'tag.created',
        subject: { type: 'tag', id },
        after: { name: 'x', color: '#ff0000' },
        logged: false,
        by: grace
      }
    ],
    desk.clock.now()
  )

const seal = (db: Db, events: readonly AuditedEvent[]) => sealEvents(desk.services.keys, db, events)

async function isCommitted(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await add()
}

async function subjectsBehind(after: number) {
  await sequence(desk.services)
  return (await readEvents(desk.db, { after, limit: 1000 })).map(({ subject_id }) => subject_id)
}

test('an event tells who did what to what, with ids and without words', async () => {
  const after = await newestPosition(desk.db)
  const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
  await sequence(desk.services)
  const { ticket_id: id } = await aTicket(desk, ada, { message: 'A secret of mine' })
  await desk.post('/api/admin/tickets/assign', admin, { id, assigned_staff_id: admin.id })
  await desk.post('/api/admin/tags/create', admin, { name: 'Hot' })

  await sequence(desk.services)
  const events = (await readEvents(desk.db, { after, limit: 1000 })).slice(-3)

  const [created, assigned, tag] = events
  const last = await newestPosition(desk.db)
  assert.deepEqual(
    events.map(({ id, kind }) => [id, kind]),
    [
      [last - 2, 'ticket.created'],
      [last - 1, 'ticket.assigned'],
      [last, 'tag.created']
    ]
  )
  const ofTicket = { subject_type: 'ticket', subject_id: id, ticket_id: id, client_id: ada.id }
  assert.deepEqual({ ...created, ...ofTicket }, created)
  assert.deepEqual({ ...assigned, ...ofTicket }, assigned)
  assert.ok(created!.department_id! > 0 && created!.department_id === assigned!.department_id)
  assert.deepEqual(created!.actor, { type: 'client', id: ada.id, name: 'Ada Lovelace' })
  assert.deepEqual([tag!.ticket_id, tag!.client_id, tag!.actor.id], [null, null, admin.id])
  assert.equal(tag!.subject_type, 'tag')
  assert.doesNotMatch(JSON.stringify(events), /secret/)
})

test('a row that is committed late gets its place after those that were there before it, and none is passed over', async () => {
  const after = await newestPosition(desk.db)
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: write } = Promise.withResolvers<void>()
  const late = transaction(desk.db, async db => {
    await add(db, 100)
    write()
    await goesOn
  })
  await isWritten
  await assert.rejects(
    transaction(desk.db, async db => {
      await add(db, 666)
      throw new Error('no')
    })
  )
  await add(desk.db, 101)

  const before = await subjectsBehind(after)
  goOn()
  await late
  await add(desk.db, 102)

  assert.deepEqual(before, [101])
  assert.deepEqual(await subjectsBehind(after), [101, 100, 102])
})

test('more rows than fit into one pass get dense places', async () => {
  const after = await newestPosition(desk.db)
  await sql`insert into events (kind, subject_type, subject_id, actor_type, actor_name)
    select 'two_factor.enabled', 'staff', n, 'system', 'Deskline' from generate_series(1, 2500) as n`.execute(desk.db)

  await Promise.all([sequence(desk.services), sequence(desk.services), sequenceBatch(desk.db, seal, { wait: false })])

  const { rows } = await sql<{ place: number; subject_id: number }>`
    select place, subject_id from event_places join events on events.id = event_id where place > ${after} order by place`.execute(
    desk.db
  )
  assert.deepEqual(
    rows.map(({ place, subject_id }) => [place - after, subject_id]),
    Array.from({ length: 2500 }, (_, at) => [at + 1, at + 1])
  )
})

test('what was written while a gap was open is found in it; a gap that nobody can fill any more is given up', async () => {
  await sql`select nextval(pg_get_serial_sequence('events', 'id')) from generate_series(1, 5)`.execute(desk.db)
  await add()
  await sequence(desk.services)
  const gaps = async () =>
    (await desk.db.selectFrom('event_sequencer').select('gaps').executeTakeFirstOrThrow()).gaps.map(
      ({ from, to }) => to - from + 1
    )
  const open = await gaps()

  await sql`update event_sequencer set gaps = (
    select json_agg(json_build_object('from', gap->'from', 'to', gap->'to', 'next', gap->'next', 'seconds', 0))
    from jsonb_array_elements(gaps) as gap)`.execute(desk.db)

  assert.ok(open.includes(5))
  // The server may run transactions of other databases, of the tests beside this one: until they are over nothing is given up.
  await eventually(60, 'the end of what ran when it was seen', async () => {
    await sequence(desk.services)
    assert.deepEqual(await gaps(), [])
  })
})

test('every process tells its listeners of all that is written anywhere, once and in order; who ends listening hears no more', async t => {
  const tails = [1, 2].map(() =>
    openEventTail({ db: desk.db, log: desk.services.log, seal, channel: postgresEventChannel(desk.connection) })
  )
  t.after(() => Promise.all(tails.map(tail => tail.stop())))
  for (const tail of tails) await tail.start()
  const heard: number[][] = [[], []]
  const from = await newestPosition(desk.db)
  const ends = tails.map((tail, at) =>
    tail.subscribe((events: readonly DeskEvent[]) => {
      heard[at]!.push(...events.map(({ id }) => id))
    })
  )

  await Promise.all(Array.from({ length: 5 }, () => isCommitted(20)))
  tails[0]!.wakeUp()
  await eventually(60, 'what was written', async () => assert.ok(heard.every(({ length }) => length >= 100)))
  ends[0]!()
  await add()
  tails[0]!.wakeUp()
  await eventually(60, 'the last', async () => assert.ok(heard[1]!.length >= 101))

  const all = Array.from({ length: 101 }, (_, at) => from + at + 1)
  assert.deepEqual(heard, [all.slice(0, 100), all])
  assert.ok(tails.every(tail => tail.newest() >= from + 100))
})

test('a database that is away is told of once, and followed again when it is back', async () => {
  const told: string[] = []
  const log = pino({ level: 'info' }, { write: line => void told.push(JSON.parse(line).msg) })
  let isAway = true
  const db = new Proxy(desk.db, {
    get: (target, name) => {
      if (isAway) throw new Error('away')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  const tail = openEventTail({ db, log, seal })
  await tail.start()
  isAway = false
  const heard: number[] = []
  tail.subscribe(events => {
    heard.push(...events.map(({ id }) => id))
  })
  await add()
  await sequence(desk.services)
  const newest = await newestPosition(desk.db)
  await eventually(60, 'the event', async () => assert.ok(heard.includes(newest)))
  await tail.stop()

  assert.deepEqual(told, ['The event log cannot be read; retrying', 'The event log is readable again'])
})
