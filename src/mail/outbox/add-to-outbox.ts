import { randomBytes } from 'node:crypto'
import { isServiceAddress } from '../../core/api-tokens/service-address.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { TextsByLanguage } from '../../core/tables/mails.ts'
import type { Email } from '../../core/wording/email-templates.ts'
import { mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { logOutgoing } from '../log/log-outgoing.ts'
import { brandedEmail } from './branded-email.ts'
import type { EmailContent, TextContent } from './compose-email.ts'
import { carriesNoSecret, type EmailHeaders, redactedResponse, refOf, sealedContent } from './content.ts'
import { localizedEmail, type Reader } from './localized-email.ts'

/** An e-mail to one e-mail address or a text to one phone number. */
type OutgoingMessage = {
  /** The kind, such as `reset-link`, for logs and for operators. */
  kind: string
  recipient: string
  /** The client whom it concerns, whoever receives it: erasing the client deletes it. */
  clientId?: number
  requestId?: string
} & (
  | ({ channel: 'mail'; marks?: EmailHeaders; about?: AboutTicket } & (
      | TemplatedEmail
      | { content: EmailContent & { logo?: string } }
    ))
  | { channel: 'text'; content: TextContent }
)

/** An e-mail whose text depends on its reader. */
interface TemplatedEmail {
  email: Email
  reader: Reader
  /** What stands in place of the part that says that a message was received, in each language. */
  received?: TextsByLanguage
}

/**
 * The ticket and the messages that an e-mail is about, or the message of a side conversation: of such an e-mail only the log knows the ticket, so that no
 * answer to it gets into the thread.
 */
type AboutTicket = { ticketId: number; messageIds: readonly number[] } | { ticketId: number; sideMessageId: number }

/** The services needed to queue an e-mail or a text. */
export type Sender = Pick<Services, 'config' | 'keys' | 'jobs' | 'clock'>

/** Queues an e-mail or text with `db`: it goes out if and only if the caller's transaction commits. Returns the row of an e-mail in the mail log. */
export async function addToOutbox(services: Sender, db: Db, post: OutgoingMessage): Promise<{ logId: number | null }> {
  const { config, keys, jobs, clock } = services
  const { kind, recipient, clientId, requestId, channel } = post
  // A program reads no e-mails.
  if (isServiceAddress(recipient)) return { logId: null }
  const { marks, about } = channel === 'mail' ? post : {}
  const content = 'content' in post ? post.content : await contentOf(services, db, post)
  const nonce = randomBytes(9).toString('base64url')
  const [email] = await insertMessage(db, {
    channel,
    kind,
    recipient,
    client_id: clientId ?? null,
    sealed_content: sealedContent(keys, { ...content, ...marks, nonce }),
    request_id: requestId ?? null,
    created_at: clock.now()
  })
  let logId: number | null = null
  if (channel === 'mail') {
    const ref = refOf({ ...marks, nonce }, email!.id)
    const isSecret = !carriesNoSecret(kind)
    const { subject, text, html } = content as EmailContent
    logId = await logOutgoing(
      db,
      {
        messageId: email!.id,
        kind,
        sender: marks?.from?.address ?? mailboxesIn(config.MAIL_FROM)[0]?.email ?? config.MAIL_FROM,
        recipient,
        // An admin may have written the code into the subject of its template.
        subject: isSecret ? redactedResponse(subject, content) : subject,
        messageRef: `${ref}@${new URL(config.BASE_URL).hostname}`,
        sizeBytes: Buffer.byteLength(text) + Buffer.byteLength(html),
        clientId: clientId ?? null,
        ticketId: about?.ticketId ?? null,
        isSecret
      },
      clock.now()
    )
    await insertSent(db, {
      ref,
      message: email!.id,
      kind,
      recipient,
      client: clientId ?? null,
      ticket: about && 'messageIds' in about ? about.ticketId : null,
      messages: about && 'messageIds' in about ? about.messageIds : [],
      sideMessage: about && 'sideMessageId' in about ? about.sideMessageId : null,
      now: clock.now()
    })
  }
  await jobs.send(db, 'deliver-message', { messageId: email!.id })
  return { logId }
}

/** In the reader's language. */
async function contentOf({ config }: Sender, db: Db, { email, reader, received }: TemplatedEmail) {
  const { filled, language } = await localizedEmail(db, reader, email, config.BASE_URL, received)
  return await brandedEmail(db, filled, language)
}

interface NewMessage {
  channel: 'mail' | 'text'
  kind: string
  recipient: string
  client_id: number | null
  sealed_content: string
  request_id: string | null
  created_at: Date
}

const insertMessage = prepared((db, p: NewMessage) =>
  db
    .insertInto('outbox_messages')
    .values({
      channel: p.channel,
      kind: p.kind,
      recipient: p.recipient,
      client_id: p.client_id,
      sealed_content: p.sealed_content,
      request_id: p.request_id,
      created_at: p.created_at
    })
    .returning('id')
)

interface Sent {
  ref: string
  message: number
  kind: string
  recipient: string
  client: number | null
  ticket: number | null
  messages: readonly number[]
  sideMessage: number | null
  now: Date
}

/** Replies and bounces are matched to the e-mail by this row. */
const insertSent = prepared((db, p: Sent) =>
  db
    .insertInto('sent_emails')
    .values({
      ref: p.ref,
      outbox_message_id: p.message,
      kind: p.kind,
      recipient: p.recipient,
      client_id: p.client,
      ticket_id: p.ticket,
      message_ids: p.messages,
      side_message_id: p.sideMessage,
      created_at: p.now
    })
    .onConflict(conflict => conflict.column('ref').doNothing())
)
