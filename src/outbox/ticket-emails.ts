import { sizeInWords } from '../lib/size.ts'
import type { EarlierMessage, Email, Quoted } from '../wording/email-templates.ts'
import type { SentFile } from './content.ts'

// An e-mail about a ticket may repeat what somebody wrote, under two rules. Clients are told what staff and others wrote in their thread
// only at an address that they have proved to be theirs, or from which they have written in it: to any other, which may belong to a
// stranger, go fixed words alone, and so they do where no member of staff has written. Notes never leave the desk, not even in e-mails
// to staff.

export interface FileOfMessage {
  id: number
  name: string
  sizeBytes: number
  scanState: 'pending' | 'clean' | 'infected'
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

/** What there is to an e-mail to a client beside the news. */
export interface ClientReader {
  /** `proven`: the address has been verified. `writing`: somebody has written in this ticket from it. */
  trust: 'proven' | 'writing' | 'none'
  /** Where the ticket is in the portal. */
  url: string
  /** Whether an answer to the e-mail comes to the ticket. */
  isAnswerable: boolean
  /** What was written before, the newest first. */
  earlier: readonly EarlierMessage[]
  files: readonly FileOfMessage[]
  /** Files that are larger together do not go with the e-mail. */
  maxFileBytes: number
}

/** An e-mail to a client; `isPersonal`: it is what a member of staff wrote to them. */
export interface ClientTicketEmail {
  email: Email
  isPersonal: boolean
  files: SentFile[]
}

/** The e-mail to a client. */
export function clientTicketEmail(
  { number, subject }: TicketNamed,
  { openedBy, messages, isAnswered, isClosed }: ClientNotification,
  reader: ClientReader
): ClientTicketEmail {
  const { trust, url, isAnswerable } = reader
  const isPersonal = trust !== 'none' && messages.length > 0
  const isReply = messages.length > 0 && openedBy === undefined
  const values = {
    'ticket.number': number,
    'ticket.link': url,
    received: openedBy === 'client',
    opened: openedBy === 'staff',
    answered: isAnswered,
    closed: isClosed,
    reply: isReply,
    answerable: isAnswerable,
    unproven: trust === 'none'
  }
  if (!isPersonal && trust !== 'proven') {
    return { email: { template: 'client-ticket-unverified', values }, isPersonal, files: [] }
  }
  const { answer, files } = answerOf(messages, reader)
  const named = isReply ? withoutReply(subject) : subject
  return {
    email: {
      template: 'client-ticket',
      values: { ...values, 'ticket.subject': named, messages: answer, thread: reader.earlier }
    },
    isPersonal,
    files
  }
}

/** What staff have written, and which of its files go with it. */
function answerOf(
  messages: readonly Quoted[],
  reader: Pick<ClientReader, 'files' | 'maxFileBytes'> & ({ url: string } | Pick<FollowerReader, 'linkOf'>)
) {
  const { attached, elsewhere, refused } = sortedFiles(reader)
  const linkOf = (id: number) => ('linkOf' in reader ? reader.linkOf(id) : undefined)
  const itemOf = (file: FileOfMessage) => {
    const [label, link] = [labelOf(file), linkOf(file.id)]
    return link === undefined ? label : { label, link }
  }
  const answer = {
    messages,
    filesElsewhere: elsewhere.map(itemOf),
    filesRefused: refused.map(({ name }) => name),
    hasFiles: attached.length > 0,
    link: 'url' in reader ? reader.url : undefined
  }
  return {
    answer,
    files: attached.map(file => {
      const link = linkOf(file.id)
      return { id: file.id, label: labelOf(file), ...(link === undefined ? {} : { link }) }
    })
  }
}

function withoutReply(subject: string): string {
  return subject.replace(/^(\s*re\s?:\s?)+/i, '')
}

/** Which files go with the e-mail, which are in the ticket alone, and which nobody gets. */
function sortedFiles({ files, maxFileBytes }: Pick<ClientReader, 'files' | 'maxFileBytes'>) {
  const [attached, elsewhere, refused]: FileOfMessage[][] = [[], [], []]
  let bytes = 0
  for (const file of files) {
    if (file.scanState === 'infected') refused!.push(file)
    else if (file.scanState === 'clean' && bytes + file.sizeBytes <= maxFileBytes) {
      attached!.push(file)
      bytes += file.sizeBytes
    } else elsewhere!.push(file)
  }
  return { attached: attached!, elsewhere: elsewhere!, refused: refused! }
}

function labelOf({ name, sizeBytes }: FileOfMessage): string {
  return `${name} (${sizeInWords(sizeBytes)})`
}

/** What there is to an e-mail to somebody who follows a ticket: they cannot log in to see it. */
interface FollowerReader extends Pick<ClientReader, 'isAnswerable' | 'files' | 'maxFileBytes'> {
  /** At which address they end these e-mails. */
  stopUrl: string
  /** At which address they fetch a file. */
  linkOf(fileId: number): string
}

/** The e-mail to somebody who follows a ticket: what staff have answered, with its files, and nothing else of it. */
export function followerTicketEmail(
  { number, subject }: TicketNamed,
  messages: readonly Quoted[],
  reader: FollowerReader
): Pick<ClientTicketEmail, 'email' | 'files'> {
  const { answer, files } = answerOf(messages, reader)
  const values = {
    'ticket.number': number,
    'ticket.subject': withoutReply(subject),
    'stop.link': reader.stopUrl,
    messages: answer,
    answerable: reader.isAnswerable
  }
  return { email: { template: 'follower-ticket', values }, files }
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
