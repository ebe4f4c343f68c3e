import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Quoted } from '../../core/wording/email-templates.ts'
import type { ClientNotification } from '../../mail/outbox/ticket-emails.ts'

/** Since when an event has been due. */
const waitsSince = sql<Date>`coalesce(postponed_to, created_at)`

/** Tickets with events due at `due` or before, the longest waiting first; fewer tickets if some have many events. */
export async function ticketsToNotifyOf(db: Db, p: { due: Date; limit: number }): Promise<number[]> {
  const events = await oldestUnnotified(db, p)
  return [...new Set(events.map(({ ticket_id }) => ticket_id))]
}

// Walks the index, so that it reads only the events of this batch, however many are due.
const oldestUnnotified = prepared((db, p: { due: Date; limit: number }) =>
  db
    .selectFrom('events')
    .where('told_at', 'is', null)
    .where(waitsSince, '<=', p.due)
    .select(({ ref }) => ref('ticket_id').$notNull().as('ticket_id'))
    .orderBy(waitsSince)
    .orderBy('id')
    .limit(p.limit)
)

const minPostponeSeconds = 30
const maxPostponeSeconds = 3_600

/** Postpones the events of this ticket for about as long as they have waited already. */
export async function postpone(db: Db, ticket: number, { due, now }: { due: Date; now: Date }): Promise<void> {
  await postponeUntil(db, { ticket, due, now })
}

const postponeUntil = prepared((db, p: { ticket: number; due: Date; now: Date }) =>
  db
    .updateTable('events')
    .where('ticket_id', '=', p.ticket)
    .where('told_at', 'is', null)
    .set({
      postponed_to: sql<Date>`${p.due}::timestamptz + greatest(make_interval(secs => ${sql.lit(minPostponeSeconds)}),
        least(make_interval(secs => ${sql.lit(maxPostponeSeconds)}), ${p.now}::timestamptz - created_at))`
    })
)

/**
 * A ticket and its client, whose row is locked until the transaction ends: e-mails about one client's tickets are made one after the other, and
 * none for somebody who is erased meanwhile.
 */
export const lockedTicketOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .select(['tickets.id', 'tickets.ticket_number', 'tickets.thread_id', 'tickets.subject', 'tickets.status'])
    .select(['tickets.department_id', 'tickets.assigned_staff_id', 'tickets.trashed_at'])
    .select(['clients.id as client_id', 'clients.email', 'clients.is_active', 'clients.is_email_verified'])
    .select('clients.ticket_emails')
    .forNoKeyUpdate('clients')
)

export type NotifiedTicket = Awaited<ReturnType<typeof lockedTicketOf>>[0]

/**
 * The events of a ticket that nobody has been notified of, in order; they are marked as notified. Events that another process is handling are
 * skipped.
 */
export async function claimEvents(db: Db, ticket: number, now: Date) {
  const events = await unnotifiedEvents(db, { ticket })
  if (events.length > 0) await markNotified(db, { ids: events.map(({ id }) => id), now })
  return events
}

export type PendingEvent = Awaited<ReturnType<typeof claimEvents>>[0]

const unnotifiedEvents = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('events as event')
    .leftJoin('ticket_messages as message', join =>
      join.on('message.id', '=', ({ fn }) => fn.coalesce(idIn('message_id'), firstByStaff()))
    )
    .leftJoin('ticket_notes as note', join =>
      join.on('event.kind', '=', sql.lit('ticket.noted')).on('note.id', '=', idIn('note_id'))
    )
    .where('event.ticket_id', '=', p.ticket)
    .where('event.told_at', 'is', null)
    .select(['event.id', 'event.kind', 'event.actor_type', 'event.actor_id', 'event.actor_name', 'event.request_id'])
    .select([
      'message.id as message_id',
      'message.message',
      'message.sender_first_name',
      'message.sender_last_name',
      'note.note'
    ])
    .select([
      sql<string | null>`event.before->>'status'`.as('status_before'),
      sql<string | null>`event.after->>'status'`.as('status_after'),
      idIn('assigned_staff_id').as('assignee_after')
    ])
    .orderBy('event.id')
    .forUpdate('event')
    .skipLocked()
)

/** The message with which a member of staff opened the ticket. */
function firstByStaff() {
  return sql<number>`case when event.kind = 'ticket.created' and event.actor_type = 'staff'
    then (select min(first.id) from ticket_messages as first where first.ticket_id = event.ticket_id) end`
}

function idIn(fact: string) {
  return sql<number | null>`(event.after->>${sql.lit(fact)})::bigint`
}

const markNotified = prepared((db, p: { ids: readonly number[]; now: Date }) =>
  db.updateTable('events').set({ told_at: p.now }).where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
)

/** Marks all events of this ticket until now as notified, without notifying anybody. */
export async function skipEvents(db: Db, ticket: number, now: Date): Promise<void> {
  await passOver(db, { ticket, now })
}

const passOver = prepared((db, p: { ticket: number; now: Date }) =>
  db.updateTable('events').set({ told_at: p.now }).where('ticket_id', '=', p.ticket).where('told_at', 'is', null)
)

/** What the client is notified of; undefined for nothing. Clients are not notified of what they did themselves, except that it arrived. */
export function notificationForClient(
  ticket: NotifiedTicket,
  events: readonly PendingEvent[]
): ClientNotification | undefined {
  const opening = events.find(({ kind }) => kind === 'ticket.created')
  const messages = events.filter(({ actor_type }) => actor_type === 'staff').flatMap(quotedMessage)
  const closing = events.findLast(event => isClosing(event))
  // If the ticket was reopened meanwhile, the client is not told that it was closed.
  const isClosed = ticket.status === 'Closed' && closing !== undefined && closing.actor_type !== 'client'
  if (!opening && messages.length === 0 && !isClosed) return undefined
  const openedBy = opening && (opening.actor_type === 'client' ? 'client' : 'staff')
  return { openedBy, messages, isAnswered: messages.length > (openedBy === 'staff' ? 1 : 0), isClosed }
}

/** The message of an event. */
export function quotedMessage({ message, sender_first_name, sender_last_name }: PendingEvent): Quoted[] {
  return message === null ? [] : [{ by: `${sender_first_name} ${sender_last_name}`, text: message }]
}

/** Merging closes a ticket too, but its thread continues in the other ticket. */
function isClosing({ kind, status_before, status_after }: PendingEvent): boolean {
  const mayClose = kind === 'ticket.replied' || kind === 'ticket.status_changed'
  return mayClose && status_after === 'Closed' && status_before !== 'Closed'
}
