import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { followerTicketEmail, ticketCopyEmail } from '../../mail/outbox/ticket-emails.ts'
import { followerSender, type TicketSender } from '../../mail/support-addresses/ticket-address.ts'
import { followerFileLink } from '../followers/file-links.ts'
import { type Follower, followersOf } from '../followers/followers.ts'
import { type Chosen, isAnswer, shownRecipients } from './chosen-recipients.ts'
import { type NotifiedTicket, type PendingEvent, quotedMessage } from './pending-events.ts'
import { filesOfMessages, referencesOf } from './ticket-mail.ts'
import { followerUnsubscribeUrl } from './unsubscribe-follower.ts'

type FollowerServices = Pick<Services, 'config' | 'clock' | 'realClock' | 'keys' | 'jobs'>

/**
 * Queues staff replies for those in copy: whom their writers have chosen, or else the followers of the ticket, each with a Reply-To address of their
 * own. Followers hear of nothing else, nor of what was written before they followed; who does not follow has no address that takes their answers.
 * Returns the copies.
 */
export async function notifyFollowers(
  services: FollowerServices,
  db: Db,
  ticket: NotifiedTicket,
  events: readonly PendingEvent[],
  { sender, chosen }: { sender: TicketSender | undefined; chosen: Chosen }
): Promise<Copy[]> {
  const answers = events.filter(isAnswer)
  if (answers.length === 0) return []
  const copies = copiesOf(answers, chosen, await followersOf(db, ticket.id), ticket.email)
  if (copies.length === 0) return []

  const messageIds = answers.flatMap(({ message_id }) => message_id ?? [])
  const files = await filesOfMessages(db, { messageIds })
  const { hostname } = new URL(services.config.BASE_URL)
  for (const { email: recipient, follower, answers, choice } of copies) {
    const told = emailFor(services, ticket, answers, { follower, sender, files })
    await addToOutbox(services, db, {
      kind: 'follower-ticket',
      channel: 'mail',
      recipient,
      clientId: ticket.client_id,
      requestId: answers.at(-1)!.request_id ?? undefined,
      // They have no account, or one that is unrelated to the ticket.
      reader: undefined,
      email: told.email,
      about: { ticketId: ticket.id, messageIds: idsOf(answers) },
      marks: {
        ...(sender && follower ? followerSender(services.keys, sender, follower.id) : {}),
        ...(sender && !follower ? { from: sender.from, replyTo: sender.from.address } : {}),
        // Not the Message-ID of the client's first e-mail, which others must not know: whoever knows it can write in the ticket.
        thread: { id: `${threadName(follower, answers)}.${ticket.ticket_number.slice(4)}`, opens: false },
        references: await referencesOf(db, { ticket: ticket.id, recipient, hostname }),
        ...shownRecipients(ticket.email, choice),
        isPersonal: true,
        files: told.files
      }
    })
  }
  return copies
}

/** An e-mail to one address with the answers of which it gets a copy. */
export interface Copy {
  email: string
  follower: Follower | undefined
  answers: PendingEvent[]
  /** What was chosen for the last of them. */
  choice: Recipients | undefined
}

/** One copy for each address; the client has an e-mail of their own. */
function copiesOf(
  answers: readonly PendingEvent[],
  chosen: Chosen,
  followers: readonly Follower[],
  client: string
): Copy[] {
  const known = new Map(followers.map(follower => [lower(follower.email), follower]))
  const copies = new Map<string, Copy>()
  for (const answer of answers) {
    const choice = chosen.get(answer.message_id!)
    const inCopy = choice?.cc ?? followers.map(({ email }) => email)
    for (const email of [...(choice?.to ?? []), ...inCopy, ...(choice?.bcc ?? [])]) {
      if (lower(email) === lower(client)) continue
      // Who gets a blind copy once has no address that takes their answers, even if they follow.
      const isBlind = choice?.bcc.some(blind => lower(blind) === lower(email)) === true
      const key = `${isBlind} ${lower(email)}`
      const copy = copies.get(key) ?? {
        email,
        follower: isBlind ? undefined : known.get(lower(email)),
        answers: [],
        choice
      }
      if (copy.answers.at(-1) !== answer) copy.answers.push(answer)
      copies.set(key, { ...copy, choice })
    }
  }
  return [...copies.values()]
}

function emailFor(
  services: FollowerServices,
  { ticket_number: number, subject }: NotifiedTicket,
  answers: readonly PendingEvent[],
  {
    follower,
    sender,
    files: all
  }: {
    follower: Follower | undefined
    sender: TicketSender | undefined
    files: Awaited<ReturnType<typeof filesOfMessages>>
  }
) {
  const maxFileBytes = services.config.MAIL_ATTACH_MAX_BYTES
  const ids = idsOf(answers)
  const files = all.filter(({ message_id }) => ids.includes(message_id!))
  const messages = answers.flatMap(quotedMessage)
  if (!follower) return ticketCopyEmail({ number, subject }, messages, { files, maxFileBytes })
  return followerTicketEmail({ number, subject }, messages, {
    isAnswerable: sender !== undefined,
    files,
    maxFileBytes,
    stopUrl: followerUnsubscribeUrl(services, follower.id),
    linkOf: fileId => followerFileLink(services, follower.id, files.find(file => file.id === fileId)!.path)
  })
}

function idsOf(answers: readonly PendingEvent[]): number[] {
  return answers.flatMap(({ message_id }) => message_id ?? [])
}

function threadName(follower: Follower | undefined, answers: readonly PendingEvent[]): string {
  return follower ? `follower-${follower.id}` : `copy-${answers[0]!.message_id}`
}

export function lower(address: string): string {
  return address.toLowerCase()
}
