import { sql } from 'kysely'
import { act } from '../acts/act.ts'
import { type AuditActor, system } from '../audit/audit-actor.ts'
import { type Db, prepared } from '../db.ts'
import type { ReadMail } from '../platform/mail-reading/read-mail.ts'
import type { Services } from '../services.ts'
import { settingsOf } from '../settings/desk-settings.ts'
import type { InboundMailRow, MailState } from '../tables/mails.ts'
import { addMailedMessage } from '../threads/add-mailed-message.ts'
import { openTicket } from '../threads/open-ticket.ts'
import { defaultPriority } from '../tickets/schemas.ts'
import { departmentFor, recipientsOf } from './department-for.ts'
import { type FoundTicket, ticketOfMail } from './find-ticket.ts'
import { type MailedFile, type Omitted, withOmitted } from './mail-files.ts'
import { accountOfSender, nameOf, openForSender, type SenderAccount } from './sender-account.ts'
import { storeMessageEmail } from './store-message-email.ts'

/** What becomes of a mail, as it is written into its row. */
export interface Decided {
  state: Exclude<MailState, 'received'>
  reason?: string | null
  sender?: string | null
  senderName?: string | null
  subject?: string | null
  isAutomatic?: boolean
  clientId?: number | null
  ticketId?: number | null
  messageId?: number | null
}

/** A mail that was read, with its files in the store. */
export interface Decidable {
  mail: Pick<InboundMailRow, 'id' | 'envelope_recipient' | 'envelope_sender' | 'message_ref'>
  read: ReadMail
  files: MailedFile[]
  omitted: readonly Omitted[]
  /** The stored form of a password that nobody knows, for an account that may have to be opened. */
  password: string | undefined
}

/** Decides what becomes of a mail and does it, with the handle of `services`, which is the transaction that holds the mail. */
export async function decideMail(services: Services, given: Decidable): Promise<Decided> {
  const { db } = services
  const { read, mail } = given
  const { from } = read
  const about: Omit<Decided, 'state'> = {
    sender: from?.email ?? null,
    senderName: from?.name ?? null,
    subject: read.subject,
    isAutomatic: read.automatic !== undefined
  }
  if (!from) return { ...about, state: 'held', reason: 'no_sender' }

  const account = await accountOfSender(db, from.email)
  if (account && !account.isActive) return { ...about, state: 'held', reason: 'client_inactive', clientId: account.id }

  const { ticket, named } = await ticketOfMail(services, {
    recipients: recipientsOf(mail, read),
    references: [...read.inReplyTo, ...read.references.toReversed()],
    subject: read.subject,
    sender: from.email
  })
  const reply = ticket && (await answer(services, given, ticket, account))
  if (reply) return { ...about, ...reply }
  return { ...about, ...(await open(services, given, account, named)) }
}

/** Undefined where the ticket has gone meanwhile. */
async function answer(
  services: Services,
  { mail, read, files, omitted }: Decidable,
  ticket: FoundTicket,
  account: SenderAccount | undefined
): Promise<Decided | undefined> {
  const name = nameOf(read.from!)
  const author = account ?? { firstName: name.first, lastName: name.last }
  // What another person writes belongs to the ticket, and stays when that person's account goes.
  const ownerId = account?.id === ticket.client_id ? account.id : null
  const by: AuditActor = {
    type: 'client',
    id: ownerId,
    name: `${author.firstName} ${author.lastName}`,
    ip: null,
    requestId: requestIdOf(mail.id)
  }
  const { reply } = await addMailedMessage(
    services,
    by,
    { clientId: ownerId, firstName: author.firstName, lastName: author.lastName },
    {
      ticketId: ticket.id,
      message: withOmitted(read.text, omitted),
      files,
      reopens: read.automatic === undefined
    }
  )
  if (!reply) return undefined
  await storeMessageEmail(services.db, {
    mail,
    read,
    files,
    omitted,
    messageId: reply.message_id,
    linkedTicketId: null
  })
  if (read.automatic) await leaveUntold(services, ticket.id, mail.id)
  return { state: 'reply', clientId: ownerId, ticketId: reply.ticket_id, messageId: reply.message_id }
}

async function open(
  services: Services,
  { mail, read, files, omitted, password }: Decidable,
  known: SenderAccount | undefined,
  named: FoundTicket | undefined
): Promise<Decided> {
  const { db } = services
  const { settings } = await settingsOf(db)
  const isAutomatic = read.automatic !== undefined
  if (!known && settings.mail_unknown_senders !== 'create') return { state: 'held', reason: 'unknown_sender' }

  const requestId = requestIdOf(mail.id)
  const account =
    known ??
    (await act(services, system, act =>
      openForSender(services, act, read.from!, { password: password!, isInvited: !isAutomatic, requestId })
    ))
  const opened = await openTicket(
    services,
    account,
    { ip: null, requestId },
    {
      deptid: await departmentFor(db, settings.mail_addresses, recipientsOf(mail, read)),
      subject: read.subject || '(no subject)',
      priority: defaultPriority,
      message: withOmitted(read.text, omitted),
      files
    }
  )
  const { ticket_id: ticketId, message_id: messageId } = opened
  await storeMessageEmail(db, { mail, read, files, omitted, messageId, linkedTicketId: named?.id ?? null })
  if (isAutomatic) await leaveUntold(services, ticketId, mail.id)
  return { state: 'ticket', clientId: account.id, ticketId, messageId }
}

/** By which the events of a mail are known. */
function requestIdOf(mailId: number): string {
  return `mail-${mailId}`
}

/** Nobody is written to about what a mail has done. */
async function leaveUntold({ db, clock }: Services, ticket: number, mailId: number): Promise<void> {
  await passOver(db, { ticket, requestId: requestIdOf(mailId), now: clock.now() })
}

const passOver = prepared((db: Db, p: { ticket: number; requestId: string; now: Date }) =>
  db
    .updateTable('events')
    .where('ticket_id', '=', p.ticket)
    .where('request_id', '=', p.requestId)
    .where('told_at', 'is', null)
    .set({ told_at: sql<Date>`${p.now}::timestamptz` })
)
