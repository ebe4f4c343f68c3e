import type { Email, Quoted } from '../wording/email-templates.ts'

// An e-mail about a ticket may repeat what somebody wrote, under two rules. Clients are told the words of staff and their own
// subject, nobody else's, and only at an address that they have proved to be theirs: to any other, which may belong to a
// stranger, go fixed words alone. Notes never leave the desk, not even in e-mails to staff.

interface TicketNamed {
  /** TIC-482910 */
  number: string
  subject: string
}

/** What an e-mail tells a client of one ticket. */
export interface ClientNotification {
  /** Who opened the ticket, where the reader does not know it yet. */
  openedBy: 'client' | 'staff' | undefined
  /** What staff wrote to the client. */
  messages: readonly Quoted[]
  /** Whether there is more among them than what staff opened the ticket with. */
  isAnswered: boolean
  isClosed: boolean
}

/** What an e-mail tells a member of staff of one ticket. */
export interface StaffNotification {
  /** Who assigned it to the reader. */
  assignedBy: string | undefined
  /** Who mentioned the reader in a note. */
  mentionedBy: readonly string[]
  customerReplies: readonly Quoted[]
}

/** The e-mail to a client. `isProven`: the address has been verified. */
export function clientTicketEmail(
  { number, subject }: TicketNamed,
  { openedBy, messages, isAnswered, isClosed }: ClientNotification,
  isProven: boolean
): Email {
  const values = {
    'ticket.number': number,
    received: openedBy === 'client',
    opened: openedBy === 'staff',
    answered: isAnswered,
    closed: isClosed
  }
  if (!isProven) return { template: 'client-ticket-unverified', values }
  return { template: 'client-ticket', values: { ...values, 'ticket.subject': subject, messages } }
}

/** The e-mail to a member of staff. */
export function staffTicketEmail(
  { number, subject }: TicketNamed,
  { assignedBy, mentionedBy, customerReplies }: StaffNotification
): Email {
  return {
    template: 'staff-ticket',
    values: {
      'ticket.number': number,
      'ticket.subject': subject,
      'assigned.by': assignedBy ?? '',
      'mentioned.by': mentionedBy.join(', '),
      messages: customerReplies,
      assigned: assignedBy !== undefined,
      mentioned: mentionedBy.length > 0,
      replied: customerReplies.length > 0
    }
  }
}
