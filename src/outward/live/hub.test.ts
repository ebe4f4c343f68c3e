import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { makeHub } from './hub.ts'
import type { Listener } from './listeners.ts'

// With one connection the statements of concurrent work alternate in a fixed order.
const desk = await bootDesk()
const { db } = desk
const hub = makeHub(desk.services)

const realNow = Date.now

/** A stream of a client that has read everything. */
async function aStream(): Promise<{ id: string; end: () => void }> {
  const row = { id: randomUUID(), process_id: hub.process, population: 'client', account_id: 1 } as const
  assert.equal(await hub.take(row, 20), true)
  const actor = {
    population: 'client',
    id: 1,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com'
  } as const
  const stream = { isOver: false, hasRoom: true, send() {}, end() {}, taken: async () => {} }
  const state = { position: Number.MAX_SAFE_INTEGER, isLive: false, hasPresence: true }
  const listener: Listener = { row, actor, session: 1, wanted: {}, stream, endsAt: Number.POSITIVE_INFINITY, ...state }
  return { id: row.id, end: hub.add(listener) }
}

async function takenStreams(): Promise<string[]> {
  const rows = await db.selectFrom('event_streams').where('process_id', '=', hub.process).select('id').execute()
  return rows.map(({ id }) => id)
}

test('a closed stream that could not be released is released with the next one', async () => {
  const [first, second] = [await aStream(), await aStream()]
  await sql`alter table event_streams rename to away`.execute(db)
  first.end()
  await hub.allReleased()
  await sql`alter table away rename to event_streams`.execute(db)
  assert.deepEqual((await takenStreams()).sort(), [first.id, second.id].sort())

  second.end()
  await hub.allReleased()

  assert.deepEqual(await takenStreams(), [])
})

test('streams that the database has lost in a crash count again after the next heartbeat', async t => {
  const open = await aStream()
  await sql`truncate event_streams, stream_processes`.execute(db)
  t.mock.method(Date, 'now', () => realNow() + 60_000)

  const next = await aStream()

  assert.deepEqual((await takenStreams()).sort(), [open.id, next.id].sort())
  for (const { end } of [open, next]) end()
  await hub.allReleased()
})

test('a stream that is closed during the heartbeat of its process does not stay taken', async t => {
  const ending = await aStream()
  t.mock.method(Date, 'now', () => realNow() + 120_000)

  const taking = aStream()
  ending.end()
  const open = await taking
  await hub.allReleased()

  assert.deepEqual(await takenStreams(), [open.id])
  open.end()
  await hub.allReleased()
})
