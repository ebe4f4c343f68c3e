import { reasonIn } from './bounce-reasons.ts'
import { decodedText } from './charset.ts'
import { type Header, headersOf } from './headers.ts'
import type { MimePart } from './mime-parts.ts'

/** A mail that reports a failed or delayed delivery of one of ours. */
export interface Bounce {
  /** The recipient, if reported. */
  recipient: string | undefined
  /** 5.2.2 */
  status: string | undefined
  /** A known reason in a few words, else the server's own text, shortened. */
  reason: string
  isPermanent: boolean
  /** The delivery is only delayed. */
  isDelay: boolean
  /** Only its words say so: neither its form, nor a null sender, nor a sender that is a program. A person may write such words. */
  isByWordsAlone: boolean
  /** All Message-IDs found in it, without angle brackets. */
  messageIds: string[]
}

/** A mail that reports a successful delivery of one of ours, or that it was relayed to a server that sends no reports. */
export interface Delivered extends Pick<Bounce, 'recipient' | 'messageIds'> {
  isDelivered: boolean
}

const maxText = 50_000

/** What identifies the sender of a mail as a program. */
interface Sender {
  headers: readonly Header[]
  sender: string | undefined
  envelopeSender: string | undefined
  /** Why it is automatic, by its headers or its words. */
  automatic: string | undefined
}

/** Parses a standard report (RFC 3464) of success. Undefined for other mails. */
export function deliveredIn(root: MimePart, about: Sender): Delivered | undefined {
  const report = reportIn(root, about)
  const fields = report ? statusFields(report) : []
  const actions = fields.filter(([name]) => name === 'action').map(([, action]) => action.trim().toLowerCase())
  if (actions.length === 0 || !actions.every(action => /^(delivered|relayed|expanded)$/.test(action))) return undefined
  return {
    recipient: addressOf(value(fields, 'original-recipient') ?? value(fields, 'final-recipient')),
    isDelivered: actions.includes('delivered'),
    messageIds: idsOf(root, '')
  }
}

/** The status and reason in a mail server's refusal, as in reports. */
export function refusalIn(answer: string): Pick<Bounce, 'status' | 'reason' | 'isPermanent'> {
  const status = better(undefined, answer)
  const reason = reasonIn(status, answer) ?? shortened(answer)
  return { status, reason, isPermanent: status ? status.startsWith('5') : /\b5\d\d[ -]/.test(answer) }
}

/** Parses a standard report (RFC 3464), or one in plain text. Undefined for other mails. */
export function bounceIn(root: MimePart, about: Sender & { subject: string; text: string }): Bounce | undefined {
  const text = about.text.slice(0, maxText)
  const report = reportIn(root, about)
  // Some are declared as a report but have no machine-readable part.
  const isReport =
    report !== undefined || (isOfReport(root) && root.type.parameters['report-type'] === 'delivery-status')
  const isOfProgram = isFromProgram(about)
  const words = [isUndelivered(about.subject), saysUndelivered.test(text)]
  if (!isReport && !(isOfProgram ? words.some(Boolean) : words.every(Boolean))) return undefined

  const fields = report ? statusFields(report) : []
  const action = value(fields, 'action')?.toLowerCase()
  if (report && (action === 'delivered' || action === 'relayed' || action === 'expanded')) return undefined
  const diagnostic = value(fields, 'diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, '')
  const enhanced = value(fields, 'status')?.match(/\b[245]\.\d{1,3}\.\d{1,3}\b/)?.[0]
  const status = better(enhanced, diagnostic) ?? better(undefined, text)
  const isDelay = action === 'delayed' || (!report && saysDelayed.test(`${about.subject}\n${text}`))
  const own = ownWords(text)
  const said = diagnostic ?? saidIn(own) ?? ''
  const known = reasonIn(status, `${said}\n${diagnostic ? '' : own}`)
  return {
    recipient:
      addressOf(value(fields, 'final-recipient') ?? value(fields, 'original-recipient')) ??
      failedIn(about.headers) ??
      recipientIn(own) ??
      recipientIn(text),
    status,
    reason: known ?? shortened(said),
    isPermanent:
      !isDelay &&
      (status
        ? status.startsWith('5')
        : action === 'failed' || /\b5\d\d[ -]/.test(said) || !(passing.has(known) || /\b4\d\d[ -]/.test(said))),
    isDelay,
    isByWordsAlone: !isReport && !isOfProgram,
    messageIds: idsOf(root, text)
  }
}

/** Removes the returned mail from the text, since it has other phrases and addresses. */
function ownWords(text: string): string {
  const end = text.search(/^[ \t]*(received|return-path|message-id|date|delivered-to|x-received|dkim-signature):/im)
  return end > 0 ? text.slice(0, end) : text
}

/** The machine-readable part. A person may pass on a report with all its parts, but then the whole is none. */
function reportIn(root: MimePart, about: Sender): MimePart | undefined {
  if (!isOfReport(root) && !isFromProgram(about)) return undefined
  return find(root, ({ type }) => /^message\/(global-)?delivery-status$/.test(type.value))
}

function isOfReport({ type }: MimePart): boolean {
  return type.value === 'multipart/report'
}

/** Automatic replies have the null sender as well. */
function isFromProgram(about: Sender): boolean {
  return isDaemon(about) || (hasNullSender(about) && !/^(auto_replied|vacation)$/.test(about.automatic ?? ''))
}

/** Whether the envelope has the null sender, as it was given to us or as a server has noted it. */
export function hasNullSender({ headers, envelopeSender }: Pick<Sender, 'headers' | 'envelopeSender'>): boolean {
  return envelopeSender === '' || headers.some(([name, value]) => name === 'return-path' && value.trim() === '<>')
}

function isDaemon({ sender, headers }: Pick<Sender, 'sender' | 'headers'>): boolean {
  if (
    sender &&
    /^(mailer[-_.]?daemon|mail[-_.]?daemon|post[-_]?master|mdaemon|bounces?)@|^[^@]*mailer-daemon@/i.test(sender)
  )
    return true
  return headers.some(([name, value]) => name === 'x-failed-recipients' || isNamelessDaemon(name, value))
}

/** "From: MAILER-DAEMON <>" has no address. */
function isNamelessDaemon(name: string, value: string): boolean {
  return (
    name === 'from' && !value.includes('@') && /mailer[-_ ]daemon|mail delivery (sub)?system|postmaster/i.test(value)
  )
}

function isUndelivered(subject: string): boolean {
  return undeliveredSubject.test(subject)
}

const undeliveredSubject =
  /undeliver|delivery (status notification|failure|failed|has failed|problem|report|incomplete|delayed)|(mail|message|email) (delivery|system|could not be|not delivered)|failure notice|returned mail|mail delivery|non[- ]?remis|non remise|échec|unzustellbar|nicht zugestellt|zustellung|nicht zustellbar|entrega|devuelto|no se (puede|pudo) entregar|mancata consegna|non recapit|onbestelbaar|niet afgeleverd|olevererat|kan inte leverera|ikke leveret|kunne ikke leveres|nie dostarczon|niedostarczon|nedoručen|kézbesít|не доставлен|недоставленн|доставк|配信不能|配信エラー|退信|无法投递|반송|배달 실패|teslim edilem|warning\W{1,3}(message|could not send)|mail (failed|failure)|returning to sender|メールエラー|エラー通知|bounce/i

const saysUndelivered =
  /could not be delivered|couldn'?t be delivered|wasn'?t delivered|was not delivered|unable to deliver|undeliverable|delivery (to the following|has failed|failed)|did not reach the following|permanent(ly)? (fail|error)|recipient address rejected|user unknown|unknown user|no such user|mailbox (is )?(full|unavailable)|does not exist|address not found|konnte nicht zugestellt|nicht zugestellt werden|n['’]a pas pu être|no se ha podido entregar|non (è stato possibile|può essere) (consegn|recapit)|kon niet worden|has been delayed|not yet been delivered|over quota|\b55[0-4][ -]|\b5\.\d\.\d\b|error delivering your mail|delivery errors|(addresses|recipients?) (failed|was aborted|were incorrectly)|no valid recipients|invalid user address|не (был[оа]? )?доставлен|できませんでした|配信に失敗|失敗しました|无法(投递|送达)/i

const saysDelayed =
  /\bdelayed\b|not yet been delivered|will (keep trying|continue to (try|be retried)|be retried)|(message|delivery) (is )?delay|warning: message .{0,40} delayed|noch nicht zugestellt|wird weiter versucht|temporary failure|still being retried|warning\W{1,3}could not send/i

function find(part: MimePart, fits: (part: MimePart) => boolean): MimePart | undefined {
  if (fits(part)) return part
  for (const child of part.children) {
    const found = find(child, fits)
    if (found) return found
  }
  return undefined
}

/** The field groups of a report: first of the message, then of each recipient. */
function statusFields({ content, children, headers }: MimePart): Header[] {
  const text =
    content.length > 0
      ? decodedText(content.subarray(0, maxText), undefined)
      : children.map(child => child.content.toString()).join('\n')
  return [...text.split(/\r?\n\s*\r?\n/).flatMap(block => headersOf(block)), ...headers]
}

function value(fields: readonly Header[], name: string): string | undefined {
  return fields.find(field => field[0] === name && field[1] !== '')?.[1]
}

/** The more specific status: 5.0.0 says nothing. */
function better(status: string | undefined, words = ''): string | undefined {
  if (status && !/^\d\.0\.0$/.test(status)) return status
  const found =
    words.match(/\b(?:smtp;?\s*)?[45]\d\d[ -]+(?:#)?([45]\.\d{1,3}\.\d{1,3})\b/)?.[1] ??
    words.match(/(?:^|[\s(#<[])([45]\.\d{1,2}\.\d{1,3})(?=[\s:;,)>\]-]|$)/)?.[1]
  return found ?? status
}

function addressOf(text: string | undefined): string | undefined {
  return text
    ?.replace(/^\s*[\w-]+\s*;/, '')
    .match(/(?:"[^"\s]{1,64}"|[^\s<>()[\]:;,"']{1,128})@[^\s<>()[\]:;,"']{1,253}/)?.[0]
}

function failedIn(headers: readonly Header[]): string | undefined {
  return addressOf(headers.find(([name]) => name === 'x-failed-recipients')?.[1])
}

/** The first address after a phrase that introduces it. */
function recipientIn(text: string): string | undefined {
  const announced = text.search(
    /following (recipients?|address(es)?)|userid:|allowed size:|deliver(ed)? (your message )?to|recipients?\b|rcpt to|failed addresses|error delivering|an folgende|^to:|<[^<>\s@]{1,100}@/im
  )
  return addressOf(text.slice(Math.max(0, announced), Math.max(0, announced) + 2_000))?.replace(/\.$/, '')
}

/** The line with the other server's reason. */
function saidIn(text: string): string | undefined {
  const line = text.match(/^.{0,300}\b[45]\d\d[ -](?:#?[45]\.\d\.\d{1,3})?.{0,300}$/m)?.[0]
  return (
    line ??
    text.match(
      /^.{0,200}(?:user unknown|unknown user|no such user|mailbox full|over quota|does not exist|host (?:unknown|not found)|rejected|address not found).{0,200}$/im
    )?.[0]
  )?.trim()
}

/** Without a status code these reasons count as temporary. */
const passing = new Set<string | undefined>(['mailbox full', 'mail server not reached'])

function shortened(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim()
  return line === '' ? 'not delivered' : [...line].slice(0, 200).join('')
}

/** In the headers of the returned mail, and in the text. */
function idsOf(root: MimePart, text: string): string[] {
  const ids = new Set<string>()
  const add = (source: string) => {
    for (const [, id] of source.matchAll(/<?\b([\w.!#$%&'*+/=?^`{|}~-]{1,200}@[\w.-]{1,200})>?/g)) ids.add(id!)
  }
  for (const name of ['in-reply-to', 'references', 'x-original-message-id', 'original-message-id']) {
    for (const [key, value] of root.headers) if (key === name) add(value)
  }
  const walk = (part: MimePart) => {
    const isReturned = /^(message\/|text\/rfc822-headers)/.test(part.type.value)
    if (isReturned) add(part.content.toString('latin1', 0, 50_000))
    // Some servers put the original header where that of the part belongs.
    if (part !== root) for (const [name, value] of part.headers) if (name === 'message-id') add(value)
    part.children.forEach(walk)
  }
  walk(root)
  add(text)
  return [...ids].slice(0, 500)
}
