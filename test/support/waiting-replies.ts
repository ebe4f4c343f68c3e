import assert from 'node:assert/strict'
import { sendDueReplies } from '../../src/tickets/sending/send-waiting.ts'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import { aTicket } from './tickets.ts'

/** What tests do with replies that wait, for a minute, so that a slow machine does not end their time: `ada` is the client, `grace` writes. */
export async function waitingReplies(desk: Desk, { ada, grace, admin }: { ada: Person; grace: Person; admin: Person }) {
  await desk.post('/api/admin/settings/update', admin, { undo_send_seconds: 60 })
  const detail = async (id: number, person = grace) => {
    return (await desk.post('/api/admin/tickets/detail', person, { id })).data
  }
  return {
    detail,
    async send(body: object, person = grace) {
      return await desk.post('/api/admin/tickets/reply', person, body)
    },
    async aWaitingReply(given: object = {}) {
      const { ticket_id: id } = await aTicket(desk, ada)
      const body = { id, message: 'Try water.', undo: 1, ...given }
      const reply = await desk.post('/api/admin/tickets/reply', grace, body)
      assert.equal(reply.status, 201, reply.body.message)
      return { id, message_id: reply.data.message_id as number, reply }
    },
    undo(body: object, person = grace) {
      return desk.post('/api/admin/tickets/reply/undo', person, body)
    },
    /** The time goes on, and what has waited until then is sent. */
    async due(seconds = 60): Promise<void> {
      desk.clock.turn(seconds)
      await sendDueReplies(desk.services, desk.clock.now())
    },
    /** The messages of the thread after the first. */
    async answers(id: number): Promise<string[]> {
      const { messages } = await detail(id)
      return messages.slice(1).map(({ message }: { message: string }) => message)
    }
  }
}
