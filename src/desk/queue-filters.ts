import { sql } from 'kysely'
import { momentOf, secondsAfter } from '../lib/time.ts'
import type { Db } from '../platform/db/open.ts'
import type { TicketPriority, TicketStatus } from '../platform/db/tables.ts'
import type { SeenTickets } from '../tickets/sight.ts'

/** What a list of tickets is narrowed to; what is not given narrows nothing. Times are `YYYY-MM-DD` or with `HH:MM:SS`. */
export interface QueueFilters {
  status?: TicketStatus[]
  priority?: TicketPriority[]
  /** The public deptid (decision 11). An unknown one matches nothing. */
  department_id?: number
  assigned_staff_id?: number
  unassigned?: 0 | 1
  client_id?: number
  tag?: string
  tag_id?: number
  created_from?: string
  created_to?: string
  updated_from?: string
  updated_to?: string
}

/**
 * The tickets that fit. Built for each request of the filters that it has: there are too many combinations to keep all of them
 * prepared. Statuses stand in the text of the query, so that the planner can tell which partial index holds them.
 */
export function filtered(db: Db, tickets: SeenTickets, filters: QueueFilters): SeenTickets {
  const { status, priority, department_id: deptid, assigned_staff_id: assignee, unassigned } = filters
  let found = tickets
  if (status) found = found.where('tickets.status', 'in', literals(status))
  if (priority) found = found.where('tickets.priority', 'in', literals(priority))
  if (deptid !== undefined) {
    const department = db.selectFrom('departments').where('deptid', '=', deptid).select('id')
    found = found.where('tickets.department_id', '=', department)
  }
  if (assignee !== undefined) found = found.where('tickets.assigned_staff_id', '=', assignee)
  if (unassigned !== undefined) found = found.where('tickets.assigned_staff_id', unassigned ? 'is' : 'is not', null)
  if (filters.client_id !== undefined) found = found.where('tickets.client_id', '=', filters.client_id)
  found = tagged(db, found, filters)
  found = within(found, 'created_at', filters.created_from, filters.created_to)
  return within(found, 'updated_at', filters.updated_from, filters.updated_to)
}

/** Values of an enumeration, which hold nothing that a text in SQL could not. */
function literals<T extends string>(values: readonly T[]) {
  return values.map(value => sql.lit<T>(value))
}

function tagged(db: Db, tickets: SeenTickets, { tag, tag_id: tagId }: QueueFilters): SeenTickets {
  if (tag === undefined && tagId === undefined) return tickets
  let tags = db.selectFrom('ticket_tags').innerJoin('tags', 'tags.id', 'ticket_tags.tag_id')
  if (tag !== undefined) tags = tags.where(sql`lower(tags.name)`, '=', sql`lower(${tag})`)
  if (tagId !== undefined) tags = tags.where('tags.id', '=', tagId)
  return tickets.where('tickets.id', 'in', tags.select('ticket_tags.ticket_id'))
}

/** From the first moment on, to the last included: a day is meant to its end, a moment to the end of its second. */
function within(
  tickets: SeenTickets,
  column: 'created_at' | 'updated_at',
  from: string | undefined,
  to: string | undefined
): SeenTickets {
  let found = tickets
  if (from !== undefined) found = found.where(`tickets.${column}`, '>=', momentOf(from))
  if (to !== undefined) {
    const seconds = to.includes(':') ? 1 : 86_400
    found = found.where(`tickets.${column}`, '<', secondsAfter(momentOf(to), seconds))
  }
  return found
}
