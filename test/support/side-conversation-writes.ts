import assert from 'node:assert/strict'
import { aClient } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

const given = { to: ['canary@partner.example'], subject: 'canary', message: 'canary' }

/** By its address a write of each kind that staff can do with side conversations. */
export const sideConversationWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/tickets/forward': async scene => ({
    body: { id: await ticket(scene), ...given },
    refused: { id: 999_999, ...given }
  }),
  '/api/admin/tickets/conversations/reply': async scene => ({
    body: { id: await conversation(scene), message: 'canary' },
    refused: { id: 999_999, message: 'canary' }
  }),
  '/api/admin/tickets/conversations/update': async scene => ({
    body: { id: await conversation(scene), waits: 1 },
    refused: { id: 999_999, waits: 1 }
  }),
  '/api/admin/tickets/conversations/send': async scene => {
    const id = await ticket(scene)
    const { data } = await scene.desk.post('/api/admin/tickets/forward', scene.admin, { id, ...given, undo: 1 })
    const { side_message_id } = data
    return { body: { id, side_message_id }, refused: { id: 999_999, side_message_id } }
  },
  '/api/admin/tickets/emails/turn-on': async scene => {
    const client = await aClient(scene.desk)
    const { ticket_id: id } = await aTicket(scene.desk, client)
    await scene.desk.db.updateTable('clients').set({ ticket_emails: false }).where('id', '=', client.id).execute()
    return { body: { id }, refused: { id: 999_999 } }
  }
}

async function ticket({ desk }: Scene): Promise<number> {
  return (await aTicket(desk, await aClient(desk))).ticket_id
}

async function conversation(scene: Scene): Promise<number> {
  const body = { id: await ticket(scene), ...given }
  const { status, data } = await scene.desk.post('/api/admin/tickets/forward', scene.admin, body)
  assert.equal(status, 201)
  return data.conversation.id
}
