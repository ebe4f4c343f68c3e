import type { Email } from '../../core/wording/email-templates.ts'
import type { EarlierMessage, Quoted } from '../../core/wording/quoted.ts'
import { readableSize } from '../../lib/size.ts'
import type { SentFile } from './content.ts'
import { pictureTag } from './pictures.ts'

// An e-mail about a ticket may quote messages, under two rules. Clients get what staff and others wrote only at an address that they have
// verified, or from which they have written in the ticket: any other may belong to a stranger and gets fixed text only, and so do all while no
// member of staff has written. Notes are never sent, not even to staff.

export interface FileOfMessage {
  id: number
  name: string
  sizeBytes: number
  scanState: 'pending' | 'clean' | 'infected'
  /** Where a formatted message shows it as a picture. */
  path: string
}

interface TicketNamed {
  /** TIC-482910 */
  number: string
  subject: string
}

/** The news about one ticket in an e-mail to its client. */
export interface ClientNotification {
  /** Who opened the ticket, if the reader does not know it yet. */
  openedBy: 'client' | 'staff' | undefined
  /** The messages of staff. */
  messages: readonly Quoted[]
  /** Whether there is more than the message with which staff opened the ticket. */
  isAnswered: boolean
  isClosed: boolean
}

/** The news about one ticket in an e-mail to a member of staff. */
export interface StaffNotification {
  /** The reason why it was snoozed, if it is back: '' without one. */
  backFor: string | undefined
  /** When it is due soon, or was due: in the time of the desk. */
  dueSoon: string | undefined
  wasDue: string | undefined
  /** Who assigned it to the reader. */
  assignedBy: string | undefined
  /** Who mentioned the reader in a note. */
  mentionedBy: readonly string[]
  customerReplies: readonly Quoted[]
  /** What third parties have answered in side conversations. */
  partnerReplies: readonly Quoted[]
}

/** What an e-mail to a client contains besides the news. */
export interface ClientReader {
  /** `proven`: the address has been verified. `writing`: somebody has written in this ticket from it. */
  trust: 'proven' | 'writing' | 'none'
  /** The URL of the ticket in the portal. */
  url: string
  /** Whether replies to the e-mail arrive in the ticket. */
  isAnswerable: boolean
  /** Earlier messages, newest first. */
  earlier: readonly EarlierMessage[]
  files: readonly FileOfMessage[]
  /** Files that together are larger are not attached. */
  maxFileBytes: number
}

/** An e-mail to a client; `isPersonal`: a member of staff wrote it to them. */
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

/** The messages of staff for the e-mail, and the files to attach. */
export function answerOf(
  messages: readonly Quoted[],
  reader: Pick<ClientReader, 'files' | 'maxFileBytes'> & ({ url: string } | Partial<Pick<FollowerReader, 'linkOf'>>)
) {
  const { attached, elsewhere, refused } = sortedFiles(reader)
  const linkOf = (id: number) => ('linkOf' in reader ? reader.linkOf?.(id) : undefined)
  const itemOf = (file: FileOfMessage) => {
    const [label, link] = [labelOf(file), linkOf(file.id)]
    return link === undefined ? label : { label, link }
  }
  const answer = {
    messages: messages.map(message => withPictures(message, attached)),
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

/** The pictures of a formatted message are those that are attached: of all others the description remains. */
function withPictures(message: Quoted, attached: readonly FileOfMessage[]): Quoted {
  if (message.html === undefined) return message
  const ids = new Map(attached.map(({ path, id }) => [path, id]))
  return { ...message, html: message.html.replace(/<img src="([^"]*)"/g, (_, path) => pictureTag(ids.get(path))) }
}

function withoutReply(subject: string): string {
  return subject.replace(/^(\s*re\s?:\s?)+/i, '')
}

/** Sorts the files into those to attach, those that stay in the ticket, and infected ones. */
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
  return `${name} (${readableSize(sizeBytes)})`
}

/** What an e-mail to a follower contains: they cannot log in to see the ticket. */
interface FollowerReader extends Pick<ClientReader, 'isAnswerable' | 'files' | 'maxFileBytes'> {
  /** The URL that ends these e-mails. */
  stopUrl: string
  /** The URL that downloads a file; undefined for who may not. */
  linkOf(fileId: number): string | undefined
}

/** The e-mail to somebody who gets a copy of an answer and does not follow the ticket: files that are not attached stay where they are. */
export function ticketCopyEmail(
  { number, subject }: TicketNamed,
  messages: readonly Quoted[],
  reader: Pick<ClientReader, 'files' | 'maxFileBytes'>
): Pick<ClientTicketEmail, 'email' | 'files'> {
  const { answer, files } = answerOf(messages, { ...reader, linkOf: () => undefined })
  const values = { 'ticket.number': number, 'ticket.subject': withoutReply(subject), messages: answer }
  return { email: { template: 'ticket-copy', values }, files }
}

/** The e-mail to a follower: what staff replied, with its files, and nothing else. */
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
  { backFor, dueSoon, wasDue, assignedBy, mentionedBy, customerReplies, partnerReplies }: StaffNotification
): Email {
  return {
    template: 'staff-ticket',
    values: {
      'ticket.number': number,
      'ticket.subject': subject,
      'snooze.reason': backFor ?? '',
      'sla.due': wasDue ?? dueSoon ?? '',
      'assigned.by': assignedBy ?? '',
      'mentioned.by': mentionedBy.join(', '),
      'partner.name': [...new Set(partnerReplies.map(({ by }) => by))].join(', '),
      messages: [...customerReplies, ...partnerReplies],
      back: backFor !== undefined,
      back_with_reason: Boolean(backFor),
      due_soon: dueSoon !== undefined,
      late: wasDue !== undefined,
      assigned: assignedBy !== undefined,
      mentioned: mentionedBy.length > 0,
      replied: customerReplies.length > 0,
      partner_replied: partnerReplies.length > 0
    }
  }
}
