import type { Generated } from 'kysely'
import type { TicketPriority } from './tickets.ts'

export interface ReportTables {
  ticket_facts: TicketFactTable
  report_days: ReportDayTable
  /** Days of which the facts have changed since they were added up; `since`: by the clock of the desk. */
  report_dirty: { figure: Figure; day: string; since: Date }
  report_state: ReportStateTable
}

export const slaFigures = ['met', 'breached', 'dropped', 'lifted'] as const

/** What reports count. `open`: a ticket that begins (1) or ends (-1) to be open, or to be with this member of staff while it is. */
export const figures = [
  ...(['opened', 'closed', 'reopened', 'open', 'replies', 'first_response', 'resolution'] as const),
  ...slaFigures.map(outcome => `first_response.${outcome}` as const),
  ...slaFigures.map(outcome => `next_response.${outcome}` as const),
  ...slaFigures.map(outcome => `resolution.${outcome}` as const),
  ...(['sent', 'good', 'bad'] as const)
] as const
export type Figure = (typeof figures)[number]

/** What reports are divided by, as a column of a fact; `desk`: nothing. */
export type Dimension = 'desk' | 'department' | 'staff' | 'tag' | 'priority' | 'organisation' | 'channel'

/** One thing that a report counts: when it was, whose it is, and what its ticket is now. Made anew from the log with each event of the ticket. */
export interface TicketFactTable {
  ticket_id: number
  /** In the order in which they happened. */
  number: number
  figure: Figure
  at: Date
  value: number
  /** How long it took, for figures that measure: of all time, and of the open hours of the default calendar. */
  seconds: number | null
  open_seconds: number | null
  /** 0: it is deleted, and nothing of it was moved. */
  department_id: number
  priority: TicketPriority
  channel: string
  organisation_id: number | null
  /** Whoever did it; if a client or the system did, the assignee then. */
  staff_id: number | null
  /** By their ids, in order; null: none. */
  tag_ids: number[] | null
}

interface ReportDayTable {
  figure: Figure
  dimension: Dimension
  /** The id of the department and so on, the position of the priority or channel; 0: none. */
  key: number
  /** A day of the zone of `report_state`. */
  day: string
  n: number
  sum_seconds: number
  sum_open_seconds: number
  /** How many fall in each bucket of `histogram.ts`; null for figures that do not measure. */
  histogram: number[] | null
  open_histogram: number[] | null
}

interface ReportStateTable {
  only_row: Generated<boolean>
  /** The zone of the days that were added up. */
  zone: string
  /** The facts of tickets up to this one are made anew; null: of all. */
  filled_up_to: number | null
  filled: number
  to_fill: number
  filling_since: Date | null
  /** Raised with each change of facts or days. */
  version: Generated<number>
  /** How many tickets of departments are open by the reports and not by the sums of tickets, or the other way round; when that was last known. */
  backlog_difference: Generated<number>
  reconciled_at: Date | null
}
