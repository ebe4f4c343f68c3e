import { type Db, prepared } from '../../core/db.ts'
import type { MailState } from '../../core/tables/mails.ts'

/** The result for a mail, as `deskline receive` prints it. */
export interface Receipt {
  outcome: Exclude<MailState, 'received'> | 'duplicate'
  ticket_id?: number
  ticket_number?: string
  /** Of the message in the thread. */
  message_id?: number
  /** The address of whoever wrote it. */
  sender?: string
  is_automatic: boolean
  /** Why it was held, dropped or refused, or why it is automatic, as a slug. */
  reason?: string
}

/** The result for a settled mail; undefined if it is not settled or does not exist. */
export async function receiptOf(db: Db, id: number): Promise<Receipt | undefined> {
  const [mail] = await settledMail(db, { id })
  if (!mail || mail.state === 'received') return undefined
  const { state, ticket_id, ticket_number, message_id, sender, is_automatic, reason } = mail
  return {
    outcome: state,
    ...(ticket_id === null ? {} : { ticket_id }),
    ...(ticket_number === null ? {} : { ticket_number }),
    ...(message_id === null ? {} : { message_id }),
    ...(sender === null ? {} : { sender }),
    is_automatic,
    ...(reason === null ? {} : { reason })
  }
}

const settledMail = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails as mail')
    .leftJoin('tickets', 'tickets.id', 'mail.ticket_id')
    .where('mail.id', '=', p.id)
    .select(['mail.state', 'mail.ticket_id', 'tickets.ticket_number', 'mail.message_id'])
    .select(['mail.sender', 'mail.is_automatic', 'mail.reason'])
)
