import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Actor, SystemActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { type Failure, failure } from '../../kit/errors.ts'
import { isSeen, preparedForVisible, ticketsWith } from '../ticket/visibility.ts'
import { LinkedTicket } from './linked-tickets.ts'

/** `data` names the tickets that the caller sees, and says how many others there are. */
export const TicketBlocked = failure(
  409,
  'ticket_blocked',
  'Another ticket that is not closed blocks this one',
  Type.Object({ blocked_by: Type.Array(LinkedTicket), blocked_by_unseen: Type.Integer({ minimum: 0, examples: [0] }) })
)

/** The tickets that block one ticket, or what was merged into it, and are neither closed nor in the trash. */
function blockersOf(ticket: RawBuilder<number>) {
  return sql`ticket_links as link
    join tickets as named on named.id = link.from_id
    join tickets as blocker on blocker.id = coalesce(named.merged_into_id, named.id)
    where link.kind = 'blocks' and link.to_id = any(array(
        select ${ticket} union all select part.id from tickets as part where part.merged_into_id = ${ticket}))
      and blocker.status <> 'Closed' and blocker.trashed_at is null and blocker.id <> ${ticket}`
}

/** Within a query: whether the ticket with this id is blocked, so that closing it needs a second word. */
export function isBlocked(ticket: RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from ${blockersOf(ticket)})`
}

/** The refusal to close a ticket that is blocked; undefined if it is not. */
export async function blockOf(db: Db, actor: Actor | SystemActor, ticket: number): Promise<Failure | undefined> {
  const [found] = await blockers(db, ticketsWith(actor, 'tickets.view_all'), { ticket })
  const { seen, unseen } = found!
  if (seen.length + unseen === 0) return undefined
  const numbers = seen.map(({ ticket_number }) => ticket_number)
  const names = [...numbers, ...(unseen > 0 ? [`${unseen} more that you do not see`] : [])].join(', ')
  return TicketBlocked({
    message: `This ticket is blocked by ${names}: close it all the same with "force"`,
    data: { blocked_by: seen, blocked_by_unseen: unseen }
  })
}

const blockers = preparedForVisible((_tickets, p: { ticket: number }, db, boundVisibility) => {
  const ofTicket = blockersOf(sql<number>`${p.ticket}::bigint`)
  const isShown = isSeen(boundVisibility, 'blocker')
  return db.selectNoFrom([
    sql<Static<typeof LinkedTicket>[]>`(
      select coalesce(json_agg(blocker order by blocker.id), '[]') from (
        select distinct blocker.id, blocker.ticket_number, blocker.subject, blocker.status
        from ${ofTicket} and ${isShown}) as blocker)`.as('seen'),
    sql<number>`(select count(distinct blocker.id) from ${ofTicket} and not ${isShown})`.as('unseen')
  ])
})
