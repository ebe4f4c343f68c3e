import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { mayNotify } from '../../core/events/catalogue.ts'
import type { LogReader } from '../../core/events/follow-log.ts'
import type { Services } from '../../core/services.ts'
import type { SignatureTexts } from '../../core/tables/sending.ts'
import type { Quoted } from '../../core/wording/quoted.ts'
import type { ClientNotification } from '../../mail/outbox/ticket-emails.ts'
import { recipientColumns } from '../ticket/client-access.ts'

/** Finds the events of which somebody may have to be notified; `sendNotifications` decides whom once they are due. */
export function notificationReader({ config }: Pick<Services, 'config'>): LogReader {
  return {
    name: 'notifications',
    async handle(db, events) {
      const pending = events.filter(({ kind, is_silent }) => mayNotify(kind) && !is_silent)
      if (pending.length === 0) return
      const rows = pending.map(({ id, ticket_id, at }) => ({ id, ticket_id, at }))
      await insertPending(db, { rows: JSON.stringify(rows), delaySeconds: config.NOTIFICATION_DELAY_SECONDS })
    }
  }
}

/** A ticket that is being deleted is waited for, and a deleted one left out. */
const insertPending = prepared((db, p: { rows: string; delaySeconds: number }) =>
  db
    .insertInto('pending_notifications')
    .columns(['event_id', 'ticket_id', 'happened_at', 'due_at'])
    .expression(db =>
      db
        .selectFrom(
          sql<{ id: number; ticket_id: number; at: Date }>`json_to_recordset(${p.rows}::json)`.as<'event'>(
            sql`event (id bigint, ticket_id bigint, at timestamptz)`
          )
        )
        .innerJoin('tickets', 'tickets.id', 'event.ticket_id')
        .select(['event.id', 'tickets.id as ticket_id', 'event.at'])
        .select(sql<Date>`event.at + make_interval(secs => ${p.delaySeconds})`.as('due_at'))
        .orderBy('tickets.id')
        .forKeyShare('tickets')
    )
)

/** Tickets with events that are due, the longest waiting first; fewer tickets if some have many events. */
export async function ticketsToNotifyOf(db: Db, p: { now: Date; limit: number }): Promise<number[]> {
  const events = await oldestUnnotified(db, p)
  return [...new Set(events.map(({ ticket_id }) => ticket_id))]
}

// Walks the index, so that it reads only the events of this batch, however many are due.
const oldestUnnotified = prepared((db, p: { now: Date; limit: number }) =>
  db
    .selectFrom('pending_notifications')
    .where('due_at', '<=', p.now)
    .select('ticket_id')
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(p.limit)
)

/** When the next notification is due; null if none is pending. */
export async function nextNotificationAt(db: Db): Promise<Date | null> {
  const [next] = await earliestDue(db, {})
  return next?.due_at ?? null
}

const earliestDue = prepared(db => db.selectFrom('pending_notifications').select('due_at').orderBy('due_at').limit(1))

const minPostponeSeconds = 30
const maxPostponeSeconds = 3_600

/** Postpones the events of this ticket for about as long as they have waited already. */
export async function postpone(db: Db, ticket: number, now: Date): Promise<void> {
  await postponeEvents(db, { ticket, now })
}

const postponeEvents = prepared((db, p: { ticket: number; now: Date }) =>
  db
    .updateTable('pending_notifications')
    .where('ticket_id', '=', p.ticket)
    .set({
      due_at: sql<Date>`${p.now}::timestamptz + greatest(make_interval(secs => ${sql.lit(minPostponeSeconds)}),
        least(make_interval(secs => ${sql.lit(maxPostponeSeconds)}), ${p.now}::timestamptz - happened_at))`
    })
)

/**
 * A ticket, its client and the address for e-mails to the client about it. The client's row is locked until the transaction ends: e-mails about one client's tickets are made one after the other, and
 * none for somebody who is erased meanwhile.
 */
export const lockedTicketOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .select(['tickets.id', 'tickets.ticket_number', 'tickets.thread_id', 'tickets.subject', 'tickets.status'])
    .select(['tickets.department_id', 'tickets.assigned_staff_id', 'tickets.trashed_at'])
    .select(['clients.id as client_id', 'clients.is_active', 'clients.unverified_emails_sent'])
    .select(recipientColumns)
    .forNoKeyUpdate('clients')
)

/**
 * A note that was split off, or whose ticket was merged, is told of in the ticket where it is now, to those who see that one. Returns the events,
 * which go on waiting there.
 */
export const followMovedNotes = prepared((db, p: { ticket: number }) =>
  db
    .updateTable('pending_notifications as pending')
    .from('event_places')
    .innerJoin('events as event', 'event.id', 'event_places.event_id')
    .innerJoin('ticket_notes as note', join => join.on('note.id', '=', idIn('note_id')))
    .innerJoin('tickets as holder', 'holder.id', 'note.ticket_id')
    .where('pending.ticket_id', '=', p.ticket)
    .whereRef('event_places.place', '=', 'pending.event_id')
    .where('event.kind', '=', sql.lit('ticket.noted'))
    .where(sql<boolean>`coalesce(holder.merged_into_id, holder.id) <> ${p.ticket}`)
    .set({ ticket_id: sql<number>`coalesce(holder.merged_into_id, holder.id)` })
    .returning('pending.event_id')
)

export type NotifiedTicket = Awaited<ReturnType<typeof lockedTicketOf>>[0]

/** Takes the events of a ticket that nobody has been notified of, in order: they are not pending any more. The ticket's client has to be locked. */
export const takePendingEvents = prepared((db, p: { ticket: number }) =>
  db
    .with('taken', db => db.deleteFrom('pending_notifications').where('ticket_id', '=', p.ticket).returning('event_id'))
    .selectFrom('taken')
    .innerJoin('event_places', 'event_places.place', 'taken.event_id')
    .innerJoin('events as event', 'event.id', 'event_places.event_id')
    // A message that has been split off into another ticket is not told of in this one.
    .leftJoin('ticket_messages as message', join =>
      join.on('message.id', '=', messageOfEvent()).on('message.ticket_id', '=', p.ticket)
    )
    .leftJoin('ticket_notes as note', join =>
      join.on('event.kind', '=', sql.lit('ticket.noted')).on('note.id', '=', idIn('note_id'))
    )
    // A third party's answer, for staff alone.
    .leftJoin('side_messages as aside', join =>
      join
        .on('event.kind', '=', sql.lit('conversation.received'))
        .on('aside.id', '=', idIn('side_message_id'))
        .on('aside.is_automatic', '=', sql.lit(false))
    )
    .select(['aside.message as side_message', 'aside.sender_name as partner_name'])
    .select(['event.kind', 'event.actor_type', 'event.actor_id', 'event.actor_name', 'event.request_id'])
    .select([
      'message.id as message_id',
      'message.message',
      'message.formatted_html',
      'message.sender_first_name',
      'message.sender_last_name',
      'note.note'
    ])
    .select([
      sql<string | null>`event.before->>'status'`.as('status_before'),
      sql<string | null>`event.after->>'status'`.as('status_after'),
      idIn('assigned_staff_id').as('assignee_after'),
      sql<string | null>`event.after->>'cause'`.as('cause'),
      sql<Date | null>`(event.after->>'due_at')::timestamptz`.as('due_at'),
      sql<{
        reason: string
        staff_id: number | null
      } | null>`case event.kind when 'ticket.woken' then event.before end`.as('snooze')
    ])
    .orderBy('taken.event_id')
)

/** `signature`: what stands below an answer in e-mails. */
export type PendingEvent = Awaited<ReturnType<typeof takePendingEvents>>[0] & { signature?: SignatureTexts }

/** The message of a reply, or with which a member of staff opened the ticket: nobody is told what a client wrote at the opening. */
function messageOfEvent() {
  return sql<
    number | null
  >`case when event.kind = 'ticket.replied' or event.actor_type = 'staff' then ${idIn('message_id')} end`
}

function idIn(fact: string) {
  return sql<number | null>`(event.after->>${sql.lit(fact)})::bigint`
}

/** What the client is notified of; undefined for nothing. Clients are not notified of what they did themselves, except that it arrived. */
export function notificationForClient(
  ticket: NotifiedTicket,
  events: readonly PendingEvent[]
): ClientNotification | undefined {
  const opening = events.find(({ kind }) => kind === 'ticket.created')
  const messages = events.filter(event => isAnswerTo(ticket, event)).flatMap(quotedMessage)
  const closing = events.findLast(event => isClosing(event))
  // If the ticket was reopened meanwhile, the client is not told that it was closed.
  const isClosed = ticket.status === 'Closed' && closing !== undefined && !isOwnDoing(ticket, closing)
  if (!opening && messages.length === 0 && !isClosed) return undefined
  const openedBy = opening && (opening.actor_type === 'client' ? 'client' : 'staff')
  return { openedBy, messages, isAnswered: messages.length > (openedBy === 'staff' ? 1 : 0), isClosed }
}

/** Whether it is a message for the client: of staff, or of a manager of the organisation. */
export function isAnswerTo(ticket: Pick<NotifiedTicket, 'client_id'>, event: PendingEvent): boolean {
  return event.message_id !== null && (event.actor_type === 'staff' || isOfManager(ticket, event))
}

/** What a client did, or somebody without an account in the client's name. */
function isOwnDoing(ticket: Pick<NotifiedTicket, 'client_id'>, event: PendingEvent): boolean {
  return event.actor_type === 'client' && !isOfManager(ticket, event)
}

/** Another client sees the ticket only as a manager. */
function isOfManager(
  { client_id }: Pick<NotifiedTicket, 'client_id'>,
  { actor_type, actor_id }: PendingEvent
): boolean {
  return actor_type === 'client' && actor_id !== null && actor_id !== client_id
}

/** The message of an event. */
export function quotedMessage({
  message,
  formatted_html: html,
  sender_first_name,
  sender_last_name,
  signature
}: PendingEvent): Quoted[] {
  if (message === null) return []
  return [
    {
      by: `${sender_first_name} ${sender_last_name}`,
      text: message,
      ...(html === null ? {} : { html }),
      ...(signature ? { signature } : {})
    }
  ]
}

/** Merging closes a ticket too, but its thread continues in the other ticket. */
function isClosing({ kind, status_before, status_after }: PendingEvent): boolean {
  const mayClose = kind === 'ticket.replied' || kind === 'ticket.status_changed'
  return mayClose && status_after === 'Closed' && status_before !== 'Closed'
}
