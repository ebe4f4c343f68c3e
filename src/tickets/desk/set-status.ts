import type { Actor, SystemActor } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { auditActorOf, type Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { permittedTargetQuery, writtenColumns } from '../ticket/ticket-for.ts'
import {
  actorColumns,
  eventColumns,
  facts,
  kindOf,
  ofTicket,
  type TimelineEvent,
  timelineEvent
} from '../ticket/timeline.ts'

/** Sets any of the five statuses, from any other (contract: Ticket status, third row). For a merged ticket it is set on the target. */
export async function setStatus(
  services: ActServices,
  { actor, caller, ref }: { actor: Actor | SystemActor; caller: Origin; ref: TicketRef },
  status: TicketStatus
): Promise<{ ticket_id: number; status: TicketStatus }> {
  const p = { ...timelineEvent(auditActorOf(actor, caller), services.clock.now()), status }
  return await updateStatus(services.db, actor, ref, p)
}

/**
 * The same for a ticket that has to be in the actor's queue and at the expected version; a merged one is refused (`TicketMerged`). Returns the
 * ticket as the queue shows it.
 */
export async function setQueueStatus(services: ActServices, change: Change, status: TicketStatus) {
  return await changeTicket(services, change, async (act, ticket) =>
    ticket.status === status ? undefined : await setStatusLocked(act, ticket, status)
  )
}

/** Sets the status of a locked ticket and returns the event. */
export async function setStatusLocked({ db, now }: Act, ticket: LockedTicket, status: TicketStatus) {
  await updateById(db, { id: ticket.id, status, now })
  return { kind: 'ticket.status_changed' as const, before: { status: ticket.status }, after: { status } }
}

const updateStatus = permittedTargetQuery(
  { permission: 'tickets.edit_status' },
  (ticket, p: TimelineEvent & { status: TicketStatus }, db) =>
    db
      .with('former', () => ticket)
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
              .select(actorColumns(p))
          )
      )
      .selectFrom(['ticket', 'former'])
      .select(['ticket.id as ticket_id', 'ticket.status', 'former.status as former_status'])
)

const updateById = prepared((db, p: { id: number; status: TicketStatus; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({ status: p.status, updated_at: p.now })
)
