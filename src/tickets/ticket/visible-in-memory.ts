import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { isForClient, isOfProvenAddress, type TicketVisibility } from './visibility.ts'

/** The columns that decide who sees a ticket. */
interface VisibilityColumns {
  client_id: number
  organisation_id: number | null
  assigned_staff_id: number | null
  department_id: number
  merged_into_id: number | null
  is_trashed: boolean
  /** It came at an address that its client has not proven: see `isOfProvenAddress`. */
  is_withheld: boolean
}

/** A ticket and its merge target, which then decides who sees both. */
export interface LoadedTicket extends VisibilityColumns {
  id: number
  /** Its messages that its client does not see: see `isOfProvenAddress`. */
  withheld_messages: number[]
  target: VisibilityColumns | null
}

/** The current rows of these tickets by id, for `sees`; deleted ones are missing. */
export async function loadTickets(db: Db, ids: readonly number[]): Promise<Map<number, LoadedTicket>> {
  if (ids.length === 0) return new Map()
  const rows = await withTargets(db, { ids })
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Whether a visibility includes this ticket: the same rule as `visibleTickets`, evaluated in memory for callers who check many people at once. A
 * test compares the two. A merged ticket is seen by staff who see its target. Its client sees it on its own: one of the two may have come by
 * e-mail, and be withheld.
 */
export function canSee(visibility: TicketVisibility, ticket: LoadedTicket): boolean {
  return isSeen(visibility, (isForClient(visibility) ? undefined : ticket.target) ?? ticket)
}

function isSeen(visibility: TicketVisibility, ticket: VisibilityColumns): boolean {
  const { column, owner, organisation, departments, trash, free } = visibility
  if (trash === undefined ? ticket.is_trashed : trash === 'alone' && !ticket.is_trashed) return false
  if (departments && !departments.includes(ticket.department_id)) return false
  if (isForClient(visibility) && ticket.is_withheld) return false
  if (!column || ticket[column] === owner) return true
  if (organisation !== undefined && ticket.organisation_id === organisation) return true
  return free === true && ticket.assigned_staff_id === null && ticket.merged_into_id === null
}

const withTargets = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .leftJoin('tickets as target', 'target.id', 'tickets.merged_into_id')
    .where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['tickets.id', 'tickets.client_id', 'tickets.organisation_id', 'tickets.assigned_staff_id'])
    .select(['tickets.department_id', 'tickets.merged_into_id'])
    .select(sql<boolean>`tickets.trashed_at is not null`.as('is_trashed'))
    .select(sql<boolean>`not ${isOfProvenAddress('tickets')}`.as('is_withheld'))
    .select(
      sql<number[]>`(select coalesce(json_agg(message.id), '[]') from ticket_messages as message
        where message.ticket_id = tickets.id and message.client_email is not null
          and not ${isOfProvenAddress('message', 'tickets')})`.as('withheld_messages')
    )
    .select(
      sql<VisibilityColumns | null>`case when target.id is not null then json_build_object(
        'client_id', target.client_id, 'organisation_id', target.organisation_id, 'assigned_staff_id', target.assigned_staff_id,
        'department_id', target.department_id, 'merged_into_id', target.merged_into_id,
        'is_trashed', target.trashed_at is not null, 'is_withheld', not ${isOfProvenAddress('target')}) end`.as(
        'target'
      )
    )
)
