import { type Mailbox, mailboxesIn, messageIdsIn } from './addresses.ts'
import { type AuthenticationResults, authenticationResultsIn } from './authentication-results.ts'
import { automaticByWords, automaticReason } from './automatic.ts'
import { bodyOf, type MailFile } from './body.ts'
import { type Bounce, bounceIn, type Delivered, deliveredIn, hasNullSender } from './bounce.ts'
import { type Forwarded, forwardedIn, textAboveForwarded } from './forwarded.ts'
import { allHeaders, firstHeader, type Header, headerText } from './headers.ts'
import { type MimePart, parseMimeParts } from './mime-parts.ts'
import { headersForRules, spamScoreIn } from './rule-headers.ts'
import { isForwardMark, separateQuotes } from './separate-quotes.ts'

/** The SMTP envelope of the mail. */
export interface Envelope {
  /** Empty for the null sender; undefined if unknown. */
  sender: string | undefined
  recipient: string | undefined
}

/** A parsed mail. Plain data, since it comes from another thread. */
export interface ReadMail {
  /** Without angle brackets; undefined if it has none. */
  messageId: string | undefined
  inReplyTo: string[]
  references: string[]
  from: Mailbox | undefined
  /** Whether `from` is the only author, so that checks can be about it: one From, with addresses of one domain. */
  isOneAuthor: boolean
  /** Whether it has a signature to check (DKIM, ARC). */
  isSigned: boolean
  /** The results that servers have written into it; anybody can write such a header. */
  authenticationResults: AuthenticationResults[]
  replyTo: Mailbox[]
  to: Mailbox[]
  cc: Mailbox[]
  /** The delivery addresses that servers have written into it. */
  deliveredTo: Mailbox[]
  /** The languages of the mail or its author, as its headers name them. */
  languages: string | undefined
  subject: string
  text: string
  quoted: string
  /** The sanitized HTML; undefined if there is none. */
  html: string | undefined
  /** The addresses of the pictures that it names by number. */
  remotePictures: string[]
  files: MailFile[]
  /** Files beyond the limit. */
  omittedFiles: string[]
  /** Why it is automatic, by its form; undefined if a person may have written it. */
  automatic: string | undefined
  /** Why it seems automatic by words that a person may write too: at most nobody is written to because of it. */
  automaticByWords: string | undefined
  bounce: Bounce | undefined
  /** The mail that it forwards, in its text or as its only attached mail. */
  forwarded: Forwarded | undefined
  delivered: Delivered | undefined
  /** What rules ask for: its headers by their names in lower case, the first of each, and the score of the spam filter in front. */
  headers: Readonly<Record<string, string>>
  spamScore: number | undefined
}

const maxTextCharacters = 500_000
const maxSubjectCharacters = 255

/**
 * Parses a raw message. Throws `Unreadable` if it exceeds the limits or is no message; tolerates everything else. `isInner`: it was within
 * another mail, and is not searched for further ones.
 */
export function readMail(raw: Buffer, envelope: Envelope, { isInner = false } = {}): ReadMail {
  const root = parseMimeParts(raw)
  const { headers } = root
  const charset = root.type.parameters.charset
  const mailboxes = (name: string) => allHeaders(headers, name).flatMap(value => mailboxesIn(value, charset))
  const from = senderOf(headers, charset, envelope)
  const subject = [...headerText(firstHeader(headers, 'subject') ?? '', charset)]
    .slice(0, maxSubjectCharacters)
    .join('')
    .trim()
  const body = bodyOf(root, charset)
  const references = allHeaders(headers, 'references').flatMap(messageIdsIn)
  const inReplyTo = allHeaders(headers, 'in-reply-to').flatMap(messageIdsIn)
  const isForward = forwardSubject.test(subject) || (references.length === 0 && beginsWithForward(body.text))
  const isReply = inReplyTo.length + references.length > 0 || replySubject.test(subject)
  const fold = separateQuotes(body.text, { isReply, isForward })
  const envelopeSender = envelope.sender === '<>' ? '' : envelope.sender
  const byHeaders = automaticReason(headers, { sender: from?.email, subject, type: root.type.value })
  const byWords = automaticByWords({ subject, text: fold.text })
  const about = {
    headers,
    sender: from?.email,
    subject,
    text: body.text,
    envelopeSender,
    automatic: byHeaders ?? byWords
  }
  const bounce = bounceIn(root, about)
  const isBounce = bounce !== undefined && !bounce.isByWordsAlone
  return {
    messageId: messageIdsIn(firstHeader(headers, 'message-id'))[0],
    inReplyTo,
    references,
    from,
    isOneAuthor: isOneAuthor(headers, mailboxes('from')),
    isSigned: headers.some(([name]) => name === 'dkim-signature' || name === 'arc-seal'),
    authenticationResults: authenticationResultsIn(headers),
    replyTo: mailboxes('reply-to'),
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    deliveredTo: [
      'delivered-to',
      'x-original-to',
      'envelope-to',
      'x-envelope-to',
      'x-rcpt-to',
      'apparently-to',
      'resent-to',
      'x-forwarded-to'
    ].flatMap(mailboxes),
    languages: firstHeader(headers, 'content-language') ?? firstHeader(headers, 'accept-language'),
    subject,
    text: fold.text.slice(0, maxTextCharacters).toWellFormed(),
    quoted: fold.quoted.slice(0, maxTextCharacters).toWellFormed(),
    html: body.html,
    remotePictures: body.remotePictures,
    files: body.files,
    omittedFiles: body.omitted,
    headers: headersForRules(headers),
    spamScore: spamScoreIn(headers),
    automatic: isBounce ? 'bounce' : (byHeaders ?? (hasNullSender(about) ? 'null_sender' : undefined)),
    automaticByWords: byWords,
    bounce,
    delivered: bounce ? undefined : deliveredIn(root, about),
    forwarded: isInner ? undefined : (attachedIn(root, body.text) ?? (isForward ? forwardedIn(body.text) : undefined))
  }
}

const replySubject =
  /^\s*(re|aw|antw|antwort|sv|vs|ref|r|rif|res|odp|ynt|yan|回复|回覆|答复|返信|답장|회신|הועבר|תשובה|رد|απ|σχετ|відп|отв|на|vá|bls|tr)(\s?\[\d+\]|\s?\(\d+\)|\d)?\s?[:：]/iu
const forwardSubject =
  /^\s*(fw|fwd|wg|tr|rv|i|enc|doorst|vb|vl|pd|iletilen|转发|轉寄|転送|전달|הועבר|إعادة توجيه|πρθ|fs|trs|továbbítás)\s?[:：]/iu

/** A mail that forwards another one says so in its first lines. */
function beginsWithForward(text: string): boolean {
  return text.split('\n', 12).some(isForwardMark)
}

/** The attached mail, if there is only one. */
function attachedIn(root: MimePart, text: string): Forwarded | undefined {
  if (root.type.value !== 'multipart/mixed') return undefined
  const [attached, ...others] = root.children.filter(({ type }) => type.value === 'message/rfc822')
  if (!attached || others.length > 0) return undefined
  const inner = readMail(attached.content, { sender: undefined, recipient: undefined }, { isInner: true })
  if (!inner.from || inner.automatic) return undefined
  const { from, subject, quoted, html, files } = inner
  return { from, subject, text: inner.text, quoted, html, files, above: textAboveForwarded(text.split('\n')) }
}

/** The first address of From; if it has none, that of another sender field. */
function senderOf(headers: readonly Header[], charset: string | undefined, envelope: Envelope): Mailbox | undefined {
  for (const name of ['from', 'sender', 'reply-to', 'resent-from', 'return-path', 'x-sender', 'x-envelope-from']) {
    const [mailbox] = allHeaders(headers, name).flatMap(value => mailboxesIn(value, charset))
    if (mailbox) return mailbox
  }
  return mailboxesIn(envelope.sender)[0]
}

function isOneAuthor(headers: readonly Header[], authors: readonly Mailbox[]): boolean {
  const domains = new Set(authors.map(({ email }) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()))
  return allHeaders(headers, 'from').length === 1 && domains.size === 1
}
