import { composeEmail, type EmailContent } from './account-emails.ts'

// An e-mail about a ticket may repeat what somebody wrote, under two rules. Clients are told the words of staff and their own
// subject, nobody else's, and only at an address that they have proved to be theirs: to any other, which may belong to a
// stranger, go fixed words alone. Notes never leave the desk, not even in e-mails to staff.

/** What somebody wrote in a ticket. */
export interface Quoted {
  by: string
  text: string
}

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

const quotedMessages = 10
const quotedCharacters = 5_000

/** The e-mail to a client. `isProven`: the address has been verified. */
export function clientTicketEmail(
  ticket: TicketNamed,
  notification: ClientNotification,
  isProven: boolean
): EmailContent {
  const { number } = ticket
  const paragraphs = [
    ...(notification.openedBy === 'client' ? [`We have received your message. Your ticket is ${number}.`] : []),
    ...(notification.openedBy === 'staff' ? [`Our support team has opened the ticket ${number} for you.`] : []),
    ...(isProven ? quotes(notification.messages) : []),
    ...(notification.isAnswered && !isProven ? [`There is an answer to your ticket ${number}.`] : []),
    ...(notification.isClosed ? [`Your ticket ${number} has been closed. A reply opens it again.`] : []),
    ...(isProven ? [] : ['Verify your e-mail address, and e-mails like this one tell you what was written.']),
    'You read the ticket and reply to it at the support desk, where you can also turn e-mails about tickets off.'
  ]
  return composeEmail(subjectOf(isProven ? ticket : { number, subject: 'Your support ticket' }), paragraphs)
}

/** The e-mail to a member of staff. */
export function staffTicketEmail(ticket: TicketNamed, notification: StaffNotification): EmailContent {
  const { number } = ticket
  return composeEmail(subjectOf(ticket), [
    ...(notification.assignedBy === undefined
      ? []
      : [`${notification.assignedBy} assigned the ticket ${number} to you.`]),
    ...notification.mentionedBy.map(name => `${name} mentioned you in a note on the ticket ${number}.`),
    ...quotes(notification.customerReplies),
    'You read and answer the ticket at the desk, where you can also say which of these e-mails you want.'
  ])
}

/** On one line. What this does not catch, the composing of the e-mail encodes. */
function subjectOf({ number, subject }: TicketNamed): string {
  return `[${number}] ${subject.replace(/[\s\p{Cc}]+/gu, ' ').trim()}`
}

function quotes(messages: readonly Quoted[]) {
  const earlier = messages.length - quotedMessages
  return [
    ...(earlier > 0 ? [`There were ${earlier} more before these.`] : []),
    ...messages.slice(-quotedMessages).flatMap(({ by, text }) => [`${by} wrote:`, { quote: shortened(text) }])
  ]
}

function shortened(given: string): string {
  const text = given.replace(/\r\n?/g, '\n').trim()
  const characters = [...text.slice(0, 2 * quotedCharacters + 1)]
  return characters.length > quotedCharacters ? `${characters.slice(0, quotedCharacters).join('')} […]` : text
}
