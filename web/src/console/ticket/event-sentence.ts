import { t } from '../../lib/strings.ts'
import { priorityLabel, statusLabel } from '../../ui/status-icon.tsx'
import type { Priority, Status, TicketEvent } from './thread-types.ts'

interface Facts {
  follower?: { name: string; email: string }
  status?: Status
  priority?: Priority
  subject?: string
  department_id?: number
  assigned_staff_id?: number | null
  tags?: string[]
  merged_into?: { ticket_number: string } | null
  merged?: { ticket_number: string }
  by?: string
}

/** The names of ids, if known. */
export interface Names {
  staff(id: number): string | undefined
  department(deptid: number): string | undefined
  me: number
}

/** An event as a sentence: "Mira set the status to In progress and took the ticket". */
export function eventSentence(event: TicketEvent, names: Names): string {
  const { kind } = event
  const [before, after] = [(event.before ?? {}) as Facts, (event.after ?? {}) as Facts]
  const who = event.actor_type === 'system' ? t('thread.system') : event.actor_name
  switch (kind) {
    case 'ticket.status_changed':
    case 'ticket.replied':
      return after.status ? t('thread.eventStatus', { who, status: statusLabel(after.status) }) : otherwise(who)
    case 'ticket.assigned':
      return assigned(event, who, after, names)
    case 'ticket.updated':
      return updated(who, before, after, names)
    case 'ticket.tagged':
      return tagged(who, before.tags ?? [], after.tags ?? [])
    case 'ticket.deleted':
      return t('thread.eventTrashed', { who })
    case 'ticket.restored':
      return t('thread.eventRestored', { who })
    case 'ticket.merged':
      return t('thread.eventMerged', { who, number: after.merged_into?.ticket_number ?? '' })
    case 'ticket.unmerged':
      return t('thread.eventUnmerged', { who })
    case 'ticket.follower_added':
      return t('thread.eventFollowerAdded', { who, person: after.follower?.name || after.follower?.email || '' })
    case 'ticket.follower_removed':
      return t('thread.eventFollowerRemoved', { who, person: before.follower?.name || before.follower?.email || '' })
    case 'ticket.absorbed':
      return t('thread.eventAbsorbed', { who, number: after.merged?.ticket_number ?? '' })
    case 'ticket.released':
      return t('thread.eventReleased', { who, number: before.merged?.ticket_number ?? '' })
    default:
      return otherwise(who)
  }
}

/** The status whose icon the event line shows. */
export function statusOfEvent({ after }: TicketEvent): Status | undefined {
  return (after as Facts | null)?.status
}

function assigned({ actor_id }: TicketEvent, who: string, { assigned_staff_id: id, status }: Facts, names: Names) {
  const whom = id ? (names.staff(id) ?? t('thread.aColleague')) : ''
  const key = id === null || id === undefined ? 'Freed' : id === actor_id ? 'Took' : 'Assigned'
  if (!status) return t(`thread.event${key}`, { who, whom })
  return t(`thread.event${key}AndStatus`, { who, whom, status: statusLabel(status) })
}

function updated(who: string, before: Facts, after: Facts, names: Names): string {
  const said = [
    after.priority && t('thread.eventPriority', { who, priority: priorityLabel(after.priority) }),
    after.subject && t('thread.eventSubject', { who, before: before.subject ?? '' }),
    after.department_id &&
      t('thread.eventDepartment', {
        who,
        department: names.department(after.department_id) ?? t('thread.anotherDepartment')
      })
  ].filter(Boolean)
  return said.length > 0 ? said.join(' ') : otherwise(who)
}

function tagged(who: string, before: string[], after: string[]): string {
  const added = after.filter(tag => !before.includes(tag))
  const removed = before.filter(tag => !after.includes(tag))
  const list = (tags: string[]) => tags.join(', ')
  if (removed.length === 0) return t('thread.eventTagged', { who, tags: list(added) })
  if (added.length === 0) return t('thread.eventUntagged', { who, tags: list(removed) })
  return t('thread.eventRetagged', { who, added: list(added), removed: list(removed) })
}

function otherwise(who: string): string {
  return t('thread.eventOther', { who })
}
