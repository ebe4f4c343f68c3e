import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { followerTicketEmail } from '../../mail/outbox/ticket-emails.ts'
import { followerSender, type TicketSender } from '../../mail/support-addresses/ticket-address.ts'
import { followerFileLink } from '../followers/file-links.ts'
import { followersOf } from '../followers/followers.ts'
import { type NotifiedTicket, type PendingEvent, quotedMessage } from './pending-events.ts'
import { filesOfMessages, referencesOf } from './ticket-mail.ts'
import { followerUnsubscribeUrl } from './unsubscribe-follower.ts'

/**
 * Queues staff replies for the followers of a ticket, each with a Reply-To address of its own. Followers hear of nothing else, nor of what was
 * written before they followed.
 */
export async function notifyFollowers(
  services: Pick<Services, 'config' | 'clock' | 'realClock' | 'keys' | 'jobs'>,
  db: Db,
  ticket: NotifiedTicket,
  events: readonly PendingEvent[],
  sender: TicketSender | undefined
): Promise<void> {
  const answers = events.filter(({ actor_type, message_id }) => actor_type === 'staff' && message_id !== null)
  if (answers.length === 0) return
  const followers = await followersOf(db, ticket.id)
  if (followers.length === 0) return

  const { keys, config } = services
  const messageIds = answers.flatMap(({ message_id }) => message_id ?? [])
  const files = await filesOfMessages(db, { messageIds })
  const { hostname } = new URL(config.BASE_URL)
  for (const { id, email: recipient } of followers) {
    const name = { number: ticket.ticket_number, subject: ticket.subject }
    const told = followerTicketEmail(name, answers.flatMap(quotedMessage), {
      isAnswerable: sender !== undefined,
      files,
      maxFileBytes: config.MAIL_ATTACH_MAX_BYTES,
      stopUrl: followerUnsubscribeUrl(services, id),
      linkOf: fileId => followerFileLink(services, id, files.find(file => file.id === fileId)!.path)
    })
    await addToOutbox(services, db, {
      kind: 'follower-ticket',
      channel: 'mail',
      recipient,
      clientId: ticket.client_id,
      requestId: answers.at(-1)!.request_id ?? undefined,
      // They have no account, or one that is unrelated to the ticket.
      reader: undefined,
      email: told.email,
      about: { ticketId: ticket.id, messageIds },
      marks: {
        ...(sender ? followerSender(keys, sender, id) : {}),
        // Not the Message-ID of the client's first e-mail, which followers must not know: whoever knows it can write in the ticket.
        thread: { id: `follower-${id}.${ticket.ticket_number.slice(4)}`, opens: false },
        references: await referencesOf(db, { ticket: ticket.id, recipient, hostname }),
        isPersonal: true,
        files: told.files
      }
    })
  }
}
