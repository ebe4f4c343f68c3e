import { holds, type StaffActor } from '../actor.ts'
import type { Act } from '../acts/act.ts'
import type { Origin } from '../audit/audit-actor.ts'
import { ClientNotFound } from '../clients/client-record.ts'
import { type Db, prepared } from '../db.ts'
import { UnknownDepartment } from '../departments/departments.ts'
import { setAssignee } from '../desk/assign-ticket.ts'
import { requireHandler } from '../desk/assignees.ts'
import { tagsFor } from '../desk/tag-refs.ts'
import { namesOf, setTags } from '../desk/tag-ticket.ts'
import { Forbidden, failure } from '../kit/errors.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import type { TagRef } from '../tickets/desk-schemas.ts'
import { changedTicket } from '../tickets/ticket-row.ts'
import { actWithFiles, newMessage, type TicketServices } from './add-message.ts'
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
  const first = { client_id: client, status: assignee === undefined ? 'Open' : assigned, priority }
  const audited = JSON.stringify({ after: { ...first, assigned_staff_id: assignee ?? null } })
  return await actWithFiles(services, { actor, caller }, uploads, async act => {
    const { db } = act
    await requireActive(db, client)
    const [opened] = await insertTicket(db, { ...message, client, deptid, subject, priority, audited })
    const isSeen = opened && (actor.departments?.includes(opened.department_id) ?? true)
    if (!isSeen) throw UnknownDepartment({ errors: ['department_id'] })
    const { ticket_id: ticketId, message_id, attachments } = opened

    if (assignee !== undefined) await assignNew(act, ticketId, assignee, opened.department_id)
    await tagNew(act, ticketId, opening.tags)
    return { ticket: await changedTicket(db, ticketId), message_id, attachments }
  })
}

async function requireActive(db: Db, id: number): Promise<void> {
  const [client] = await lockedClient(db, { id })
  if (!client) throw ClientNotFound()
  if (!client.is_active) throw ClientInactive({ errors: ['client_id'] })
}

/** Its first assignment. The audit log tells of it with the opening, as of the tags; the timeline by itself. */
async function assignNew(act: Act, ticket: number, staffId: number, departmentId: number): Promise<void> {
  const { db, now } = act
  await requireHandler(db, staffId, departmentId)
  await setAssignee(db, { id: ticket, staffId, status: assigned, now })
  const [before, after] = [
    { assigned_staff_id: null, status: 'Open' },
    { assigned_staff_id: staffId, status: assigned }
  ]
  act.happened({ kind: 'ticket.assigned', ticket, before, after, logged: false })
}

async function tagNew(act: Act, ticket: number, refs: readonly TagRef[]): Promise<void> {
  const tags = await tagsFor(act.db, refs)
  await setTags(act.db, ticket, tags)
  if (tags.length === 0) return
  act.happened({ kind: 'ticket.tagged', ticket, before: { tags: [] }, after: { tags: namesOf(tags) }, logged: false })
}

const lockedClient = prepared((db, p: { id: number }) =>
  db.selectFrom('clients').where('id', '=', p.id).select(['id', 'is_active']).forNoKeyUpdate()
)
