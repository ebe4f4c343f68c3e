import assert from 'node:assert/strict'
import { bootDesk } from './desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from './people.ts'
import { aTicket } from './tickets.ts'

export type Row = Record<string, number | string | null>

/** A desk whose clock the test sets, with people who work there. */
export async function bootReportsDesk() {
  const desk = await bootDesk({ connections: 4, config: { TEST_CLOCK: true } })
  const [ada, admin] = [await aClient(desk, { is_email_verified: true }), await anAdmin(desk)]
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete')
  const done = async (path: string, by: Person, body: object) => {
    const reply = await desk.post(path, by, body)
    assert.ok(reply.status < 300, `${path}: ${reply.status} ${reply.body.message}`)
    return reply.data
  }
  /** Sets the clock. */
  const at = async (now: string) => await done('/api/test/clock', admin, { now })
  let serial = 0
  return {
    ...{ at, desk, ada, admin, grace, done },
    /** A month of its own for each test, and days in it: the clock only goes forward. */
    aMonth() {
      const month = new Date(Date.UTC(2026, 2 + serial++)).toISOString().slice(0, 7)
      const day = (number: number) => `${month}-${String(number).padStart(2, '0')}`
      return {
        day,
        span: { from: day(1), to: day(28) },
        at: async (number: number, time = '10:00') => await at(`${day(number)}T${time}:00Z`)
      }
    },
    opened: async (given: object = {}, by = ada) => (await aTicket(desk, by, given)).ticket_id as number,
    staff: async (action: string, body: object, by = grace) => await done(`/api/admin/tickets/${action}`, by, body),
    client: async (action: string, body: object) => await done(`/api/tickets/${action}`, ada, body),
    report: async (name: string, body: object, by = admin) => await done(`/api/admin/reports/${name}`, by, body),
    /** The rows of a CSV, each a line, as the report's link answers it. */
    async csv(name: string, body: object, by = admin): Promise<string[]> {
      const { url } = await done(`/api/admin/reports/${name}`, by, { ...body, format: 'csv' })
      const { pathname, search } = new URL(url)
      const response = await fetch(desk.url + pathname + search)
      assert.equal(response.status, 200)
      // Not `text`, which would pass over a byte order mark.
      return Buffer.from(await response.arrayBuffer())
        .toString()
        .split('\r\n')
        .slice(0, -1)
    }
  }
}
