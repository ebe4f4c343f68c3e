import type { StaffActor } from '../actor.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import { transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Origin } from '../tickets/add-message.ts'
import type { TicketRef } from '../tickets/words.ts'
import type { DeskServices } from './change-ticket.ts'
import { heldAlone } from './held-ticket.ts'
import { deskSight } from './queue.ts'
import { noteView } from './ticket-detail.ts'

/**
 * A note for staff alone. It leaves the ticket as it is, its time of update included: that is shown to the client.
 * Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`.
 */
export async function writeNote(
  services: DeskServices,
  actor: StaffActor,
  caller: Origin,
  ref: TicketRef,
  { note, expectedVersion }: { note: string; expectedVersion: number | undefined }
) {
  return await transaction(services.db, async db => {
    const { id } = await heldAlone(db, actor, deskSight(actor), ref, expectedVersion)
    const { id: staffId, firstName, lastName } = actor
    const [written] = await insertNote(db, { id, staffId, firstName, lastName, note, now: services.clock.now() })
    const target = { type: 'ticket', id } as const
    const after = { note_id: written!.id }
    await record(services, db, doerOf(actor, caller), { action: 'ticket.noted', target, ticketId: id, after })
    return noteView(written!)
  })
}

const insertNote = prepared(
  (db, p: { id: number; staffId: number; firstName: string; lastName: string; note: string; now: Date }) =>
    db
      .insertInto('ticket_notes')
      .values({
        ticket_id: p.id,
        staff_id: p.staffId,
        author_first_name: p.firstName,
        author_last_name: p.lastName,
        note: p.note,
        created_at: p.now
      })
      .returningAll()
)
