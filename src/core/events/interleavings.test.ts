import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { type AuditActor, auditActorOfAccount } from '../audit/audit-actor.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { type Db, transaction } from '../db.ts'
import { insertEvents } from './insert-events.ts'
import { readEvents, sequence } from './read-events.ts'

const writers = 12
const writes = 25

const desk = await bootDesk({ connections: writers + 6 })
const account = { population: 'staff', id: 7, first_name: 'Grace', last_name: 'Hopper' } as const
const grace: AuditActor = auditActorOfAccount(account, { ip: '192.0.2.7', requestId: 'r-7' })

const write = (db: Db, id: number) =>
  insertEvents(
    db,
    [{ kind: 'tag.created', subject: { type: 'tag', id }, after: { name: String(id), color: '#ff0000' }, by: grace }],
    desk.clock.now()
  )

test('however many write, roll back, wait or are killed in the middle, two sequencers lose and double nothing', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const committed: number[] = []
  let isWriting = true
  const doubtful = new Set<number>()

  const writer = async (number: number) => {
    for (let at = 0; at < writes; at++) {
      const ids = Array.from({ length: 1 + random(3) }, (_, nth) => number * 10_000 + at * 10 + nth)
      const fate = random(10)
      try {
        await transaction(desk.db, async db => {
          for (const id of ids) await write(db, id)
          if (fate < 3) await sql`select pg_sleep(${random(40) / 1000})`.execute(db)
          if (fate === 8) throw new Error('changed my mind')
          if (fate === 9) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
        })
        committed.push(...ids)
      } catch {
        if (fate < 8) for (const id of ids) doubtful.add(id)
      }
    }
  }
  const sequencer = async () => {
    while (isWriting) await sequence(desk.services)
  }

  const sequencers = [sequencer(), sequencer()]
  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number + 1)))
  isWriting = false
  await Promise.all(sequencers)
  await sequence(desk.services)

  const events = await readEvents(desk.db, { after: 0, limit: 100_000 })
  const audited = await desk.db.selectFrom('audit_log').select('target_id').orderBy('id').execute()
  const placed = events.map(({ subject_id }) => subject_id!)
  assert.deepEqual(doubtful.size, 0)
  assert.deepEqual(
    placed.toSorted((one, other) => one - other),
    committed.toSorted((one, other) => one - other)
  )
  assert.deepEqual(
    events.map(({ id }) => id),
    events.map((_, at) => at + 1)
  )
  assert.deepEqual(
    audited.map(({ target_id }) => target_id),
    placed
  )
  assert.ok((await verifyAudit(desk.services)).isIntact)
})

test('those who write audited events do not wait for one another, nor for one who takes long', async () => {
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const long = transaction(desk.db, async db => {
    await write(db, 1)
    written()
    await goesOn
  })
  await isWritten

  await Promise.all([2, 3, 4, 5, 6].map(id => transaction(desk.db, db => write(db, id))))
  await sequence(desk.services)
  const sealed = await desk.db.selectFrom('audit_log').where('target_id', '<=', 6).select('target_id').execute()
  goOn()
  await long
  await sequence(desk.services)
  const last = await desk.db.selectFrom('audit_log').select('target_id').orderBy('id', 'desc').limit(1).execute()

  assert.deepEqual(sealed.map(({ target_id }) => target_id).toSorted(), [2, 3, 4, 5, 6])
  assert.deepEqual(last, [{ target_id: 1 }])
})
