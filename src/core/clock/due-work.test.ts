import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { clockMovedTo, movableClock, setClock } from './desk-clock.ts'
import { type DueWork, doDueWork } from './due-work.ts'

const desk = await bootDesk({ connections: 4 })
const { services } = desk
const past = () => new Date(services.clock.now().getTime() - 1_000)

function workOf(steps: number, act: () => Promise<void> | void = () => {}): DueWork & { runs: number } {
  const work = {
    name: 'counted',
    runs: 0,
    nextDueAt: async () => (work.runs < steps ? past() : null),
    async runDue() {
      if (work.runs >= steps) return 0
      work.runs += 1
      await act()
      return 1
    }
  }
  return work
}

test('what is due is done until nothing is left, and nothing is asked of what is not due', async () => {
  const due = workOf(3)
  let asked = 0
  const later: DueWork = {
    name: 'later',
    nextDueAt: async () => new Date(services.clock.now().getTime() + 60_000),
    runDue: async () => ++asked
  }

  await doDueWork(services, [due, later], { holder: randomUUID() })

  assert.deepEqual([due.runs, asked], [3, 0])
})

test('one process at a time does what is due, and another takes over from one that has died', async () => {
  const other = workOf(1)
  const first = workOf(1, async () => await doDueWork(services, [other], { holder: randomUUID() }))

  await doDueWork(services, [first], { holder: randomUUID() })
  const meanwhile = other.runs
  // A process that was killed has left its lease, which has ended since.
  const dead = { holder: randomUUID(), leased_until: sql<Date>`clock_timestamp() - interval '1 second'` }
  await desk.db.updateTable('due_work_lease').set(dead).execute()
  await doDueWork(services, [other], { holder: randomUUID() })

  assert.deepEqual([first.runs, meanwhile, other.runs], [1, 0, 1])
})

test('a lease from before the clock of the database was set back keeps nobody away', async () => {
  const lease = { holder: randomUUID(), leased_until: sql<Date>`clock_timestamp() + interval '1 hour'` }
  await desk.db.updateTable('due_work_lease').set(lease).execute()
  const due = workOf(1)

  await doDueWork(services, [due], { holder: randomUUID() })

  assert.equal(due.runs, 1)
})

test('a work that fails keeps no other from being done, is told of, and leaves no lease', async () => {
  const failing = workOf(1, () => {
    throw new Error('broken')
  })
  const due = workOf(2)

  await assert.rejects(doDueWork(services, [failing, due], { holder: randomUUID() }), AggregateError)

  assert.equal(due.runs, 2)
  assert.equal((await desk.db.selectFrom('due_work_lease').select('holder').executeTakeFirst())!.holder, null)
})

test('every process follows where the clock was set, and it never goes back', async () => {
  const [one, other] = [movableClock(desk.db, services.realClock), movableClock(desk.db, services.realClock)]
  const [nine, ten] = [new Date('2026-03-10T09:00:00Z'), new Date('2026-03-10T10:00:00Z')]

  await setClock(desk.db, ten)
  await setClock(desk.db, nine)
  for (const clock of [one, other]) await clock.follow!()

  assert.deepEqual([one.now(), other.now(), await clockMovedTo(desk.db)], [ten, ten, ten])
})
