import { type Db, prepared } from '../../core/db.ts'
import { linkAbout, logStep } from '../log/log-outgoing.ts'
import { addToOutbox, type Sender } from './add-to-outbox.ts'
import type { EmailContent } from './compose-email.ts'
import { type EmailHeaders, openedContent } from './content.ts'

/**
 * Queues an e-mail once more, as a new one with a Message-ID of its own, and notes it in the log of both. `to`: it goes to this address in place of its
 * recipient's. Undefined if its content is not kept, or if it has not left yet. Returns the id of the new row in the log.
 */
export async function sendAgain(
  services: Sender,
  db: Db,
  { messageId, logId, staffId, to }: { messageId: number; logId: number; staffId: number; to?: string | undefined }
): Promise<number | undefined> {
  const [message] = await settledMessage(db, { messageId })
  if (!message?.sealed_content) return undefined
  const { nonce: _, thread, ...stored } = openedContent(services.keys, message.sealed_content)
  const { recipient: former, ticket_id: ticketId, message_ids: messageIds, side_message_id: sideMessageId } = message
  const { side_ticket_id: sideTicketId } = message
  const recipient = to ?? former
  const content = withRecipient(stored, former, recipient)
  const about =
    ticketId !== null
      ? { ticketId, messageIds: messageIds ?? [] }
      : sideMessageId !== null && sideTicketId !== null
        ? { ticketId: sideTicketId, sideMessageId }
        : undefined
  const { logId: newId } = await addToOutbox(services, db, {
    channel: 'mail',
    kind: message.kind,
    recipient,
    ...(message.client_id === null ? {} : { clientId: message.client_id }),
    ...(about ? { about } : {}),
    // The Message-ID of the first e-mail of a thread is that of the thread: this one answers it.
    marks: { ...content, ...(thread ? { thread: { ...thread, opens: false } } : {}) },
    content: content as EmailHeaders & EmailContent
  })
  await logStep(db, logId, { step: 'sent_again_as', log_id: newId!, staff_id: staffId }, services.clock.now())
  await logStep(db, newId!, { step: 'sent_again', log_id: logId, staff_id: staffId }, services.clock.now())
  await linkAbout(db, newId!, logId)
  return newId!
}

/** An e-mail for another address: that is named where the former was, and one click there does not end the e-mails of the former. */
function withRecipient(email: EmailHeaders, former: string, recipient: string): EmailHeaders {
  if (former === recipient) return email
  const named = (addresses: readonly string[]) =>
    addresses.map(address => (address.toLowerCase() === former.toLowerCase() ? recipient : address))
  const { shownTo, shownCc, unsubscribeUrl: _, ...rest } = email
  return { ...rest, ...(shownTo ? { shownTo: named(shownTo) } : {}), ...(shownCc ? { shownCc: named(shownCc) } : {}) }
}

const settledMessage = prepared((db, p: { messageId: number }) =>
  db
    .selectFrom('outbox_messages as message')
    .leftJoin('sent_emails as sent', 'sent.outbox_message_id', 'message.id')
    .leftJoin('side_messages as side', 'side.id', 'sent.side_message_id')
    .leftJoin('side_conversations as conversation', 'conversation.id', 'side.conversation_id')
    .where('message.id', '=', p.messageId)
    .where('message.state', '<>', 'queued')
    .select(['message.kind', 'message.recipient', 'message.client_id', 'message.sealed_content'])
    .select(['sent.ticket_id', 'sent.message_ids', 'sent.side_message_id', 'conversation.ticket_id as side_ticket_id'])
)

/** Whether an e-mail can be sent again: its content is kept, and it is not queued. */
export async function canSendAgain(db: Db, messageId: number): Promise<boolean> {
  return Boolean((await settledMessage(db, { messageId }))[0]?.sealed_content)
}
