import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import { aTicket, form } from './tickets.ts'

/** Who writes a message, and its text; or a note. Files go with it. */
type Entry = ['client' | 'staff' | 'note', string, ...File[]]

/** A ticket of this client with these further entries; the ids of its messages and notes are in their order. */
export async function aThread(desk: Desk, client: Person, admin: Person, ...entries: Entry[]) {
  const { ticket_id: id, ticket_number } = await aTicket(desk, client)
  const [first] = await desk.db.selectFrom('ticket_messages').where('ticket_id', '=', id).select('id').execute()
  const messages = [first!.id]
  const notes: number[] = []
  for (const [who, text, ...files] of entries) {
    const address = who === 'note' ? '/api/admin/tickets/note' : '/api/tickets/reply'
    const fields = { id, [who === 'note' ? 'note' : 'message']: text }
    const reply = await desk.post(address, who === 'client' ? client : admin, form(fields, ...files))
    assert.equal(reply.status, 201, reply.body.message)
    if (who === 'note') notes.push(reply.data.id ?? reply.data.note.id)
    else messages.push(reply.data.message_id)
  }
  return { id: id as number, ticket_number: ticket_number as string, messages, notes }
}
