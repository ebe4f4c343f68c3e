import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Actor } from '../actor.ts'
import type { TicketStatus } from '../platform/db/tables.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import type { Services } from '../services.ts'
import { type NewMessage, newMessage, withMessage, writeWithFiles } from './add-message.ts'
import { forTicket } from './ticket-for.ts'
import type { TicketRef } from './words.ts'

/**
 * Adds a message to the thread, whatever the ticket's status was. A client's moves it to Customer-Reply (contract: Ticket status,
 * second row), a staff member's to Answered (decision 27).
 */
export async function replyToTicket(
  services: Pick<Services, 'db' | 'files' | 'clock'>,
  actor: Actor,
  ref: TicketRef,
  text: string,
  uploads: StagedFile[]
) {
  const message = newMessage(actor, text, uploads, services.clock.now())
  const status: TicketStatus = actor.population === 'client' ? 'Customer-Reply' : 'Answered'
  return await writeWithFiles(services, uploads, db => insertReply(db, actor, ref, { ...message, status }))
}

const insertReply = forTicket(
  { permission: 'tickets.reply' },
  (tickets, p: NewMessage & { status: TicketStatus }, db) => {
    // The counters are raised on the row itself, so that replies at the same time cannot lose one another's.
    const withTicket = db.with('ticket', db =>
      db
        .updateTable('tickets')
        .where('tickets.id', 'in', tickets.select('tickets.id'))
        .set(eb => ({
          message_count: eb('tickets.message_count', '+', 1),
          attachment_count: eb('tickets.attachment_count', '+', p.fileCount),
          status: p.status,
          updated_at: p.now
        }))
        .returningAll()
    )
    return withMessage(withTicket, p)
      .selectFrom('ticket')
      .innerJoin('message', 'message.ticket_id', 'ticket.id')
      .select(['message.id as message_id', 'message.ticket_id', 'message.message', 'ticket.status'])
      .select(db => jsonArrayFrom(db.selectFrom('attachment').selectAll('attachment').orderBy('id')).as('attachments'))
  }
)
