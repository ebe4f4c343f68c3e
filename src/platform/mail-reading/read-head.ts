import { type Mailbox, mailboxesIn, messageIdsIn } from './addresses.ts'
import { decodedText } from './charset.ts'
import { allHeaders, firstHeader, headersOf, headerText } from './headers.ts'
import { repaired } from './mime-parts.ts'
import type { ReadMail } from './read-mail.ts'

/** The beginning of a raw message, without parsing its parts. */
export interface MailStart {
  messageId: string | undefined
  from: Mailbox | undefined
  to: Mailbox[]
  cc: Mailbox[]
  subject: string
  /** The Date header; undefined if it is invalid. */
  date: Date | undefined
  /** The raw text, decoded as well as possible. */
  raw: string
}

const maxSubjectCharacters = 255
const maxHeaderCharacters = 4_000

/** Parses the beginning of a raw message that cannot be parsed as a whole, in time linear to its length. */
export function readStart(start: Buffer, envelopeSender: string | null): MailStart {
  const bytes = repaired(start)
  const text = bytes.toString('latin1')
  const end = text.search(/\r?\n\r?\n/)
  const headers = headersOf(end < 0 ? text : text.slice(0, end))
  const mailboxes = (name: string) =>
    allHeaders(headers, name)
      .slice(0, 20)
      .flatMap(value => mailboxesIn(value.slice(0, maxHeaderCharacters)))
  const date = new Date(firstHeader(headers, 'date')?.slice(0, 100) ?? '')
  return {
    messageId: messageIdsIn(firstHeader(headers, 'message-id'))[0],
    from: [
      ...mailboxes('from'),
      ...mailboxes('sender'),
      ...mailboxes('reply-to'),
      ...mailboxesIn(envelopeSender ?? '')
    ][0],
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    subject: [...headerText((firstHeader(headers, 'subject') ?? '').slice(0, maxHeaderCharacters))]
      .slice(0, maxSubjectCharacters)
      .join('')
      .trim(),
    date: Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 1 ? undefined : date,
    raw: decodedText(bytes, undefined).replaceAll('\0', '').toWellFormed()
  }
}

const maxUnreadCharacters = 20_000

/** A mail for staff who release an unparsed message: its sender, and its raw text without headers. */
export function asUnreadMail({ messageId, from, to, cc, subject, raw }: MailStart): ReadMail {
  const end = raw.search(/\r?\n\r?\n/)
  const body = end < 0 ? raw : raw.slice(end)
  return {
    messageId,
    inReplyTo: [],
    references: [],
    from,
    replyTo: [],
    to,
    cc,
    deliveredTo: [],
    subject,
    text: `[This e-mail could not be read. This is how it begins.]\n\n${body.trim().slice(0, maxUnreadCharacters).toWellFormed()}`,
    quoted: '',
    html: undefined,
    remotePictures: [],
    files: [],
    omittedFiles: [],
    automatic: undefined,
    automaticByWords: undefined,
    bounce: undefined,
    forwarded: undefined,
    isOneAuthor: false,
    isSigned: false,
    authenticationResults: [],
    languages: '',
    headers: {},
    spamScore: undefined,
    delivered: undefined
  }
}
