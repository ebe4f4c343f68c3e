import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { momentOf, secondsAfter } from '../lib/time.ts'
import type { TicketPriority, TicketStatus } from '../tables/tickets.ts'
import type { SeenCounts, SeenTickets } from '../tickets/sight.ts'

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

/** What stands for the values of the filters in the query. */
export interface FilterValues {
  department: number
  assignee: number
  client: number
  tag: string
  tagId: number
  created_from: Date
  created_to: Date
  updated_from: Date
  updated_to: Date
}

/** The values of those filters that are given. */
export function valuesOf(filters: QueueFilters): FilterValues {
  const given: Partial<FilterValues> = {
    department: filters.department_id,
    assignee: filters.assigned_staff_id,
    client: filters.client_id,
    tag: filters.tag,
    tagId: filters.tag_id,
    created_from: from(filters.created_from),
    created_to: to(filters.created_to),
    updated_from: from(filters.updated_from),
    updated_to: to(filters.updated_to)
  }
  return given as FilterValues
}

/** All that the text of the query depends on: which filters there are, and the values of those that stand in it. */
export function kindOf({ status, priority, unassigned, ...others }: QueueFilters): object {
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return [status ?? null, priority ?? null, unassigned ?? null, given.sort()]
}

/**
 * The tickets that fit, for any values of these filters. Statuses stand in the text of the query, so that the planner can tell which
 * partial index holds them.
 */
export function filtered(db: Db, tickets: SeenTickets, filters: QueueFilters, p: FilterValues): SeenTickets {
  const { priority } = filters
  let found = tickets
  for (const fits of ofView('tickets', db, filters, p)) found = found.where(fits)
  if (priority) found = found.where('tickets.priority', 'in', literals(priority))
  if (filters.client_id !== undefined) found = found.where('tickets.client_id', '=', p.client)
  found = tagged(db, found, filters, p)
  for (const column of ['created_at', 'updated_at'] as const) {
    const name = column === 'created_at' ? 'created' : 'updated'
    if (filters[`${name}_from`] !== undefined) found = found.where(`tickets.${column}`, '>=', p[`${name}_from`])
    if (filters[`${name}_to`] !== undefined) found = found.where(`tickets.${column}`, '<', p[`${name}_to`])
  }
  return found
}

/** Whether tickets are counted by all that these filters ask for, so that `filteredCounts` tells how many there are. */
export function areCounted(filters: QueueFilters): boolean {
  const { status, department_id, assigned_staff_id, unassigned, ...others } = filters
  return Object.values(others).every(value => value === undefined)
}

/** How many tickets fit: what `filtered` finds, where `areCounted`. */
export function filteredCounts(db: Db, counts: SeenCounts, filters: QueueFilters, p: FilterValues): SeenCounts {
  let found = counts
  for (const fits of ofView('ticket_counts', db, filters, p)) found = found.where(fits)
  return found
}

/** What is asked of department, status and assignment, which tickets and their counts have alike. */
function ofView(table: 'tickets' | 'ticket_counts', db: Db, filters: QueueFilters, p: FilterValues) {
  const { status, unassigned } = filters
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const conditions: RawBuilder<boolean>[] = []
  if (status) conditions.push(sql`${column('status')} in (${sql.join(literals(status))})`)
  if (filters.department_id !== undefined) {
    const department = db.selectFrom('departments').where('deptid', '=', p.department).select('id')
    conditions.push(sql`${column('department_id')} = ${department}`)
  }
  const assignee = column('assigned_staff_id')
  if (filters.assigned_staff_id !== undefined) conditions.push(sql`${assignee} = ${p.assignee}`)
  if (unassigned !== undefined) conditions.push(unassigned ? sql`${assignee} is null` : sql`${assignee} is not null`)
  return conditions
}

/** Values of an enumeration, which hold nothing that a text in SQL could not. */
function literals<T extends string>(values: readonly T[]) {
  return values.map(value => sql.lit<T>(value))
}

function tagged(db: Db, tickets: SeenTickets, { tag, tag_id: tagId }: QueueFilters, p: FilterValues): SeenTickets {
  if (tag === undefined && tagId === undefined) return tickets
  let tags = db.selectFrom('ticket_tags').innerJoin('tags', 'tags.id', 'ticket_tags.tag_id')
  if (tag !== undefined) tags = tags.where(sql`lower(tags.name)`, '=', sql`lower(${p.tag})`)
  if (tagId !== undefined) tags = tags.where('tags.id', '=', p.tagId)
  return tickets.where('tickets.id', 'in', tags.select('ticket_tags.ticket_id'))
}

function from(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : momentOf(text)
}

/** The first moment that is no longer meant: a day is meant to its end, a moment to the end of its second. */
function to(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : secondsAfter(momentOf(text), text.includes(':') ? 1 : 86_400)
}
