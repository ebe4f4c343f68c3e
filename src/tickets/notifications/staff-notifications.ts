import { sql } from 'kysely'
import { nameInEmails } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { StaffNotification } from '../../mail/outbox/ticket-emails.ts'
import { mentionsIn } from '../ticket/mentions.ts'
import { type NotifiedTicket, type PendingEvent, quotedMessage } from './pending-events.ts'

/**
 * The notifications for staff (what customers and third parties wrote goes to assignee and watchers): the assignee, watchers, and those whom a note mentions, if they see the ticket, want such e-mails, and did not
 * cause the event themselves. A ticket that is back from its snooze is told to its assignee or, if nobody has it, to its watchers and to whoever snoozed it; one that is due soon, or late, to its
 * assignee or else to its watchers.
 */
export async function notificationsForStaff(
  db: Db,
  ticket: NotifiedTicket,
  events: readonly PendingEvent[]
): Promise<{ id: number; email: string; notification: StaffNotification }[]> {
  const { id, department_id, assigned_staff_id } = ticket
  const notes = events.filter(({ note }) => note?.includes('@'))
  const isAbout = (event: PendingEvent) =>
    event.kind === 'ticket.assigned' ||
    (event.kind === 'ticket.replied' && event.actor_type === 'client') ||
    isBack(event) ||
    event.side_message !== null ||
    isOfDueTime(event)
  if (notes.length === 0 && !events.some(isAbout)) return []

  // Whoever snoozed a ticket that nobody has may be anybody.
  const everybody = notes.length > 0 || (assigned_staff_id === null && events.some(isBack))
  const readers = await staffSeeing(db, { id, department: department_id, assignee: assigned_staff_id, everybody })
  const dueTimes = events.some(isOfDueTime) ? await dueTimesIn(db, events) : {}
  return readers
    .map(reader => ({
      id: reader.id,
      email: reader.email,
      notification: notificationFor(reader, ticket, { events, notes, dueTimes })
    }))
    .filter(
      ({ notification }) =>
        notification.assignedBy !== undefined ||
        notification.backFor !== undefined ||
        (notification.dueSoon ?? notification.wasDue) !== undefined ||
        notification.mentionedBy.length + notification.customerReplies.length + notification.partnerReplies.length > 0
    )
}

type Reader = Awaited<ReturnType<typeof staffSeeing>>[0]

function notificationFor(
  reader: Reader,
  { assigned_staff_id }: NotifiedTicket,
  { events, notes, dueTimes }: { events: readonly PendingEvent[]; notes: readonly PendingEvent[]; dueTimes: DueTimes }
): StaffNotification {
  const byOthers = ({ actor_type, actor_id }: PendingEvent) => actor_type !== 'staff' || actor_id !== reader.id
  const isAssignee = assigned_staff_id === reader.id
  const assignment = events.findLast(({ kind }) => kind === 'ticket.assigned')
  const isToBeNotified = isAssignee && assignment?.assignee_after === reader.id && byOthers(assignment)
  const mentions = notes.filter(byOthers).filter(({ note }) => mentionsIn(note!)(reader))
  const replies = events.filter(({ actor_type }) => actor_type === 'client').flatMap(quotedMessage)
  const partners = events.flatMap(({ side_message: text, partner_name }) =>
    text === null ? [] : [{ by: partner_name ?? '', text }]
  )
  const back = events.findLast(isBack)
  const isForReader =
    assigned_staff_id === null ? reader.is_watcher || back?.snooze?.staff_id === reader.id : isAssignee
  const isOfReader = assigned_staff_id === null ? reader.is_watcher : isAssignee
  const { dueSoon, wasDue } = isOfReader && reader.assignment_emails ? dueTimes : {}
  return {
    dueSoon,
    wasDue,
    backFor: back && isForReader && reader.assignment_emails ? (back.snooze?.reason ?? '') : undefined,
    assignedBy: isToBeNotified && reader.assignment_emails ? nameInEmails(assignment!) : undefined,
    mentionedBy: reader.mention_emails ? [...new Set(mentions.map(nameInEmails))] : [],
    customerReplies: reader.customer_reply_emails && (isAssignee || reader.is_watcher) ? replies : [],
    partnerReplies: reader.customer_reply_emails && (isAssignee || reader.is_watcher) ? partners : []
  }
}

/** When a ticket is due soon, or was due, as the desk's clock shows it. */
type DueTimes = { dueSoon?: string | undefined; wasDue?: string | undefined }

/** S17: of a ticket that is late no warning is told any more. Of several the one that was due first. */
async function dueTimesIn(db: Db, events: readonly PendingEvent[]): Promise<DueTimes> {
  const { time_zone: timeZone } = (await settingsOf(db)).settings
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  // Without words, so that it is the same in every language.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...day, ...time })
  const [late, soon] = ['sla.breached', 'sla.warned'].map(kind =>
    events.flatMap(event => (event.kind === kind && event.due_at ? [event.due_at.getTime()] : []))
  ) as [number[], number[]]
  if (late.length > 0) return { wasDue: format.format(Math.min(...late)) }
  return soon.length > 0 ? { dueSoon: format.format(Math.min(...soon)) } : {}
}

function isOfDueTime({ kind }: PendingEvent): boolean {
  return kind === 'sla.warned' || kind === 'sla.breached'
}

/** The time of a snooze has come. What else wakes a ticket tells of itself. */
function isBack({ kind, cause }: PendingEvent): boolean {
  return kind === 'ticket.woken' && cause === 'time'
}

/** The assignee, the watchers, or everybody, if they see the ticket. */
export const staffSeeing = prepared(
  (db, p: { id: number; department: number; assignee: number | null; everybody: boolean }) =>
    db
      .selectFrom('staff')
      .leftJoin(watchersOf(db, p).as('watcher'), 'watcher.staff_id', 'staff.id')
      .where('staff.is_active', '=', true)
      .where('staff.is_service_account', '=', false)
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
