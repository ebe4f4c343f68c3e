import type { Actor } from '../actor.ts'
import { auditActorOf, type Origin } from '../audit/audit-actor.ts'
import type { Services } from '../services.ts'
import type { TicketStatus } from '../tables/tickets.ts'
import { lastingTicket } from '../tickets/lasting-ticket.ts'
import { writtenColumns } from '../tickets/merged-parts.ts'
import type { TicketRef } from '../tickets/schemas.ts'
import { forTicket } from '../tickets/ticket-for.ts'
import { doneBy, eventColumns, facts, type Happening, happening, kindOf, ofTicket } from '../tickets/timeline.ts'

/**
 * Gives a ticket any of the five statuses, from any other (contract: Ticket status, third row). What was merged into another
 * ticket goes on there, and so does its status.
 */
export async function setStatus(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  caller: Origin,
  ref: TicketRef,
  status: TicketStatus
): Promise<{ ticket_id: number; status: TicketStatus }> {
  return await updateStatus(db, actor, ref, { ...happening(auditActorOf(actor, caller), clock.now()), status })
}

const updateStatus = forTicket(
  { permission: 'tickets.edit_status', again: true },
  (tickets, p: Happening & { status: TicketStatus }, db, seer) =>
    db
      .with('former', () => lastingTicket(db, tickets, seer))
      .with('ticket', db =>
        db
          .updateTable('tickets')
          .from('former')
          .whereRef('tickets.id', '=', 'former.id')
          .set({ status: p.status, updated_at: p.now })
          .returning(writtenColumns)
      )
      .with('event', db =>
        db
          .insertInto('events')
          .columns(eventColumns)
          .expression(db =>
            db
              .selectFrom(['ticket', 'former'])
              .whereRef('ticket.status', '<>', 'former.status')
              .select(eb => [
                ...ofTicket,
                kindOf('ticket.status_changed'),
                facts({ status: eb.ref('former.status') }).as('before'),
                facts({ status: eb.ref('ticket.status') }).as('after')
              ])
              .select(doneBy(p))
          )
      )
      .selectFrom(['ticket', 'former'])
      .select(['ticket.id as ticket_id', 'ticket.status', 'former.status as former_status'])
)
