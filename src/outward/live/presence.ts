import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { Id, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { lasting, type PresenceState, setPresence } from '../../tickets/threads/presence.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../../tickets/ticket/ticket-for.ts'
import { readerVisibility } from '../../tickets/ticket/visibility.ts'

/** Who is at a ticket now; always the complete list. */
export const PresenceView = Type.Object({
  ticket_id: Id(7),
  staff: Type.Array(
    Type.Object({
      id: Id(2),
      name: OutputText('Grace Hopper'),
      state: OneOf(['viewing', 'replying'] as const),
      since: Timestamp()
    })
  )
})

export type PresenceView = Static<typeof PresenceView>

/** Records that this member of staff is at a ticket that they see, valid for `lasting`, or has left it. Throws `TicketNotFound`. */
export async function reportPresence(
  db: Db,
  actor: StaffActor,
  ref: TicketRef,
  state: PresenceState
): Promise<PresenceView> {
  const ticket = await seen(db, readerVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  await setPresence(db, actor, ticket.id, state)
  const staff = await presenceByTicket(db)
  return staff.get(ticket.id) ?? { ticket_id: ticket.id, staff: [] }
}

/** Presence by ticket; whoever came first is listed first. */
export async function presenceByTicket(db: Db): Promise<Map<number, PresenceView>> {
  const views = new Map<number, PresenceView>()
  for (const { ticket_id, since, first_name, last_name, ...member } of await present(db, {})) {
    const view = views.get(ticket_id) ?? { ticket_id, staff: [] }
    view.staff.push({ ...member, name: `${first_name} ${last_name}`, since: timestamp(since) })
    views.set(ticket_id, view)
  }
  return views
}

const seen = visibleTicketQuery(tickets => tickets.select('tickets.id'))

const present = prepared(db =>
  db
    .selectFrom('presences')
    .innerJoin('staff', 'staff.id', 'presences.staff_id')
    .where('said_at', '>', sql<Date>`now() - ${lasting}`)
    .where('staff.is_active', '=', true)
    .select(['presences.ticket_id', 'presences.state', 'presences.since'])
    .select(['staff.id', 'staff.first_name', 'staff.last_name'])
    .orderBy('presences.ticket_id')
    .orderBy('presences.since')
    .orderBy('staff.id')
)
