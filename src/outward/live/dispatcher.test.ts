import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { until } from '../../../test/support/until.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { makeDispatcher } from './dispatcher.ts'

const { services } = await bootDesk()

function eventsFrom(first: number, last: number): DeskEvent[] {
  const facts = {
    kind: 'two_factor.enabled',
    at: new Date(),
    subject_type: 'tag',
    subject_id: 1,
    ticket_id: null
  } as const
  const actor = { type: 'system', id: null, name: 'Deskline' } as const
  const nothing = {
    client_id: null,
    department_id: null,
    before: null,
    after: null,
    request_id: null,
    is_silent: false,
    cause: null
  }
  return Array.from({ length: last - first + 1 }, (_, at) => ({ id: first + at, ...facts, actor, ...nothing }))
}

test('when too many events wait, whoever comes back reads them from the log, and later ones are handed over', async () => {
  let hear = (_events: readonly DeskEvent[]) => {}
  const subscribe = (listener: typeof hear) => {
    hear = listener
    return () => {}
  }
  const events = { ...services.events, newest: () => 0, subscribe }
  const handOver = makeDispatcher({ ...services, events }, new Set())
  handOver.start()

  hear(eventsFrom(1, 1))
  hear(eventsFrom(2, 20_002))
  assert.equal(handOver.position(), 20_002)
  hear(eventsFrom(20_003, 20_003))

  await until(
    () => handOver.position() === 20_003,
    () => `${handOver.position()}`,
    5
  )
  handOver.stop()
})
