import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { StaffNotification } from '../../mail/outbox/ticket-emails.ts'
import { mentionsIn } from './mentions.ts'
import { type NotifiedTicket, type PendingEvent, quotedMessage } from './pending-events.ts'

/**
 * The notifications for staff: the assignee, watchers, and those whom a note mentions, if they see the ticket, want such e-mails, and did not
 * cause the event themselves.
 */
export async function notificationsForStaff(
  db: Db,
  ticket: NotifiedTicket,
  events: readonly PendingEvent[]
): Promise<{ id: number; email: string; notification: StaffNotification }[]> {
  const { id, department_id, assigned_staff_id } = ticket
  const notes = events.filter(({ note }) => note?.includes('@'))
  const isAbout = ({ kind, actor_type }: PendingEvent) =>
    kind === 'ticket.assigned' || (kind === 'ticket.replied' && actor_type === 'client')
  if (notes.length === 0 && !events.some(isAbout)) return []

  const everybody = notes.length > 0
  const readers = await seeing(db, { id, department: department_id, assignee: assigned_staff_id, everybody })
  return readers
    .map(reader => ({
      id: reader.id,
      email: reader.email,
      notification: notificationFor(reader, ticket, events, notes)
    }))
    .filter(
      ({ notification }) =>
        notification.assignedBy !== undefined ||
        notification.mentionedBy.length + notification.customerReplies.length > 0
    )
}

type Reader = Awaited<ReturnType<typeof seeing>>[0]

function notificationFor(
  reader: Reader,
  { assigned_staff_id }: NotifiedTicket,
  events: readonly PendingEvent[],
  notes: readonly PendingEvent[]
): StaffNotification {
  const byOthers = ({ actor_type, actor_id }: PendingEvent) => actor_type !== 'staff' || actor_id !== reader.id
  const isAssignee = assigned_staff_id === reader.id
  const assignment = events.findLast(({ kind }) => kind === 'ticket.assigned')
  const isToBeNotified = isAssignee && assignment?.assignee_after === reader.id && byOthers(assignment)
  const mentions = notes.filter(byOthers).filter(({ note }) => mentionsIn(note!)(reader))
  const replies = events.filter(({ actor_type }) => actor_type === 'client').flatMap(quotedMessage)
  return {
    assignedBy: isToBeNotified && reader.assignment_emails ? assignment!.actor_name : undefined,
    mentionedBy: reader.mention_emails ? [...new Set(mentions.map(({ actor_name }) => actor_name))] : [],
    customerReplies: reader.customer_reply_emails && (isAssignee || reader.is_watcher) ? replies : []
  }
}

/** The assignee, the watchers, or everybody, if they see the ticket. */
const seeing = prepared((db, p: { id: number; department: number; assignee: number | null; everybody: boolean }) =>
  db
    .selectFrom('staff')
    .leftJoin(watchersOf(db, p).as('watcher'), 'watcher.staff_id', 'staff.id')
    .where('staff.is_active', '=', true)
    .where(({ or, and, eb, exists, not, selectFrom }) => {
      const memberships = selectFrom('department_members as member').whereRef('member.staff_id', '=', 'staff.id')
      const permissions = selectFrom('staff_permissions as grant').whereRef('grant.staff_id', '=', 'staff.id')
      const isMember = memberships.where('member.department_id', '=', p.department)
      const seesAll = permissions.where('grant.permission_slug', '=', 'tickets.view_all')
      return or([
        eb('staff.role', '=', 'admin'),
        and([
          or([not(exists(memberships.select('member.staff_id'))), exists(isMember.select('member.staff_id'))]),
          or([eb('staff.id', '=', p.assignee), exists(seesAll.select('grant.id'))])
        ])
      ])
    })
    .where(({ or, eb }) =>
      or([
        sql<boolean>`${p.everybody}::boolean`,
        eb('staff.id', '=', p.assignee),
        eb('watcher.staff_id', 'is not', null)
      ])
    )
    .orderBy('staff.id')
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'staff.email'])
    .select(['staff.assignment_emails', 'staff.mention_emails', 'staff.customer_reply_emails'])
    .select(eb => eb('watcher.staff_id', 'is not', null).as('is_watcher'))
)

/** Includes tickets that were merged into it. */
function watchersOf(db: Db, p: { id: number }) {
  return db
    .selectFrom('ticket_watchers')
    .innerJoin('tickets', 'tickets.id', 'ticket_watchers.ticket_id')
    .where(({ or, eb }) => or([eb('tickets.id', '=', p.id), eb('tickets.merged_into_id', '=', p.id)]))
    .select('ticket_watchers.staff_id')
    .distinct()
}
