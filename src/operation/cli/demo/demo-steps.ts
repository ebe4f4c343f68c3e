import type { SnoozeKind } from '../../../core/tables/snoozes.ts'
import type { TicketPriority, TicketStatus } from '../../../core/tables/tickets.ts'
import type { FileName } from './demo-files.ts'
import type { ClientName, SupporterName } from './demo-people.ts'

/** What somebody did with a ticket; `after`: how many hours after it was opened. */
export type DemoStep = { after: number } & (
  | { client: string; files?: FileName[] }
  | { by: SupporterName; reply: string; files?: FileName[]; status?: TicketStatus }
  | { by: SupporterName; note: string; files?: FileName[] }
  | { by: SupporterName; assign: SupporterName }
  | { by: SupporterName; status: TicketStatus }
  | { by: SupporterName; watch: true }
  | { by: SupporterName; snooze: { hours: number; kind: SnoozeKind; reason: string } }
  // The newest message becomes a ticket of its own.
  | { by: SupporterName; split: { subject: string; deptid: DemoTicket['deptid'] } }
  | { by: SupporterName; blockedBy: { client: ClientName; subject: string } }
)

export interface DemoTicket {
  client: ClientName
  /** The public deptid. */
  deptid: 1 | 4 | 5 | 6
  subject: string
  priority: TicketPriority
  message: string
  files?: FileName[]
  /** Values of custom fields by key. */
  fields?: Record<string, string | number>
  openedHoursAgo: number
  tags?: string[]
  steps: DemoStep[]
}
