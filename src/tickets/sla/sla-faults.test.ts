import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { databaseUrl } from '../../../test/support/database.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import { dueWork } from '../../operation/clock/timed-work.ts'
import { slaReader } from './clock-reader.ts'
import { slaBreaches } from './due-clocks.ts'

const { desk, client, admin, berlin, opened, clockTo, clocksOf, toldOf } = await bootSlaDesk()
const { db, services } = desk

await clockTo('2026-03-09T07:00:00Z')
await aPolicy(desk, admin, berlin, {
  targets: targets('first_response', { Medium: 240 }, berlin),
  warn_minutes: 30
})

/** A process that reads the log for clocks and is killed when it has folded, before its commit. */
async function killedWhileReading(): Promise<void> {
  const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const code = `
    const { openDatabase } = await import(${at('../../platform/db/open.ts')})
    const { catchUpWithLog } = await import(${at('../../core/events/follow-log.ts')})
    const { slaReader } = await import(${at('./clock-reader.ts')})
    const { db } = openDatabase({ connection: ${JSON.stringify(databaseUrl(desk.connection))}, maxConnections: 2,
      statementTimeoutMilliseconds: 10000, connectTimeoutMilliseconds: 10000, onIdleError() {} })
    const reader = slaReader({ clock: { now: () => new Date() } })
    await catchUpWithLog(db, { ...reader, async handle(db, events) {
      await reader.handle(db, events)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    } })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}

test('S16: a process that is killed between an event and its clocks loses none and doubles none', async () => {
  const ticket = await opened('2026-03-09T08:00:00Z')
  await sequence(services)
  await killedWhileReading()
  const none = await db.selectFrom('sla_clocks').where('ticket_id', '=', ticket).select('id').execute()

  await Promise.all([catchUpWithLog(db, slaReader(services)), catchUpWithLog(db, slaReader(services))])

  assert.equal(none.length, 0)
  assert.deepEqual(
    (await toldOf(ticket)).map(([kind]) => kind),
    ['sla.started']
  )
  assert.equal((await clocksOf(ticket)).length, 1)
})

test('S16: of two processes that look for what is late one tells it, once', async () => {
  const ticket = await opened('2026-03-10T08:00:00Z')
  await sequence(services)
  await catchUpWithLog(db, slaReader(services))
  const after = new Date('2026-03-10T13:00:00Z')
  const clock = { now: () => after }
  const [one, other] = [1, 2].map(() => slaBreaches({ ...services, clock }, slaReader(services)))

  await Promise.all([one!.runDue(after), other!.runDue(after)])
  await one!.runDue(after)

  assert.equal((await toldOf(ticket)).filter(([kind]) => kind === 'sla.breached').length, 1)
  const [late] = await clocksOf(ticket)
  assert.equal(late!.breached_at, '2026-03-10T12:00:00.000Z')
})

test('S16: an answer in time that the log told late is no breach', async () => {
  const ticket = await opened('2026-03-11T08:00:00Z')
  await sequence(services)
  await catchUpWithLog(db, slaReader(services))
  await db
    .updateTable('sla_clocks')
    .where('ticket_id', '=', ticket)
    .set(eb => ({ breached_at: eb.ref('due_at') }))
    .execute()
  await clockTo('2026-03-11T11:59:00Z')
  await desk.post('/api/admin/tickets/reply', admin, { id: ticket, message: 'Just in time' })

  assert.deepEqual(
    (await toldOf(ticket)).map(([kind, { cause = null }]) => [kind, cause]),
    [
      ['sla.started', null],
      ['sla.breach_lifted', 'in_time'],
      ['sla.met', null]
    ]
  )
})

test('S16, S17: after a standstill over both instants the breach alone is told, at the instant at which it was due', async () => {
  const ticket = await opened('2026-03-12T08:00:00Z')
  await sequence(services)
  await catchUpWithLog(db, slaReader(services))
  const after = new Date('2026-03-12T15:00:00Z')
  for (const work of dueWork({ ...services, clock: { now: () => after } })) await work.runDue(after)

  const told = (await toldOf(ticket)).filter(([kind]) => kind !== 'sla.started')
  assert.deepEqual(
    told.map(([kind, { breached_at }]) => [kind, breached_at]),
    [['sla.breached', '2026-03-12T12:00:00.000Z']]
  )
})

test('S14: a split that is undone before the log was read stops no clock, though its events have lost their facts', async () => {
  const source = await opened('2026-03-13T08:00:00Z')
  const reply = await desk.post('/api/tickets/reply', client, { id: source, message: 'And the other matter' })
  assert.equal(reply.status, 201, reply.body.message)
  const split = await desk.post('/api/admin/tickets/split', admin, {
    id: source,
    message_ids: [reply.data.message_id],
    subject: 'The other matter'
  })
  assert.equal(split.status, 201, split.body.message)
  const undone = await desk.post('/api/admin/tickets/unsplit', admin, { id: split.data.ticket_id })
  assert.equal(undone.status, 200, undone.body.message)

  await sequence(services)
  await catchUpWithLog(db, slaReader(services))
  const next = await opened('2026-03-13T08:05:00Z')
  await sequence(services)
  await catchUpWithLog(db, slaReader(services))

  assert.deepEqual(
    (await clocksOf(next)).map(({ metric }) => metric),
    ['first_response']
  )
})
