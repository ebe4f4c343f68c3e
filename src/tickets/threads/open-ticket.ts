import type { Static } from 'typebox'
import { type ClientActor, hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import type { TicketPriority } from '../../core/tables/tickets.ts'
import { Forbidden, Unauthenticated } from '../../kit/errors.ts'
import { UnknownDepartment } from '../../people/departments/departments.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import type { QueueTicket } from '../ticket/desk-schemas.ts'
import { actWithFiles, newMessage, type TicketServices, writeWithFiles } from './add-message.ts'
import { insertTicket } from './insert-ticket.ts'
import { assignAndTag, firstStatus, type OpenedByStaff, requireActive } from './open-for-client.ts'

interface Opening {
  /** The public deptid (decision 11). */
  deptid: number
  subject: string
  priority: TicketPriority
  message: string
  files: StagedFile[]
  /** How it came, if not through the API: to which address of the client it belongs, and whether its reader has confirmed it. */
  cameBy?: { clientEmail: string; isConfirmed?: true }
}

type Opened = Awaited<ReturnType<typeof insertTicket>>[number]

/**
 * Opens a ticket with its first message and files (contract: Ticket status, first row): a client's own, or one on behalf of a client, with
 * a message of the staff member. Throws `UnknownDepartment` (also for one that the actor does not see); for staff also `ClientNotFound`,
 * `ClientInactive`, `UnknownAssignee`, `UnknownTag`, and `Forbidden` if they assign it to somebody else without `tickets.edit_status`.
 */
export function openTicket(
  services: TicketServices,
  actor: ClientActor,
  caller: Origin,
  opening: Opening
): Promise<Opened>
export function openTicket(
  services: TicketServices,
  actor: StaffActor,
  caller: Origin,
  opening: Opening,
  onBehalf: OpenedByStaff
): Promise<Opened & { ticket: Static<typeof QueueTicket> }>
export async function openTicket(
  services: TicketServices,
  actor: ClientActor | StaffActor,
  caller: Origin,
  { message: text, files, cameBy, ...opening }: Opening,
  onBehalf?: OpenedByStaff
): Promise<Opened> {
  const { clientId: client, assignedStaffId: assignee } = onBehalf ?? { clientId: actor.id }
  const isForOther = assignee !== undefined && assignee !== actor.id
  if (isForOther && !hasPermission(actor, 'tickets.edit_status')) throw Forbidden()
  const message = newMessage(services, actor, caller, text, files, cameBy?.clientEmail)
  const isClientEmailConfirmed = cameBy?.isConfirmed ?? false
  const insert = async (db: Db, audited = message.audited) => {
    const [opened] = await insertTicket(db, { ...message, ...opening, client, isClientEmailConfirmed, audited }).catch(
      gone
    )
    if (!opened || !canSee(actor, opened.department_id)) throw UnknownDepartment({ errors: ['department_id'] })
    return opened
  }
  const by = { actor, caller }
  if (!onBehalf) return await writeWithFiles(services, by, files, db => insert(db))
  return await actWithFiles(services, by, files, async act => {
    await requireActive(act.db, client)
    const status = firstStatus(assignee)
    const after = { client_id: client, status, priority: opening.priority, assigned_staff_id: assignee ?? null }
    const opened = await insert(act.db, JSON.stringify({ after }))
    return { ...opened, ticket: await assignAndTag(act, opened, onBehalf) }
  })
}

function canSee(actor: ClientActor | StaffActor, department: number): boolean {
  return actor.population === 'client' || (actor.departments?.includes(department) ?? true)
}

/** The client was deleted during the request, which may be a long upload; or the department at the same moment. */
function gone(error: Error): never {
  const reference = 'constraint' in error ? error.constraint : undefined
  if (reference === 'tickets_client_id_fkey') throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
  if (reference === 'tickets_department_id_fkey') throw UnknownDepartment({ errors: ['department_id'] })
  throw error
}
