import { act } from '../acts/act.ts'
import type { AuditActor } from '../audit/audit-actor.ts'
import type { TicketServices } from './add-message.ts'
import { insertNote } from './write-note.ts'

/** Adds what a member of the staff wrote by e-mail, for staff alone, to the ticket with this id, be it in a department that they see or not. */
export async function addMailedNote(
  services: TicketServices,
  by: AuditActor,
  author: { staffId: number; firstName: string; lastName: string },
  { ticketId, note }: { ticketId: number; note: string }
): Promise<void> {
  await act(services, by, async act => {
    const given = { ...author, id: ticketId, note, scanState: 'clean', files: '[]', now: act.now } as const
    const [written] = await insertNote(act.db, given)
    act.happened({ kind: 'ticket.noted', ticket: ticketId, after: { note_id: written!.id } })
  })
}
