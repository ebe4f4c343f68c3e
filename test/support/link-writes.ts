import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import { aClient } from './people.ts'
import type { Scene } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

/** Writes of staff that link tickets and split them. */
export const linkWrites = {
  '/api/admin/tickets/link': async ({ desk }: Scene) => ({
    body: { id: await ticketOf(desk), other_id: await ticketOf(desk), kind: 'related' },
    refused: { id: await ticketOf(desk), other_id: 999_999, kind: 'related' }
  }),
  '/api/admin/tickets/unlink': async (scene: Scene) => {
    const body = { id: await ticketOf(scene.desk), other_id: await ticketOf(scene.desk), kind: 'blocks' }
    await done(scene, 'link', body)
    return { body, refused: { ...body, kind: 'duplicate_of' } }
  },
  '/api/admin/tickets/split': async ({ desk }: Scene) => ({ body: await aSplit(desk) }),
  '/api/admin/tickets/unsplit': async (scene: Scene) => {
    const { ticket_id: id } = await done(scene, 'split', await aSplit(scene.desk))
    return { body: { id }, refused: { id: await ticketOf(scene.desk) } }
  }
}

/** What splits a ticket. */
async function aSplit(desk: Desk) {
  const client = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, client)
  const reply = await desk.post('/api/tickets/reply', client, { id, message: 'canary' })
  return { id, message_ids: [reply.data.message_id], subject: 'canary apart' }
}

async function ticketOf(desk: Desk): Promise<number> {
  return (await aTicket(desk, await aClient(desk))).ticket_id
}

async function done({ desk, admin }: Scene, action: string, body: object) {
  const reply = await desk.post(`/api/admin/tickets/${action}`, admin, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}
