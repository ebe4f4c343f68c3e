import type { BodyOf } from '@deskline/client'
import { post, queryClient } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { priorityLabel, statusLabel } from '../../ui/status-icon.tsx'
import type { ListedTicket } from './ticket-list.ts'
import { updateListedTickets } from './ticket-list-query.ts'
import { changerOf } from './use-live-list.ts'

/** What is done with many tickets, as `tickets/bulk` takes it, with what the rows show at once. */
export type BulkChange =
  | { action: 'status'; status: ListedTicket['status'] }
  | { action: 'assign'; assignee: ListedTicket['assignee'] }
  | { action: 'priority'; priority: ListedTicket['priority'] }
  | { action: 'department'; department: { deptid: number; name: string } }
  | { action: 'tag'; tag: ListedTicket['tags'][number] }
  | { action: 'delete' }

export interface BulkOutcome {
  done: ListedTicket[]
  failed: { ticket: ListedTicket; message: string }[]
}

/** The service takes so many at once. */
const atOnce = 100

/**
 * Does one thing with these tickets, a hundred at a time, and tells how many were dealt with. What was changed by somebody else meanwhile is
 * left as it is and answered as failed, and so is what is behind a failure of the whole.
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
      const refused = new Map(data.failed.map(({ id, message }) => [Number(id), message]))
      for (const id of data.not_tried) refused.set(Number(id), '')
      outcome.done.push(...part.filter(({ id }) => !refused.has(id)))
      for (const ticket of part) {
        if (refused.has(ticket.id)) outcome.failed.push({ ticket, message: refused.get(ticket.id)! })
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
  queryClient.invalidateQueries({ queryKey: ['/api/admin/tickets/counts'] })
  return outcome
}

/** Brings back what these tickets had before, where nobody has changed them since. Answers how many could not be. */
export async function undoMany(former: readonly ListedTicket[], change: BulkChange): Promise<number> {
  const touched = former.filter(ticket => isOther(ticket, change))
  // An assignment may have set the status, a move the assignee: what undoes one ticket knows.
  if (change.action !== 'status' && change.action !== 'priority') return await undoOneByOne(touched, change)
  let refused = 0
  for (const group of Object.values(Object.groupBy(touched, ticket => ticket[change.action]))) {
    const { status, priority } = group[0]!
    const back: BulkChange =
      change.action === 'status' ? { action: 'status', status } : { action: 'priority', priority }
    // The version of each rose by one with the change.
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
  queryClient.invalidateQueries({ queryKey: ['/api/admin/tickets/counts'] })
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
    case 'delete':
      return { ...which, action: 'delete' }
  }
}

function changed(ticket: ListedTicket, change: BulkChange): ListedTicket {
  switch (change.action) {
    case 'status':
      return { ...ticket, status: change.status }
    case 'assign': {
      // The first assignment is the beginning of the work.
      const isBegun = ticket.status === 'Open' && ticket.assignee === null && change.assignee !== null
      return { ...ticket, assignee: change.assignee, ...(isBegun && { status: 'In Progress' }) }
    }
    case 'priority':
      return { ...ticket, priority: change.priority }
    case 'department':
      return { ...ticket, department: { ...ticket.department, ...change.department } }
    case 'tag':
      return isOther(ticket, change) ? { ...ticket, tags: [...ticket.tags, change.tag] } : ticket
    case 'delete':
      return ticket
  }
}

/** Whether the change makes anything else of a ticket. */
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
    case 'delete':
      return true
  }
}

function idsOf(tickets: readonly ListedTicket[]): number[] {
  return tickets.map(({ id }) => id)
}

/** What was done, in one line. */
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
    case 'delete':
      return ['inbox.doneTrash', { count }]
  }
}

/** What the service says of a ticket that has another version by now. */
const changedMeanwhile = /in the meantime/

/** Why some were left as they are: who came before, or the service's words where all have the same reason. */
export function leftText(failed: BulkOutcome['failed']): string {
  const count = failed.length
  if (failed.every(({ message }) => changedMeanwhile.test(message))) {
    const name = changerOf(failed.map(({ ticket }) => ticket.id))
    return name ? t('inbox.leftChangedBy', { count, name }) : t('inbox.leftChanged', { count })
  }
  const reasons = new Set(failed.map(({ message }) => message))
  const [reason] = reasons
  return reasons.size === 1 && reason ? t('inbox.leftFor', { count, reason }) : t('inbox.left', { count })
}
