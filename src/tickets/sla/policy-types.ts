import type { SlaMetric, SlaPause, SlaReopening } from '../../core/tables/sla-policies.ts'
import type { TicketPriority } from '../../core/tables/tickets.ts'
import type { Conditions } from '../conditions/schemas.ts'

/** How soon tickets of this priority are to be answered or solved, in the open time of a calendar. */
export interface SlaTarget {
  metric: SlaMetric
  priority: TicketPriority
  minutes: number
  calendar_id: number
}

/** What a policy says, as people write it. */
export interface SlaPolicyDefinition {
  name: string
  /** As they are stored: departments by their public id, tags by id. */
  conditions: Conditions
  targets: readonly SlaTarget[]
  /** While a ticket is in one of these states its time to the solution stands. */
  pause_on: readonly SlaPause[]
  /** Whether a ticket that is reopened goes on with the time that was left, or begins anew. */
  on_reopen: SlaReopening
  /** Null: nobody is warned. */
  warn_minutes: number | null
  is_active: boolean
}

/** A policy. Those that are active and not archived are tried in the order of `position`. */
export interface SlaPolicy extends SlaPolicyDefinition {
  id: number
  position: number
  is_archived: boolean
  version: number
  created_at: Date
  updated_at: Date
}

/** The target of a policy for tickets of this priority; undefined: it promises nothing. */
export function targetOf(
  { targets }: Pick<SlaPolicyDefinition, 'targets'>,
  metric: SlaMetric,
  priority: TicketPriority
): SlaTarget | undefined {
  return targets.find(target => target.metric === metric && target.priority === priority)
}
