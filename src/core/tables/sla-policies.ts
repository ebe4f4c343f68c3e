import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type { Id } from './columns.ts'
import type { TicketPriority } from './tickets.ts'

export interface SlaPolicyTables {
  sla_policies: SlaPolicyTable
  sla_targets: SlaTargetTable
}

export const slaMetrics = ['first_response', 'next_response', 'resolution'] as const
export type SlaMetric = (typeof slaMetrics)[number]

export const slaPauses = ['answered', 'snoozed'] as const
export type SlaPause = (typeof slaPauses)[number]

export const slaReopenings = ['resume', 'restart'] as const
export type SlaReopening = (typeof slaReopenings)[number]

interface SlaPolicyTable {
  id: Id
  name: string
  /** The first active policy that fits takes a ticket. */
  position: number
  is_active: boolean
  is_archived: Generated<boolean>
  conditions: JSONColumnType<object, string, string>
  /** While a ticket is in one of these states its time to the solution stands. */
  pause_on: ColumnType<SlaPause[], readonly SlaPause[], readonly SlaPause[]>
  /** Whether a ticket that is reopened goes on with the time that was left, or begins anew. */
  on_reopen: SlaReopening
  /** Null: nobody is warned. */
  warn_minutes: number | null
  version: Generated<number>
  created_at: Date
  updated_at: Date
}
export type SlaPolicyRow = Selectable<SlaPolicyTable>

interface SlaTargetTable {
  policy_id: number
  metric: SlaMetric
  priority: TicketPriority
  minutes: number
  calendar_id: number
}
export type SlaTargetRow = Selectable<SlaTargetTable>
