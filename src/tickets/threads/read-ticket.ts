import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { isUnread } from '../queue/thread-state.ts'
import { refuseMerged, visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { threadParts } from '../ticket/unanswered.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { isBeyond } from './new-messages.ts'

/** How far somebody has read. */
interface Marks {
  lastMessageId: number
  /** The last note read; undefined: all. */
  lastNoteId: number | undefined
}

/**
 * Marks a ticket as read for the actor only, up to this message and note. A mark never moves back. A merged ticket is marked on its target.
 * Throws `TicketNotFound`, `InvalidFields` for an id beyond the newest message, and `TicketMerged` if the actor does not see the target.
 */
export async function readTicket(
  db: Db,
  actor: StaffActor,
  ref: TicketRef,
  { lastMessageId, lastNoteId }: Marks
): Promise<{ ticket_id: number; unread: 0 | 1 }> {
  const visibility = readerVisibility(actor)
  const seen = await visibleTicketNow(db, visibility, ref, {})
  if (!seen) throw TicketNotFound()
  const ticket = seen.merged_into_id === null ? seen : await visibleTicketNow(db, visibility, seen.merged_into_id, {})
  if (!ticket) {
    await refuseMerged(db, actor, seen)
    throw TicketNotFound()
  }
  // Otherwise later messages would count as read before they are written.
  if (await isBeyond(db, ticket.id, lastMessageId)) {
    const name = 'last_message_id'
    throw InvalidFields({ message: `${name} is beyond the newest message of this ticket`, errors: [name] })
  }

  const reader = { id: ticket.id, staff: actor.id }
  await mark(db, { ...reader, lastMessageId, lastNoteId: lastNoteId ?? null })
  const [state] = await stateOf(db, reader)
  // It may have been deleted meanwhile.
  if (!state) throw TicketNotFound()
  return { ticket_id: ticket.id, unread: state.unread }
}

/**
 * Marks the ticket and each one merged into it: after an unmerge, each keeps its own mark. That it is back from a snooze is known once its assignee
 * has read it or, if nobody has it, anybody.
 */
const mark = prepared((db, p: { id: number; staff: number; lastMessageId: number; lastNoteId: number | null }) =>
  db
    .with('known', db =>
      db
        .deleteFrom('snoozes')
        .using('tickets as back')
        .whereRef('back.id', '=', 'snoozes.ticket_id')
        .where('back.id', '=', p.id)
        .where('snoozes.woken_at', 'is not', null)
        .where(({ or, eb }) =>
          or([eb('back.assigned_staff_id', 'is', null), eb('back.assigned_staff_id', '=', p.staff)])
        )
    )
    .insertInto('ticket_reads')
    .columns(['ticket_id', 'staff_id', 'message_id', 'note_id', 'side_message_id'])
    .expression(db =>
      db
        .selectFrom('tickets')
        .innerJoinLateral(threadParts.as('part'), join => join.onTrue())
        .where('tickets.id', '=', p.id)
        .select(eb => [
          'part.id',
          sql<number>`${p.staff}::bigint`.as('staff_id'),
          sql<number>`${p.lastMessageId}::bigint`.as('message_id'),
          sql<number>`least(${p.lastNoteId}::bigint, coalesce(${eb
            .selectFrom('ticket_notes as note')
            .whereRef('note.ticket_id', '=', 'part.id')
            .select(({ fn }) => fn.max('note.id').as('id'))}, 0))`.as('note_id'),
          sql<number | null>`(select max(aside.id) from side_conversations as conversation
            join side_messages as aside on aside.conversation_id = conversation.id where conversation.ticket_id = part.id)`.as(
            'side_message_id'
          )
        ])
        // Otherwise a ticket that is being deleted would be found, and then refused by the foreign key.
        .forKeyShare('tickets')
    )
    .onConflict(conflict =>
      conflict.columns(['ticket_id', 'staff_id']).doUpdateSet({
        message_id: sql`greatest(ticket_reads.message_id, excluded.message_id)`,
        note_id: sql`greatest(ticket_reads.note_id, excluded.note_id)`,
        side_message_id: sql`greatest(ticket_reads.side_message_id, excluded.side_message_id)`
      })
    )
)

const stateOf = prepared((db, p: { id: number; staff: number }) =>
  db.selectFrom('tickets').where('id', '=', p.id).select(isUnread(p.staff).as('unread'))
)
