import { type Db, prepared } from '../../core/db.ts'
import { linkAbout, logStep } from '../log/log-outgoing.ts'
import { addToOutbox, type Sender } from './add-to-outbox.ts'
import type { EmailContent } from './compose-email.ts'
import { openedContent } from './content.ts'

/**
 * Queues an e-mail once more, as a new one with a Message-ID of its own, and notes it in the log of both. Undefined if its content is not kept, or if it
 * has not left yet. Returns the id of the new row in the log.
 */
export async function sendAgain(
  services: Sender,
  db: Db,
  { messageId, logId, staffId }: { messageId: number; logId: number; staffId: number }
): Promise<number | undefined> {
  const [message] = await settledMessage(db, { messageId })
  if (!message?.sealed_content) return undefined
  const { nonce: _, thread, ...content } = openedContent(services.keys, message.sealed_content)
  const { ticket_id: ticketId, message_ids: messageIds } = message
  const { logId: newId } = await addToOutbox(services, db, {
    channel: 'mail',
    kind: message.kind,
    recipient: message.recipient,
    ...(message.client_id === null ? {} : { clientId: message.client_id }),
    ...(ticketId === null ? {} : { about: { ticketId, messageIds: messageIds ?? [] } }),
    // The Message-ID of the first e-mail of a thread is that of the thread: this one answers it.
    marks: { ...content, ...(thread ? { thread: { ...thread, opens: false } } : {}) },
    content: content as EmailContent
  })
  await logStep(db, logId, { step: 'sent_again_as', log_id: newId!, staff_id: staffId }, services.clock.now())
  await logStep(db, newId!, { step: 'sent_again', log_id: logId, staff_id: staffId }, services.clock.now())
  await linkAbout(db, newId!, logId)
  return newId!
}

const settledMessage = prepared((db, p: { messageId: number }) =>
  db
    .selectFrom('outbox_messages as message')
    .leftJoin('sent_emails as sent', 'sent.outbox_message_id', 'message.id')
    .where('message.id', '=', p.messageId)
    .where('message.state', '<>', 'queued')
    .select(['message.kind', 'message.recipient', 'message.client_id', 'message.sealed_content'])
    .select(['sent.ticket_id', 'sent.message_ids'])
)

/** Whether an e-mail can be sent again: its content is kept, and it is not queued. */
export async function canSendAgain(db: Db, messageId: number): Promise<boolean> {
  return Boolean((await settledMessage(db, { messageId }))[0]?.sealed_content)
}
