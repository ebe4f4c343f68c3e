import assert from 'node:assert/strict'
import { aClient } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

/** By its address a write of each kind that staff can do with what has not been sent. */
export const sendingWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/tickets/reply': async scene => ({
    body: { id: await ticket(scene), message: 'canary' },
    refused: { id: 999_999, message: 'canary' }
  }),
  '/api/admin/tickets/reply': async scene => ({ body: { id: await ticket(scene), message: 'canary' } }),
  '/api/account/signature/update': async () => ({
    body: { texts: { en: 'canary' } },
    refused: { texts: { en: '{{nobody.knows}}' } }
  }),
  '/api/admin/tickets/reply/send': async scene => {
    const { desk, admin } = scene
    const id = await ticket(scene)
    const { status, data } = await desk.post('/api/admin/tickets/reply', admin, { id, message: 'canary', undo: 1 })
    assert.equal(status, 201)
    return { body: { id, message_id: data.message_id }, refused: { id, message_id: 999_999 } }
  }
}

async function ticket({ desk }: Scene): Promise<number> {
  return (await aTicket(desk, await aClient(desk), { subject: 'canary', message: 'canary' })).ticket_id
}
