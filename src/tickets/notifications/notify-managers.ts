import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { followerTicketEmail } from '../../mail/outbox/ticket-emails.ts'
import { followingManagers } from './manager-follows.ts'
import { type Copy, lower } from './notify-followers.ts'
import { type NotifiedTicket, type PendingEvent, quotedMessage } from './pending-events.ts'
import { filesOfMessages } from './ticket-mail.ts'

/**
 * Queues staff replies for the managers of the organisation who follow the ticket and see it at this moment. They answer in the portal: an address
 * that takes their replies would outlive their role. Whoever has a copy of an answer gets it once.
 */
export async function notifyManagers(
  services: Pick<Services, 'config' | 'clock' | 'keys' | 'jobs'>,
  db: Db,
  ticket: NotifiedTicket,
  events: readonly PendingEvent[],
  copies: readonly Copy[]
): Promise<void> {
  const answers = events.filter(({ actor_type, message_id }) => actor_type === 'staff' && message_id !== null)
  if (answers.length === 0) return
  const managers = await followingManagers(db, ticket.id)
  if (managers.length === 0) return

  const { config } = services
  const all = await filesOfMessages(db, { messageIds: answers.flatMap(({ message_id }) => message_id ?? []) })
  const url = `${config.BASE_URL}/tickets/${ticket.ticket_number}`
  for (const { id, email: recipient } of managers) {
    const own = copies.filter(({ email }) => lower(email) === lower(recipient))
    const untold = answers.filter(answer => !own.some(copy => copy.answers.includes(answer)))
    if (untold.length === 0) continue
    const messageIds = untold.flatMap(({ message_id }) => message_id ?? [])
    const files = all.filter(({ message_id }) => messageIds.includes(message_id!))
    const told = followerTicketEmail(
      { number: ticket.ticket_number, subject: ticket.subject },
      untold.flatMap(quotedMessage),
      { isAnswerable: false, files, maxFileBytes: config.MAIL_ATTACH_MAX_BYTES, stopUrl: url, linkOf: () => url }
    )
    await addToOutbox(services, db, {
      kind: 'follower-ticket',
      channel: 'mail',
      recipient,
      clientId: ticket.client_id,
      requestId: untold.at(-1)!.request_id ?? undefined,
      reader: { population: 'client', id },
      email: told.email,
      about: { ticketId: ticket.id, messageIds },
      marks: {
        // Not the thread of the client or of a follower: whoever knows the Message-ID of an e-mail in it can write in the ticket.
        thread: { id: `manager-${id}.${ticket.ticket_number.slice(4)}`, opens: false },
        isPersonal: true,
        files: told.files
      }
    })
  }
}
