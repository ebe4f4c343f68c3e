import assert from 'node:assert/strict'
import type { Config } from '../../src/core/config.ts'
import { catchUpWithLog } from '../../src/core/events/follow-log.ts'
import { sequence } from '../../src/core/events/read-events.ts'
import { slaReader } from '../../src/tickets/sla/clock-reader.ts'
import { bootDesk, type Desk } from './desk.ts'
import { aClient, anAdmin, type Person } from './people.ts'
import { aCalendar } from './sla.ts'
import { aTicket } from './tickets.ts'

/** A desk whose clock the tests set, with an office in Berlin and one in New York. */
export interface SlaDesk {
  desk: Desk
  admin: Person
  client: Person
  berlin: { id: number; name: string }
  newYork: { id: number; name: string }
  /** Sets the clock, and has done what falls due until then. */
  clockTo(now: string): Promise<void>
  /** A ticket of the client, opened at this time. Returns its id. */
  opened(now: string, given?: object): Promise<number>
  /** Calls the API as an admin at this time; the answer has to be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  at(now: string, path: string, body: object, asker?: Person): Promise<any>
  /** The clocks of a ticket as tickets/sla tells them. */
  clocksOf(ticket: number): Promise<ToldClock[]>
  /** The kinds of sla events of a ticket, with what they carry. */
  toldOf(ticket: number): Promise<[kind: string, after: Record<string, unknown>][]>
}

/** A clock as tickets/sla answers it. */
interface ToldClock {
  metric: string
  state: string
  is_ended: boolean
  due_at: string | null
  breached_at: string | null
  counted_seconds: number
  left_seconds: number
  pause_reason: string | null
  target: { minutes: number; calendar: { id: number; name: string } }
  policy: { id: number; name: string; fitted: object[]; passed_over: object[]; names: object[] }
  steps: { from: string; to: string; kind: string; minutes: number; why: string | null }[]
  earlier: { due_at: string; changed_at: string; cause: string; event: string | null; by: string | null }[]
  text: string
}

export async function bootSlaDesk(config: Partial<Config> = {}): Promise<SlaDesk> {
  const desk = await bootDesk({ connections: 3, config: { TEST_CLOCK: true, ...config } })
  const [admin, client] = [await anAdmin(desk), await aClient(desk)]
  const [berlin, newYork] = [await aCalendar(desk), await aCalendar(desk, { time_zone: 'America/New_York' })]
  const clockTo = async (now: string) => {
    const reply = await desk.post('/api/test/clock', admin, { now })
    assert.equal(reply.status, 200, reply.body.message)
  }
  return {
    ...{ desk, admin, client, berlin, newYork, clockTo },
    async opened(now, given = {}) {
      await clockTo(now)
      return (await aTicket(desk, client, given)).ticket_id
    },
    async at(now, path, body, asker = admin) {
      await clockTo(now)
      const reply = await desk.post(path, asker, body)
      assert.ok(reply.status < 300, `${path}: ${reply.body.message}`)
      return reply.data
    },
    async clocksOf(id) {
      const reply = await desk.post('/api/admin/tickets/sla', admin, { id })
      assert.equal(reply.status, 200, reply.body.message)
      return reply.data.clocks
    },
    async toldOf(ticket) {
      await sequence(desk.services)
      await catchUpWithLog(desk.db, slaReader(desk.services))
      const events = await desk.db
        .selectFrom('events')
        .where('ticket_id', '=', ticket)
        .where('kind', 'like', 'sla.%')
        .select(['kind', 'after'])
        .orderBy('id')
        .execute()
      return events.map(({ kind, after }) => [kind, { ...after }])
    }
  }
}

/** Targets of one metric for some priorities. */
export function targets(metric: string, minutes: Record<string, number>, calendar: { id: number }) {
  return Object.entries(minutes).map(([priority, each]) => ({
    metric,
    priority,
    minutes: each,
    calendar_id: calendar.id
  }))
}
