import { sql } from 'kysely'
import type { Actor, DeskActor, SystemActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import { auditActorOf, type Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { requireFieldsToClose } from '../forms/required-fields.ts'
import { blockOf, isBlocked, TicketBlocked } from '../links/blocked-tickets.ts'
import { endSnooze } from '../snooze/end-snooze.ts'
import { afterWaking } from '../snooze/woken-event.ts'
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

/**
 * Sets any of the five statuses, from any other (contract: Ticket status, third row). For a merged ticket it is set on the target. Staff who close
 * a ticket that another one blocks are refused (`TicketBlocked`) unless they insist (`force`), and so are those who close one without the fields that
 * closing needs (`FieldsRequired`); clients close theirs in any case.
 */
export async function setStatus(
  services: ActServices,
  { actor, caller, ref }: { actor: Actor | SystemActor; caller: Origin; ref: TicketRef },
  status: TicketStatus,
  { force = false } = {}
): Promise<{ ticket_id: number; status: TicketStatus }> {
  const p = { ...timelineEvent(auditActorOf(actor, caller), services.clock.now()), status }
  if (actor.population !== 'staff' || status !== 'Closed') {
    const { ticket_id } = await updateStatus(services.db, actor, ref, p)
    return { ticket_id, status }
  }
  return await act(services, { actor, caller }, async ({ db }) => {
    const { ticket_id, ...set } = await (force ? updateStatus : updateUnblocked)(db, actor, ref, p)
    if (set.status === null) throw await refusalOf(db, actor, ticket_id)
    if (set.former_status !== 'Closed') await requireFieldsToClose(db, ticket_id)
    return { ticket_id, status }
  })
}

/**
 * The same for a ticket that has to be in the actor's queue and at the expected version; a merged one is refused (`TicketMerged`). Returns the
 * ticket as the queue shows it.
 */
export async function setQueueStatus(
  services: ActServices,
  change: Change,
  status: TicketStatus,
  { force = false } = {}
) {
  return await changeTicket(services, change, (act, ticket) =>
    changeStatusLocked(act, change.actor, ticket, status, { force })
  )
}

/** The same for a locked ticket: returns the event, or undefined if it has the status already. Throws `TicketBlocked`, `FieldsRequired`. */
export async function changeStatusLocked(
  act: Act,
  actor: DeskActor,
  ticket: LockedTicket,
  status: TicketStatus,
  { force = false } = {}
) {
  if (ticket.status === status) return undefined
  if (status === 'Closed') await requireFieldsToClose(act.db, ticket.id)
  if (status !== 'Closed' || force) return await setStatusLocked(act, ticket, status)
  const closed = await closeUnblocked(act.db, { id: ticket.id, now: act.now })
  if (closed.length === 0) throw await refusalOf(act.db, actor, ticket.id)
  await endSnooze(act, ticket.id, 'closed')
  return statusEvent(ticket, status)
}

/** Sets the status of a locked ticket, blocked or not, and returns the event; closing it ends its snooze. */
export async function setStatusLocked(act: Act, ticket: LockedTicket, status: TicketStatus) {
  if (status === 'Closed') await endSnooze(act, ticket.id, 'closed')
  await updateById(act.db, { id: ticket.id, status, now: act.now })
  return statusEvent(ticket, status)
}

function statusEvent(ticket: LockedTicket, status: TicketStatus) {
  return { kind: 'ticket.status_changed' as const, before: { status: ticket.status }, after: { status } }
}

/** Why it was not closed. What blocked it may be gone a moment later. */
async function refusalOf(db: Db, actor: Actor | SystemActor, ticket: number) {
  return (await blockOf(db, actor, ticket)) ?? TicketBlocked({ data: { blocked_by: [], blocked_by_unseen: 0 } })
}

const updateStatus = statusUpdate({ isChecked: false })
/** Leaves a ticket that is blocked as it is: its row has no status then. */
const updateUnblocked = statusUpdate({ isChecked: true })

function statusUpdate({ isChecked }: { isChecked: boolean }) {
  return permittedTargetQuery(
    { permission: 'tickets.edit_status' },
    (ticket, p: TimelineEvent & { status: TicketStatus }, db) =>
      db
        .with('former', () => ticket)
        .with('ticket', db =>
          db
            .updateTable('tickets')
            .from('former')
            .whereRef('tickets.id', '=', 'former.id')
            .$if(isChecked, update =>
              update.where(sql<boolean>`(former.status = 'Closed' or not ${isBlocked(sql.ref('former.id'))})`)
            )
            .set({ status: p.status, updated_at: p.now })
            .returning(writtenColumns)
        )
        .with('event', db =>
          db
            .insertInto('events')
            .columns(eventColumns)
            .expression(db =>
              afterWaking(
                p,
                { if: sql`ticket.status = 'Closed'`, cause: sql`'closed'` },
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
        )
        .selectFrom('former')
        .leftJoin('ticket', join => join.onTrue())
        .select(['former.id as ticket_id', 'ticket.status', 'former.status as former_status'])
  )
}

const updateById = prepared((db, p: { id: number; status: TicketStatus; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({ status: p.status, updated_at: p.now })
)

const closeUnblocked = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('tickets')
    .where('id', '=', p.id)
    .where(sql<boolean>`not ${isBlocked(sql<number>`${p.id}::bigint`)}`)
    .set({ status: sql.lit('Closed'), updated_at: p.now })
    .returning('id')
)
