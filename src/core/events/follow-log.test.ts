import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { databaseUrl } from '../../../test/support/database.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { checkReaders } from '../../operation/cli/doctor-readers.ts'
import { watchReaders } from '../../operation/health/watch-readers.ts'
import { system } from '../actor.ts'
import { act } from '../acts/act.ts'
import type { DeskEvent } from './event.ts'
import { type BatchReader, catchUpWithLog, followLog, type LogReader, type SteppingReader } from './follow-log.ts'
import { sequence } from './read-events.ts'

const desk = await bootDesk({ connections: 6 })
const { db, services } = desk
await sql`create table handled (number bigserial, event_id bigint)`.execute(db)
watchReaders(services)

/** A reader that starts where the log is now, and writes down what it gets. */
async function aReader(name: string): Promise<BatchReader> {
  await sequence(services)
  await sql`insert into event_readers (name, place) select ${name}, last_place from event_sequencer`.execute(db)
  await sql`truncate handled`.execute(db)
  return {
    name,
    async handle(db, events) {
      for (const { id } of events) await sql`insert into handled (event_id) values (${id})`.execute(db)
    }
  }
}

async function happen(count: number): Promise<void> {
  await act(services, system, async act => {
    for (let id = 1; id <= count; id++)
      act.happened({ kind: 'tag.deleted', subject: { type: 'tag', id }, before: { name: 'Old', tickets: 0 } })
  })
}

async function handled(): Promise<number[]> {
  const { rows } = await sql<{ event_id: number }>`select event_id from handled order by number`.execute(db)
  return rows.map(({ event_id }) => event_id)
}

function isGapless(ids: readonly number[]): boolean {
  return ids.every((id, at) => at === 0 || id === ids[at - 1]! + 1)
}

test('several processes at once handle every event once and in order', async () => {
  const reader = await aReader('several')
  for (let round = 0; round < 5; round++) {
    await happen(130)
    await sequence(services)
    await Promise.all([1, 2, 3].map(() => catchUpWithLog(db, reader)))
  }

  const ids = await handled()
  assert.equal(ids.length, 650)
  assert.ok(isGapless(ids))
})

test('a batch whose handling fails leaves nothing behind and comes again', async () => {
  const reader = await aReader('failing')
  const batches: number[][] = []
  const failing: LogReader = {
    ...reader,
    async handle(db, events) {
      batches.push(events.map(({ id }) => id))
      await reader.handle(db, events)
      if (batches.length === 1) throw new Error('out of order')
    }
  }
  await happen(3)
  await sequence(services)

  await assert.rejects(catchUpWithLog(db, failing), /out of order/)
  const between = await handled()
  await catchUpWithLog(db, failing)

  assert.deepEqual(between, [])
  assert.deepEqual(batches[0], batches[1])
  assert.deepEqual(await handled(), batches[0])
})

/** A reader that takes three events at a time, and fails or waits as the test wants. */
async function aSteppingReader(name: string, beforeCommit: (upTo: number) => Promise<unknown> = async () => {}) {
  const { handle } = await aReader(name)
  const reader: SteppingReader = {
    name,
    async *steps(_, events) {
      for (let from = 0; from < events.length; from += 3) {
        const some = events.slice(from, from + 3)
        const upTo = some.at(-1)!.id
        const run = async (db: typeof desk.db) => {
          await act({ ...services, db }, system, ({ db }) => handle(db, some))
          await beforeCommit(upTo)
        }
        yield { upTo, run }
      }
    }
  }
  return reader
}

test('a reader in steps commits each of them: what fails leaves those before it, and comes again', async () => {
  let failures = 0
  const reader = await aSteppingReader('steps', async () => {
    if ((await handled()).length >= 6 && failures++ === 0) throw new Error('out of order')
  })
  await happen(8)
  await sequence(services)

  await assert.rejects(catchUpWithLog(db, reader), /out of order/)
  const between = await handled()
  await catchUpWithLog(db, reader)

  const ids = await handled()
  assert.deepEqual([between.length, ids.length], [6, 8])
  assert.ok(isGapless(ids))
})

test('several processes in steps handle every event once and in order', async () => {
  const reader: LogReader = await aSteppingReader('several steps')
  await happen(450)
  await sequence(services)

  await Promise.all([1, 2, 3].map(() => catchUpWithLog(db, reader)))

  const ids = await handled()
  assert.equal(ids.length, 450)
  assert.ok(isGapless(ids))
})

test('a process that is killed while it handles events takes none of them along', async () => {
  const reader = await aReader('killed')
  await happen(3)
  await sequence(services)
  const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const code = `
    const { openDatabase } = await import(${at('../../platform/db/open.ts')})
    const { catchUpWithLog } = await import(${at('./follow-log.ts')})
    const { db } = openDatabase({ connection: ${JSON.stringify(databaseUrl(desk.connection))}, maxConnections: 2,
      statementTimeoutMilliseconds: 10000, connectTimeoutMilliseconds: 10000, onIdleError() {} })
    await catchUpWithLog(db, { name: 'killed', async handle(db) {
      await db.insertInto('handled').values({ event_id: 0 }).execute()
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    } })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')

  await catchUpWithLog(db, reader)

  const ids = await handled()
  assert.equal(signal, 'SIGKILL')
  assert.equal(ids.length, 3)
  assert.ok(isGapless(ids))
})

test('whoever follows gets what happens by itself, also after a failure, which is logged', async () => {
  const reader = await aReader('following')
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const stopping = new AbortController()
  const { promise: got, resolve } = Promise.withResolvers<readonly DeskEvent[]>()
  let failures = 0
  const following = followLog(
    { ...services, log },
    {
      name: reader.name,
      async handle(_, events) {
        if (failures++ === 0) throw new Error('out of order')
        resolve(events)
      }
    },
    stopping.signal
  )

  await happen(1)
  const events = await got
  stopping.abort()
  await following

  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['tag.deleted']
  )
  assert.ok(lines.some(line => line.includes('Events are waiting to be handled') && line.includes('following')))
})

test('positions whose event is gone are passed over', async () => {
  const reader = await aReader('passing')
  await happen(2)
  await sequence(services)
  await sql`delete from events where id in (select event_id from event_places order by place desc limit 2)`.execute(db)

  await catchUpWithLog(db, reader)

  assert.deepEqual(await handled(), [])
  const { rows } =
    await sql`select last_place - place as behind from event_readers, event_sequencer where name = 'passing'`.execute(
      db
    )
  assert.deepEqual(rows, [{ behind: 0 }])
})

test('metrics and doctor say which reader is behind, and how far', async () => {
  const reader = await aReader('late')
  await happen(2)
  await sequence(services)
  desk.clock.turn(90)
  const lagOf = async (name: string) => {
    const text = await services.metrics.registry.metrics()
    const line = text.split('\n').find(line => line.startsWith(`${name}{reader="late"} `))
    return Number(line?.split(' ').at(-1))
  }

  const events = await lagOf('deskline_event_reader_lag_events')
  const seconds = await lagOf('deskline_event_reader_lag_seconds')
  const finding = await checkReaders(db, desk.clock)
  await catchUpWithLog(db, reader)

  assert.equal(events, 2)
  assert.ok(seconds >= 90, String(seconds))
  assert.equal(finding.verdict, 'warn')
  assert.match(finding.text, /late has 2 events to handle/)
  assert.doesNotMatch((await checkReaders(db, desk.clock)).text, /late has/)
})

test('a reader that no migration has added is refused', async () => {
  await assert.rejects(catchUpWithLog(db, { name: 'unknown', async handle() {} }), /no reader "unknown"/)
})
