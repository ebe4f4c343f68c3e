import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { TicketLinkKind } from '../../core/tables/links.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { Id, OneOf, OutputText } from '../../kit/schemas.ts'
import { Status, TicketNumber } from '../ticket/schemas.ts'
import { visibleTicketQuery } from '../ticket/ticket-for.ts'
import { threadParts } from '../ticket/unanswered.ts'
import { type BoundVisibility, isSeen, readerVisibility } from '../ticket/visibility.ts'

/** Another ticket as links and refusals name it to staff who see it. */
export const LinkedTicket = Type.Object({
  id: Id(9),
  ticket_number: TicketNumber,
  subject: OutputText('Firmware 8.1.2 rollout'),
  status: Status
})

/** `out`: this ticket blocks the other one, is its duplicate, or was split off it; `in`: the other way round. */
export const TicketLinkView = Type.Object({
  kind: OneOf<TicketLinkKind>(['related', 'blocks', 'duplicate_of', 'split_from'], 'related'),
  direction: OneOf(['out', 'in'] as const, 'out'),
  ticket: LinkedTicket
})

/** The links of a ticket; of the tickets that the reader does not see only how many there are. */
export const linkFields = {
  links: Type.Array(TicketLinkView),
  links_unseen: Type.Integer({ minimum: 0, examples: [0] })
}

/** A link as the database returns it, whether or not the reader sees the other ticket. */
interface FoundLink {
  kind: TicketLinkKind
  direction: 'out' | 'in'
  is_seen: boolean
  id: number
  ticket_number: string
  subject: string
  status: TicketStatus
}

/**
 * Within a query on `tickets`: the links of the ticket and of what was merged into it, to the tickets that last; not to those in the trash, nor
 * between tickets that were merged into one.
 */
export function foundLinks(boundVisibility: BoundVisibility) {
  return sql<FoundLink[]>`(
    select coalesce(json_agg(link order by link.place), '[]') from (
      select each.id as place, each.kind, each.direction, ${isSeen(boundVisibility, 'other')} as is_seen,
        other.id, other.ticket_number, other.subject, other.status
      from ${threadParts} as part
      cross join lateral (
        select id, kind, 'out' as direction, to_id as other_id from ticket_links where from_id = part.id
        union all select id, kind, 'in', from_id from ticket_links where to_id = part.id) as each
      join tickets as named on named.id = each.other_id
      join tickets as other on other.id = coalesce(named.merged_into_id, named.id)
      where other.trashed_at is null and other.id <> coalesce(tickets.merged_into_id, tickets.id)) as link)`
}

/** The links for a response: after a merge, those that say the same are one. */
export function linksView(found: readonly FoundLink[]) {
  const seen = found.filter(({ is_seen }) => is_seen)
  const unseen = found.filter(({ is_seen }) => !is_seen)
  const links = new Map<string, Static<typeof TicketLinkView>>()
  for (const { kind, direction, id, ticket_number, subject, status } of seen) {
    const key = `${kind} ${kind === 'related' ? '' : direction} ${id}`
    if (!links.has(key)) links.set(key, { kind, direction, ticket: { id, ticket_number, subject, status } })
  }
  return { links: [...links.values()], links_unseen: new Set(unseen.map(({ id }) => id)).size }
}

/** The links of a ticket that the actor sees. */
export async function linksOf(db: Db, actor: StaffActor, id: number) {
  const row = await linksNow(db, readerVisibility(actor), id, {})
  return linksView(row?.links ?? [])
}

const linksNow = visibleTicketQuery((tickets, _p, _db, boundVisibility) =>
  tickets.select(foundLinks(boundVisibility).as('links'))
)
