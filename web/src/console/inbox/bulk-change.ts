import type { BodyOf } from '@deskline/client'
import { post } from '../../app/api-client.ts'
import type { FieldValue } from '../../app/custom-fields/custom-field.ts'
import { failureText } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { comingTimeInText } from '../../lib/times.ts'
import { priorityLabel, statusLabel } from '../../ui/status-icon.tsx'
import type { SnoozeChoice } from '../snooze/snooze-choice.ts'
import type { LinkKind } from '../ticket/change-links.ts'
import type { ListedTicket } from './ticket-list.ts'
import { updateListedTickets } from './ticket-list-query.ts'
import { changerOf } from './use-live-list.ts'

/** A bulk change: the request of `tickets/bulk`, and the optimistic change of the rows. */
export type BulkChange =
  | { action: 'status'; status: ListedTicket['status'] }
  | { action: 'assign'; assignee: ListedTicket['assignee'] }
  | { action: 'priority'; priority: ListedTicket['priority'] }
  | { action: 'department'; department: { deptid: number; name: string } }
  | { action: 'tag'; tag: ListedTicket['tags'][number] }
  | { action: 'link'; other: { id: number; ticket_number: string }; link: LinkKind }
  | { action: 'macro'; macro: { id: number; name: string } }
  | { action: 'field'; field: { key: string; label: string }; value: FieldValue | null; shown: string }
  | { action: 'snooze'; snooze: SnoozeChoice }
  | { action: 'unsnooze' }
  | { action: 'delete' }

export interface BulkOutcome {
  done: ListedTicket[]
  /** `reason`: of the API; undefined where a whole request failed, or was not tried. */
  failed: { ticket: ListedTicket; reason?: string; message: string }[]
}

/** The most tickets of one request. */
const atOnce = 100

/**
 * Changes these tickets, a hundred at a time, and reports the number of processed ones. Tickets that somebody else has changed meanwhile are
 * left unchanged and returned as failed. If a whole request fails, so are the remaining tickets.
 */
export async function changeMany(
  tickets: readonly ListedTicket[],
  change: BulkChange,
  progress: (dealtWith: number) => void
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], failed: [] }
  for (let at = 0; at < tickets.length; at += atOnce) {
    const part = tickets.slice(at, at + atOnce)
    const takeBack = updateListedTickets(idsOf(part), ticket => changed(ticket, change))
    try {
      const data = await post('/api/admin/tickets/bulk', bodyOf(part, change))
      const refused = new Map<number, { reason?: string; message: string }>(
        data.failed.map(({ id, ...why }) => [Number(id), why])
      )
      for (const id of data.not_tried) refused.set(Number(id), { message: '' })
      outcome.done.push(...part.filter(({ id }) => !refused.has(id)))
      for (const ticket of part) {
        const why = refused.get(ticket.id)
        if (why) outcome.failed.push({ ticket, ...why })
      }
      const kept = outcome.failed.map(({ ticket }) => ticket)
      updateListedTickets(idsOf(kept), ticket => kept.find(({ id }) => id === ticket.id) ?? ticket)
    } catch (error) {
      takeBack()
      const message = failureText(error)
      outcome.failed.push(...tickets.slice(at).map(ticket => ({ ticket, message })))
      break
    }
    progress(Math.min(at + atOnce, tickets.length))
  }
  void reloadQueries('/api/admin/tickets/counts')
  return outcome
}

/** Restores the former values of tickets that nobody has changed since. Returns the number of those that could not be restored. */
export async function undoMany(former: readonly ListedTicket[], change: BulkChange): Promise<number> {
  const touched = former.filter(ticket => isOther(ticket, change))
  // An assignment may also have set the status, and a move the assignee; the undo endpoint of a single ticket restores both.
  if (change.action !== 'status' && change.action !== 'priority') return await undoOneByOne(touched, change)
  let refused = 0
  for (const group of Object.values(Object.groupBy(touched, ticket => ticket[change.action]))) {
    const { status, priority } = group[0]!
    const back: BulkChange =
      change.action === 'status' ? { action: 'status', status } : { action: 'priority', priority }
    // The change has raised each version by one.
    const now = group.map(ticket => ({ ...changed(ticket, change), version: ticket.version + 1 }))
    const { failed } = await changeMany(now, back, () => {})
    refused += failed.length
  }
  return refused
}

/** How many changes are undone in parallel. */
const parallelRequests = 4

async function undoOneByOne(tickets: readonly ListedTicket[], { action }: BulkChange): Promise<number> {
  const path = action === 'delete' ? '/api/admin/tickets/restore' : '/api/admin/tickets/undo'
  const waiting = [...tickets]
  let refused = 0
  const work = async () => {
    for (let ticket = waiting.shift(); ticket; ticket = waiting.shift()) {
      const former = ticket
      try {
        await post(path, { id: former.id })
        updateListedTickets([former.id], () => former)
      } catch {
        refused++
      }
    }
  }
  await Promise.all(Array.from({ length: parallelRequests }, work))
  void reloadQueries('/api/admin/tickets/counts')
  return refused
}

function bodyOf(tickets: readonly ListedTicket[], change: BulkChange): BodyOf<'/api/admin/tickets/bulk'> {
  const which = { ids: idsOf(tickets), expected_versions: tickets.map(({ version }) => version) }
  switch (change.action) {
    case 'status':
      return { ...which, action: 'status', status: change.status }
    case 'assign':
      return { ...which, action: 'assign', assigned_staff_id: change.assignee?.id ?? null, force: 1 }
    case 'priority':
      return { ...which, action: 'priority', priority: change.priority }
    case 'department':
      return { ...which, action: 'department', department_id: change.department.deptid }
    case 'tag':
      return { ...which, action: 'tag', tags: [change.tag.id] }
    case 'link':
      // A link is no change of what a version tells.
      return { ids: which.ids, action: 'link', other_id: change.other.id, link: change.link }
    case 'snooze':
      return { ...which, action: 'snooze', ...change.snooze }
    case 'macro':
      return { ...which, action: 'macro', macro_id: change.macro.id }
    case 'field':
      return { ...which, action: 'set_fields', fields: { [change.field.key]: change.value } }
    case 'unsnooze':
      return { ...which, action: 'unsnooze' }
    case 'delete':
      return { ...which, action: 'delete' }
  }
}

function changed(ticket: ListedTicket, change: BulkChange): ListedTicket {
  switch (change.action) {
    case 'status':
      return { ...ticket, status: change.status }
    case 'assign': {
      // The first assignment sets the status to In Progress.
      const isBegun = ticket.status === 'Open' && ticket.assignee === null && change.assignee !== null
      return { ...ticket, assignee: change.assignee, ...(isBegun && { status: 'In Progress' }) }
    }
    case 'priority':
      return { ...ticket, priority: change.priority }
    case 'department':
      return { ...ticket, department: { ...ticket.department, ...change.department } }
    case 'tag':
      return isOther(ticket, change) ? { ...ticket, tags: [...ticket.tags, change.tag] } : ticket
    case 'link':
    case 'macro':
    case 'field':
    case 'snooze':
    case 'unsnooze':
    case 'delete':
      return ticket
  }
}

/** Whether the change alters the ticket. */
function isOther(ticket: ListedTicket, change: BulkChange): boolean {
  switch (change.action) {
    case 'status':
      return ticket.status !== change.status
    case 'assign':
      return ticket.assignee?.id !== change.assignee?.id
    case 'priority':
      return ticket.priority !== change.priority
    case 'department':
      return ticket.department.deptid !== change.department.deptid
    case 'tag':
      return !ticket.tags.some(({ id }) => id === change.tag.id)
    case 'unsnooze':
      return ticket.snooze !== null
    case 'snooze':
    case 'macro':
    case 'field':
    case 'link':
    case 'delete':
      return true
  }
}

function idsOf(tickets: readonly ListedTicket[]): number[] {
  return tickets.map(({ id }) => id)
}

/** The text of the toast. */
export function doneText(change: BulkChange, count: number): Parameters<typeof t> {
  switch (change.action) {
    case 'status':
      return ['inbox.doneStatus', { count, status: statusLabel(change.status) }]
    case 'priority':
      return ['inbox.donePriority', { count, priority: priorityLabel(change.priority) }]
    case 'assign': {
      const name = change.assignee && nameOf(change.assignee)
      return name ? ['inbox.doneAssign', { count, name }] : ['inbox.doneFreed', { count }]
    }
    case 'department':
      return ['inbox.doneDepartment', { count, name: change.department.name }]
    case 'tag':
      return ['inbox.doneTag', { count, name: change.tag.name }]
    case 'link':
      return ['links.bulkDone', { count, number: change.other.ticket_number }]
    case 'macro':
      return ['macros.bulkDone', { count, name: change.macro.name }]
    case 'field':
      return ['fields-bulk.done', { count, field: change.field.label, value: change.shown }]
    case 'snooze':
      if (change.snooze.until_next_open) return ['inbox.doneSnoozeOpening', { count }]
      return change.snooze.until
        ? ['inbox.doneSnooze', { count, until: comingTimeInText(new Date(change.snooze.until)) }]
        : ['inbox.doneSnoozeReply', { count }]
    case 'unsnooze':
      return ['inbox.doneWake', { count }]
    case 'delete':
      return ['inbox.doneTrash', { count }]
  }
}

/** The reason why some tickets were not changed: who changed them before, or the service's message if all have the same. */
export function leftText(failed: BulkOutcome['failed']): string {
  const count = failed.length
  if (failed.every(({ reason }) => reason === 'version_conflict')) {
    const name = changerOf(failed.map(({ ticket }) => ticket.id))
    return name ? t('inbox.leftChangedBy', { count, name }) : t('inbox.leftChanged', { count })
  }
  if (failed.every(({ reason }) => reason === 'ticket_blocked')) return t('inbox.leftBlocked', { count })
  if (failed.every(({ reason }) => reason === 'fields_required')) return t('inbox.leftFields', { count })
  const reasons = new Set(failed.map(({ message }) => message))
  const [reason] = reasons
  return reasons.size === 1 && reason ? t('inbox.leftFor', { count, reason }) : t('inbox.left', { count })
}
