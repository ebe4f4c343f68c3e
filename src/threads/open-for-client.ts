import { holds, type StaffActor } from '../actor.ts'
import { auditActorOf, type Origin } from '../audit/audit-actor.ts'
import { recordOnTimeline } from '../audit/record.ts'
import { ClientNotFound } from '../clients/client-record.ts'
import { type Db, prepared } from '../db.ts'
import { UnknownDepartment } from '../departments/departments.ts'
import { setAssignee } from '../desk/assign-ticket.ts'
import { requireHandler } from '../desk/assignees.ts'
import { type Tag, tagsFor } from '../desk/tag-refs.ts'
import { namesOf, setTags } from '../desk/tag-ticket.ts'
import { Forbidden, failure } from '../kit/errors.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import type { TagRef } from '../tickets/desk-schemas.ts'
import { changedTicket } from '../tickets/ticket-row.ts'
import { newMessage, type TicketServices, writeWithFiles } from './add-message.ts'
import { insertTicket, type Opening } from './open-ticket.ts'

export const ClientInactive = failure(409, 'client_inactive', 'The account of this client is not active')

/** The status of a ticket that somebody has from the beginning. */
const assigned = 'In Progress'

export interface OpeningForClient extends Opening {
  clientId: number
  assignedStaffId: number | undefined
  tags: TagRef[]
}

/**
 * Opens a ticket on behalf of a client, with a first message of the staff member who does so. Assigning it to somebody else needs
 * `tickets.edit_status` (`Forbidden`). Throws `ClientNotFound`, `ClientInactive`, `UnknownDepartment` (one that the actor does not
 * see is none), `UnknownAssignee`, `UnknownTag`.
 */
export async function openForClient(
  services: TicketServices,
  actor: StaffActor,
  caller: Origin,
  opening: OpeningForClient,
  uploads: StagedFile[]
) {
  const { clientId: client, deptid, subject, priority, assignedStaffId: assignee } = opening
  const isForOther = assignee !== undefined && assignee !== actor.id
  if (isForOther && !holds(actor, 'tickets.edit_status')) throw Forbidden()

  const message = newMessage(services, actor, caller, opening.message, uploads)
  const auditActor = auditActorOf(actor, caller)
  const first = { client_id: client, status: assignee === undefined ? 'Open' : assigned, priority }
  const audited = JSON.stringify({ after: { ...first, assigned_staff_id: assignee ?? null } })
  const write = async (db: Db) => {
    await requireActive(db, client)
    const [opened] = await insertTicket(db, { ...message, client, deptid, subject, priority, audited })
    const isSeen = opened && (actor.departments?.includes(opened.department_id) ?? true)
    if (!isSeen) throw UnknownDepartment({ errors: ['department_id'] })
    const { ticket_id: ticketId, message_id, attachments } = opened

    if (assignee !== undefined) await assignNew(db, ticketId, assignee, opened.department_id, message.now)
    const tags = await tagsFor(db, opening.tags)
    await setTags(db, ticketId, tags)
    for (const step of steps(assignee, tags)) await recordOnTimeline(db, auditActor, { ...step, ticketId }, message.now)
    return { ticket: await changedTicket(db, ticketId), message_id, attachments }
  }
  return await writeWithFiles(services, uploads, write, { isSeveral: true })
}

async function requireActive(db: Db, id: number): Promise<void> {
  const [client] = await lockedClient(db, { id })
  if (!client) throw ClientNotFound()
  if (!client.is_active) throw ClientInactive({ errors: ['client_id'] })
}

/** Its first assignment. */
async function assignNew(db: Db, id: number, staffId: number, departmentId: number, now: Date): Promise<void> {
  await requireHandler(db, staffId, departmentId)
  await setAssignee(db, { id, staffId, status: assigned, now })
}

/** What happens to the new ticket at once, as its timeline tells it. */
function steps(assignee: number | undefined, tags: readonly Tag[]) {
  const assignment = {
    action: 'ticket.assigned' as const,
    before: { assigned_staff_id: null, status: 'Open' },
    after: { assigned_staff_id: assignee, status: assigned }
  }
  const tagged = { action: 'ticket.tagged' as const, before: { tags: [] }, after: { tags: namesOf(tags) } }
  return [...(assignee === undefined ? [] : [assignment]), ...(tags.length === 0 ? [] : [tagged])]
}

const lockedClient = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).select(['id', 'is_active']).forNoKeyUpdate()
)
