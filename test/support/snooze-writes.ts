import assert from 'node:assert/strict'
import { aClient } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

const reason = 'canary'

/** By its address a write of each kind that staff can do with snoozes. */
export const snoozeWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/tickets/snooze': async scene => ({ body: { id: await ticket(scene), until: inAnHour(scene), reason } }),
  '/api/admin/tickets/unsnooze': async scene => {
    const id = await ticket(scene)
    const { status } = await scene.desk.post('/api/admin/tickets/snooze', scene.admin, { id, until_reply: 1, reason })
    assert.equal(status, 200)
    return { body: { id } }
  }
}

async function ticket({ desk }: Scene): Promise<number> {
  return (await aTicket(desk, await aClient(desk))).ticket_id
}

function inAnHour({ desk }: Scene): string {
  return new Date(desk.clock.now().getTime() + 3_600_000).toISOString()
}
