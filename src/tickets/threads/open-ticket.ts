import { type ClientActor, hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import { type Format, formattedHtml } from '../../core/formatted-text/format.ts'
import type { TicketPriority } from '../../core/tables/tickets.ts'
import { Forbidden, Unauthenticated } from '../../kit/errors.ts'
import { UnknownDepartment } from '../../people/departments/departments.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import type { GivenValues } from '../fields/judge-values.ts'
import { setFields } from '../fields/set-fields.ts'
import { valuesForForm } from '../forms/required-fields.ts'
import { requireActive } from '../ticket/active-client.ts'
import type { QueueTicket } from '../ticket/queue-ticket.ts'
import { actWithFiles, newMessage, type TicketServices, writeWithFiles } from './add-message.ts'
import { insertTicket } from './insert-ticket.ts'
import { assignAndTag, firstStatus, type OpenedByStaff } from './open-for-client.ts'

interface Opening {
  /** The public deptid (decision 11). */
  deptid: number
  subject: string
  priority: TicketPriority
  message: string
  format?: Format | undefined
  files: StagedFile[]
  /** Values of custom fields by key. */
  fields?: GivenValues
  /** A client fills in the form of the department, which may require fields. */
  isByForm?: true
  /** How it came, if not through the API: to which address of the client it belongs, and whether its reader has confirmed it. */
  cameBy?: { clientEmail: string; isConfirmed?: true }
}

type Opened = Awaited<ReturnType<typeof insertTicket>>[number]

/**
 * Opens a client's own ticket with its first message and files (contract: Ticket status, first row). Throws `UnknownDepartment`, `InvalidFields`,
 * `FieldsRequired`.
 */
export async function openTicket(
  services: TicketServices,
  actor: ClientActor,
  caller: Origin,
  opening: Opening
): Promise<Opened> {
  const by = { actor, caller }
  const { deptid, isByForm, fields: given = {} } = opening
  const html = await formattedHtml(opening.format, opening.message, opening.files)
  const fields = isByForm ? await valuesForForm(services.db, deptid, given) : given
  if (Object.keys(fields).length > 0) {
    return await actWithFiles(services, by, opening.files, async act => {
      const opened = await insert(services, act.db, by, { client: actor.id, opening, html })
      await setFields(act, opened.ticket_id, fields, { by: 'client', isNew: true })
      return opened
    })
  }
  return await writeWithFiles(services, by, opening.files, db =>
    insert(services, db, by, { client: actor.id, opening, html })
  )
}

/**
 * Opens a ticket on behalf of a client, with a message of the staff member. Throws `UnknownDepartment` (also for one that they do not see),
 * `ClientNotFound`, `ClientInactive`, `UnknownAssignee`, `UnknownTag`, and `Forbidden` if they assign it to somebody else without
 * `tickets.edit_status`.
 */
export async function openTicketForClient(
  services: TicketServices,
  actor: StaffActor,
  caller: Origin,
  opening: Opening,
  onBehalf: OpenedByStaff
): Promise<Opened & { ticket: QueueTicket }> {
  const { clientId: client, assignedStaffId: assignee, clientWaits } = onBehalf
  const isForOther = assignee !== undefined && assignee !== actor.id
  if (isForOther && !hasPermission(actor, 'tickets.edit_status')) throw Forbidden({ lacks: ['tickets.edit_status'] })
  const by = { actor, caller }
  const html = await formattedHtml(opening.format, opening.message, opening.files)
  return await actWithFiles(services, by, opening.files, async act => {
    await requireActive(act.db, client)
    const status = firstStatus(assignee)
    const after = { client_id: client, status, priority: opening.priority, assigned_staff_id: assignee ?? null }
    const opened = await insert(services, act.db, by, {
      client,
      opening,
      html,
      audited: JSON.stringify({ after }),
      clientWaits
    })
    if (opening.fields) await setFields(act, opened.ticket_id, opening.fields, { isNew: true })
    return { ...opened, ticket: await assignAndTag(act, opened, onBehalf) }
  })
}

interface NewOpening {
  client: number
  opening: Opening
  html: string | null
  audited?: string
  clientWaits?: boolean
}

async function insert(
  services: TicketServices,
  db: Db,
  { actor, caller }: { actor: ClientActor | StaffActor; caller: Origin },
  { client, opening, html, audited, clientWaits = false }: NewOpening
): Promise<Opened> {
  const { message: text, format: _, files, fields: __, isByForm: ___, cameBy, ...ticket } = opening
  const message = newMessage(services, actor, caller, text, files, { clientEmail: cameBy?.clientEmail, html })
  const row = { ...message, ...ticket, client, isClientEmailConfirmed: cameBy?.isConfirmed ?? false, clientWaits }
  const [opened] = await insertTicket(db, { ...row, audited: audited ?? message.audited }).catch(gone)
  if (!opened || !canSee(actor, opened.department_id)) throw UnknownDepartment({ errors: ['department_id'] })
  return opened
}

function canSee(actor: ClientActor | StaffActor, department: number): boolean {
  return actor.population === 'client' || (actor.departments?.includes(department) ?? true)
}

/** The client was deleted during the request, which may be a long upload; or the department at the same moment. */
function gone(error: Error): never {
  const reference = 'constraint' in error ? error.constraint : undefined
  if (reference === 'tickets_client_id_fkey') throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
  if (reference === 'tickets_department_id_fkey') throw UnknownDepartment({ errors: ['department_id'] })
  // The organisation was merged into another one at the same moment: the write is tried again.
  if (reference === 'tickets_organisation_id_fkey') Object.assign(error, { code: serializationFailure })
  throw error
}

const serializationFailure = '40001'
