import type { Act } from '../../core/acts/act.ts'
import { setAssignee } from '../desk/assign-ticket.ts'
import { tagsFor } from '../desk/tag-refs.ts'
import { namesOf, setTags } from '../desk/tag-ticket.ts'
import { requireAssignable } from '../ticket/assignees.ts'
import type { TagRef } from '../ticket/desk-schemas.ts'
import { changedTicket } from '../ticket/queue-ticket.ts'

/** The status of a ticket that is assigned from the start. */
const assigned = 'In Progress'

/** What staff specify for a ticket that they open on behalf of a client. */
export interface OpenedByStaff {
  clientId: number
  assignedStaffId: number | undefined
  tags: TagRef[]
  /** The message says what the client has said, who waits for an answer: it is none itself. */
  clientWaits: boolean
}

/** The status of a new ticket with this assignee, or none. */
export function firstStatus(assignee: number | undefined) {
  return assignee === undefined ? 'Open' : assigned
}

/** Assigns and tags a new ticket, and returns it as the queue shows it. Throws `UnknownAssignee`, `UnknownTag`. */
export async function assignAndTag(
  act: Act,
  { ticket_id: ticketId, department_id }: { ticket_id: number; department_id: number },
  { assignedStaffId: assignee, tags }: OpenedByStaff
) {
  if (assignee !== undefined) await assignNew(act, ticketId, assignee, department_id)
  await tagNew(act, ticketId, tags)
  return await changedTicket(act.db, ticketId)
}

/** The first assignment. The audit log shows it with the opening, like the tags; the timeline as an event of its own. */
async function assignNew(act: Act, ticket: number, staffId: number, departmentId: number): Promise<void> {
  const { db, now } = act
  await requireAssignable(db, staffId, departmentId)
  await setAssignee(db, { id: ticket, staffId, status: assigned, now })
  const before = { assigned_staff_id: null, status: 'Open' } as const
  const after = { assigned_staff_id: staffId, status: assigned } as const
  act.happened({ kind: 'ticket.assigned', ticket, before, after, logged: false })
}

async function tagNew(act: Act, ticket: number, refs: readonly TagRef[]): Promise<void> {
  const tags = await tagsFor(act.db, refs)
  await setTags(act.db, ticket, tags)
  if (tags.length === 0) return
  act.happened({ kind: 'ticket.tagged', ticket, before: { tags: [] }, after: { tags: namesOf(tags) }, logged: false })
}
