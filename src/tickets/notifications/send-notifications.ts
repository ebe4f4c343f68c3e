import type { DueWork } from '../../core/clock/due-work.ts'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import type { Thread } from '../../mail/outbox/content.ts'
import { clientTicketEmail, staffTicketEmail } from '../../mail/outbox/ticket-emails.ts'
import { type TicketSender, ticketSender } from '../../mail/support-addresses/ticket-address.ts'
import { clientEmailState, maxUnverifiedEmails, trustOf } from '../ticket/client-email.ts'
import { acknowledgementFor } from './acknowledgement-for.ts'
import { choicesFor, lastChoice, shownRecipients, signedEvents } from './chosen-recipients.ts'
import { notifyFollowers } from './notify-followers.ts'
import { notifyManagers } from './notify-managers.ts'
import {
  followMovedNotes,
  isAnswerTo,
  lockedTicketOf,
  type NotifiedTicket,
  nextNotificationAt,
  notificationForClient,
  type PendingEvent,
  postpone,
  takePendingEvents,
  ticketsToNotifyOf
} from './pending-events.ts'
import { notificationsForStaff } from './staff-notifications.ts'
import { areFilesBeingScanned, earlierMessages, filesOfMessages, referencesOf } from './ticket-mail.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

const batchSize = 100
/** After this many failures the cause is not a single ticket, and the rest waits for the next run. */
const maxFaults = 100
/** How long an answer waits for the virus scan of its files; after that it is sent without them and says where they are. */
const maxScanWaitSeconds = 300

/** The services needed to send notifications. */
export type Notifier = Pick<Services, 'config' | 'db' | 'clock' | 'realClock' | 'keys' | 'jobs'>

/**
 * Queues e-mails about what happened to tickets, once the oldest event of a ticket is NOTIFICATION_DELAY_SECONDS old: one per recipient, with
 * all that happened until now. Each event is handled once, even if several processes run this. A ticket whose e-mail cannot be made is postponed
 * alone. Returns how many events were handled. Throws `AggregateError` at the end if there were any.
 */
export async function sendNotifications(services: Notifier): Promise<number> {
  const { db, clock } = services
  const now = clock.now()
  const faults = new Map<number, unknown>()
  let handled = 0
  for (;;) {
    const found = await ticketsToNotifyOf(db, { now, limit: batchSize })
    let settled = 0
    for (const ticket of found) {
      try {
        settled += await notifyOf(services, ticket)
      } catch (error) {
        faults.set(ticket, error)
        await postpone(db, ticket, now)
        settled++
      }
    }
    handled += settled
    if (settled === 0 || faults.size >= maxFaults) break
  }
  if (faults.size > 0) {
    throw new AggregateError(faults.values(), `No e-mails could be made about the tickets ${[...faults.keys()]}`)
  }
  return handled
}

/** The notifications that fall due, for a clock that is moved. */
export function dueNotifications(services: Notifier): DueWork {
  return {
    name: 'notifications',
    nextDueAt: () => nextNotificationAt(services.db),
    runDue: () => sendNotifications(services)
  }
}

/** Returns the number of events. */
async function notifyOf(services: Notifier, ticketId: number): Promise<number> {
  return await transaction(services.db, async db => {
    const [ticket] = await lockedTicketOf(db, { ticket: ticketId })
    const now = services.clock.now()
    if (ticket && (await areFilesBeingScanned(db, ticketId, secondsAfter(now, -maxScanWaitSeconds)))) {
      await postpone(db, ticketId, now)
      return 1
    }
    if (!ticket) return 0
    const gone = await followMovedNotes(db, { ticket: ticketId })
    const taken = await takePendingEvents(db, { ticket: ticketId })
    const settled = gone.length + taken.length
    // For readers, a ticket in the trash does not exist.
    if (taken.length === 0 || ticket.trashed_at) return settled

    const chosen = await choicesFor(db, taken)
    const last = lastChoice(chosen, taken)
    const sender = await ticketSender({ ...services, db }, ticket, last?.from ?? null)
    const events = await signedEvents(db, taken, chosen, sender?.from.address)
    const forClient = events.filter(({ message_id }) => chosen.get(message_id ?? 0)?.client !== false)
    const about = { ticketId, messageIds: forClient.flatMap(({ message_id }) => message_id ?? []) }
    await notifyClient(services, db, ticket, forClient, { sender, about, shown: shownRecipients(ticket.email, last) })
    const copies = await notifyFollowers(services, db, ticket, events, { sender, chosen })
    await notifyManagers(services, db, ticket, events, copies)
    const requestId = events.at(-1)!.request_id ?? undefined
    const name = { number: ticket.ticket_number, subject: ticket.subject }
    for (const { id, email, notification } of await notificationsForStaff(db, ticket, events)) {
      const message = {
        kind: 'staff-ticket',
        channel: 'mail',
        recipient: email,
        reader: { population: 'staff', id },
        clientId: ticket.client_id,
        about
      } as const
      const marks = { thread: threadOf(ticket, false) }
      await addToOutbox(services, db, { ...message, requestId, email: staffTicketEmail(name, notification), marks })
    }
    return settled
  })
}

async function notifyClient(
  services: Notifier,
  db: Db,
  ticket: NotifiedTicket,
  events: readonly PendingEvent[],
  {
    sender,
    about,
    shown
  }: {
    sender: TicketSender | undefined
    about: { ticketId: number; messageIds: readonly number[] }
    shown: ReturnType<typeof shownRecipients>
  }
): Promise<void> {
  const { email, is_of_client: isOfClient, is_email_verified: isProven } = ticket
  const notification = notificationForClient(ticket, events)
  if (!notification) return
  const trust = isProven ? 'proven' : await trustOf(db, ticket)
  const state = clientEmailState(ticket, trust)
  const isToTellWords = notification.messages.length > 0 && (state === 'sent' || state === 'answers_only')
  if (!isToTellWords && state !== 'sent' && state !== 'notices_only') return
  if (!isProven && !isToTellWords && !(await mayWriteUnproven(db, ticket.client_id))) return

  const { config } = services
  const messageIds = isToTellWords ? events.flatMap(event => (isAnswerTo(ticket, event) ? event.message_id! : [])) : []
  const {
    email: told,
    isPersonal,
    files
  } = clientTicketEmail({ number: ticket.ticket_number, subject: ticket.subject }, notification, {
    trust,
    url: `${config.BASE_URL}/tickets/${ticket.ticket_number}`,
    isAnswerable: sender !== undefined,
    earlier: await earlierMessages(db, ticket, messageIds),
    files: messageIds.length > 0 ? await filesOfMessages(db, { messageIds }) : [],
    maxFileBytes: config.MAIL_ATTACH_MAX_BYTES
  })
  const isAcknowledgement = notification.openedBy === 'client' && !notification.isAnswered && !notification.isClosed
  const { hostname } = new URL(config.BASE_URL)
  const thread = threadOf(ticket, notification.openedBy !== undefined)
  const root = thread.opens ? undefined : `${thread.id}@${hostname}`
  await addToOutbox(services, db, {
    kind: 'client-ticket',
    channel: 'mail',
    recipient: email,
    clientId: ticket.client_id,
    requestId: events.at(-1)!.request_id ?? undefined,
    reader: { population: 'client', id: ticket.client_id },
    email: told,
    ...(isAcknowledgement ? { received: await acknowledgementFor(db, ticket.id) } : {}),
    about,
    marks: {
      ...sender,
      thread,
      references: await referencesOf(db, { ticket: ticket.id, recipient: email, hostname, root }),
      // A personal reply is not list mail.
      ...(isPersonal ? { isPersonal, files, ...shown } : {}),
      ...(isPersonal || !isOfClient
        ? {}
        : { unsubscribeUrl: unsubscribeUrl(services, { id: ticket.client_id, email }) })
    }
  })
}

async function mayWriteUnproven(db: Db, client: number): Promise<boolean> {
  return (await countUnproven(db, { client, most: maxUnverifiedEmails })).length > 0
}

const countUnproven = prepared((db, p: { client: number; most: number }) =>
  db
    .updateTable('clients')
    .set(eb => ({ unverified_emails_sent: eb('unverified_emails_sent', '+', 1) }))
    .where('id', '=', p.client)
    .where('unverified_emails_sent', '<', p.most)
    .returning('id')
)

/** The thread of a ticket's e-mails. */
export function threadOf(
  { ticket_number, thread_id }: Pick<NotifiedTicket, 'ticket_number' | 'thread_id'>,
  opens: boolean
): Thread {
  return { id: `ticket-${ticket_number.slice(4)}.${thread_id}`, opens }
}
