import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { languageAmong } from '../../core/wording/languages.ts'
import { Failure } from '../../kit/errors.ts'
import { logIdOf } from '../../mail/log/log-incoming.ts'
import { mailboxOfMail } from '../../mail/mailboxes/mailbox-of-mail.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { EmailUnconfirmed } from '../../people/clients/email-changes.ts'
import { EmailTaken } from '../../people/clients/sign-up.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import { carryOutMailRules, judgeMail } from '../../tickets/rules/mail-rules.ts'
import { noteClientMessage } from '../../tickets/side-conversations/receive-side-message.ts'
import { openTicket } from '../../tickets/threads/open-ticket.ts'
import { replyToTicket } from '../../tickets/threads/reply-to-ticket.ts'
import { defaultPriority } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../tickets/ticket/ticket-for.ts'
import { withoutPass } from './authentication.ts'
import { blockedReason, blockSenderByRule, isBlocked } from './blocked-senders.ts'
import { emailReturnedTo, forgetBounces, settleReport } from './delivery-reports.ts'
import { departmentFor, recipientsOf } from './department-for.ts'
import { type FoundTicket, isInThreadOf, threadOfMail } from './find-ticket.ts'
import { followFromMail } from './follow-from-mail.ts'
import { addTextAboveForwarded } from './forwarded-mail.ts'
import { asKnown, authorOf, isOfStaff, ownMailOf } from './mail-author.ts'
import type { MailDecision, MailDetails, MailWithSender, ParsedMail } from './mail-decision.ts'
import { mailFacts } from './mail-facts.ts'
import { withOmitted } from './mail-files.ts'
import { limitReached, mayAcknowledge, warnOfLimit } from './mail-limits.ts'
import { originOf } from './mail-origin.ts'
import {
  accountClaiming,
  accountOfSender,
  addressOfReply,
  nameOf,
  openAccountForSender,
  type SenderAccount
} from './sender-account.ts'
import { decideAside, sideConversationOf } from './side-mail.ts'
import { storeMessageEmail } from './store-message-email.ts'
import { tellRefused } from './tell-refused.ts'

/** Decides on a mail and carries the decision out in the transaction of `services`, which has the mail locked. */
export async function decideMail(services: Services, given: ParsedMail): Promise<MailDecision> {
  const { db } = services
  const { mail } = given
  const recipients = recipientsOf(mail, given.read)
  const returned = await emailReturnedTo(services, recipients)
  // People reply to the Reply-To: what comes to a return address was sent by a program.
  const read = returned ? { ...given.read, automatic: given.read.automatic ?? 'auto_replied' } : given.read
  const about: MailDetails = {
    sender: read.from?.email ?? null,
    senderName: read.from?.name ?? null,
    subject: read.subject,
    authentication: given.authentication,
    isAutomatic: read.automatic !== undefined,
    recipients
  }
  const own = await ownMailOf(db, read)
  if (own)
    return {
      ...about,
      state: 'dropped',
      reason: 'own_message',
      isAutomatic: true,
      aboutMessageId: own.outbox_message_id
    }
  const report = await settleReport(services, read, { returned, recipients })
  if (report?.state === 'held' && read.from && (await isBlocked(db, [read.from.email])))
    return { ...about, state: 'dropped', reason: blockedReason }
  if (report) return { ...about, ...report }
  if (!read.from) return { ...about, state: 'held', reason: 'no_sender' }
  const author = await authorOf(services, read)
  if (!author) return { ...about, state: 'dropped', reason: 'own_address', isAutomatic: true }
  const from = await asKnown(db, author)
  if (await isBlocked(db, [from.email, author.email, read.from.email]))
    return { ...about, sender: from.email, senderName: from.name, state: 'dropped', reason: blockedReason }
  // The checks concern the address in From.
  const authentication = author === read.from ? given.authentication : withoutPass(given.authentication, 'reply_to')
  const parsed = { ...given, authentication, read: { ...read, from } }
  const decided = await decideByRules(services, parsed, from, recipients)
  return { ...about, sender: from.email, senderName: from.name, authentication, ...decided }
}

/** Has rules judge it before anything is made of it: they hold or drop it, or say how its ticket begins; the rest they do to the ticket. */
async function decideByRules(
  services: Services,
  given: MailWithSender,
  from: Mailbox,
  recipients: readonly string[]
): Promise<MailDecision> {
  const { authentication, mail, read } = given
  const logId = await logIdOf(services.db, mail.id)
  const own = await ownAddresses(services)
  const ruled = await judgeMail(services, mailFacts(mail, read, { recipients, own, authentication }), logId)
  if (ruled.fitting.length === 0) return await decideOn(services, given, from, recipients)
  if (ruled.blockedBy) await blockSenderByRule(services, from.email, ruled.blockedBy)
  const decided: MailDecision = ruled.decided
    ? { state: ruled.decided.outcome === 'hold' ? 'held' : 'dropped', reason: 'by_rule' }
    : await decideOn(services, { ...given, ruled }, from, recipients)
  const ticket = decided.state === 'ticket' || decided.state === 'reply' ? (decided.ticketId ?? null) : null
  await carryOutMailRules(services, ruled, { ticket, isNew: decided.state === 'ticket', logId })
  const steps = ruled.fitting.map(({ rule }) => ({ step: 'rule' as const, rule_id: rule.rule_id, detail: rule.name }))
  return { ...decided, steps: [...steps, ...(decided.steps ?? [])] }
}

/** Decides on a mail that is not our own. */
async function decideOn(
  services: Services,
  given: MailWithSender,
  from: Mailbox,
  recipients: readonly string[]
): Promise<MailDecision> {
  const { db } = services
  const { read } = given
  const account = await accountOfSender(db, from.email)
  if (given.authentication.verdict === 'fail')
    return { state: 'held', reason: 'sender_not_authentic', clientId: account?.id ?? null }
  if (account && !account.isActive) return { state: 'held', reason: 'client_inactive', clientId: account.id }
  const clues = {
    recipients,
    references: [...read.inReplyTo, ...read.references.toReversed()],
    subject: read.subject,
    sender: from.email
  }
  const side = await sideConversationOf(services, clues)
  // What the client or a follower writes there belongs to the thread, which they see.
  const isInThread = side !== undefined && (await isInThreadOf(db, side.ticket_id, from.email))
  const found = await threadOfMail(services, clues, side && { id: side.ticket_id, isInThread })
  const { ticket, named, isSigned, by } = found
  const isAutomatic = read.automatic !== undefined
  const limit = await limitReached(services, { sender: from.email, ticket: ticket?.id ?? side?.ticket_id, isAutomatic })
  if (limit) {
    await warnOfLimit(services, limit)
    return { state: 'held', reason: limit, clientId: account?.id ?? null }
  }
  if (!isAutomatic) await forgetBounces(db, from.email)
  // What staff write is not the customer's text, and an address alone does not prove who wrote it.
  const isStaff = await isOfStaff(db, from.email)
  if (ticket && isStaff && account?.id !== ticket.client_id)
    return { state: 'held', reason: 'from_staff', ticketId: ticket.id }
  const aside = side && !isInThread ? await decideAside(services, given, side, { isStaff }) : undefined
  if (aside) return aside
  const reply = ticket && (await replyFromMail(services, given, ticket, account).catch(goneMeanwhile))
  if (reply?.messageId && side && isInThread)
    await noteClientMessage(db, { conversation: side.id, message: reply.messageId })
  if (reply && isSigned) await followFromMail(services, given, { ...ticket, isNew: false })
  if (reply) return { ...reply, steps: [{ step: 'found', reason: by, ticket_id: ticket.id }] }
  const { forward } = given
  if (forward) {
    const opening = { ...given, read: forward.read }
    return await openFromMail(services, opening, await accountOfSender(db, forward.read.from.email), named)
  }
  const opened = await openFromMail(services, given, account, named)
  const { ticketId, clientId } = opened
  if (ticketId && clientId) await followFromMail(services, given, { id: ticketId, client_id: clientId, isNew: true })
  return opened
}

function goneMeanwhile(error: unknown): undefined {
  if (!(error instanceof Failure && error.kind === TicketNotFound)) throw error
}

/** Adds it to the thread of a ticket. Throws `TicketNotFound` if that was deleted meanwhile. */
export async function replyFromMail(
  services: Services,
  { mail, read, files, omitted }: MailWithSender,
  ticket: FoundTicket,
  account: SenderAccount | undefined
): Promise<MailDecision> {
  const name = nameOf(read.from)
  const { firstName, lastName } = account ?? { firstName: name.first, lastName: name.last }
  // A message from another person belongs to the ticket, and stays when that person's account is deleted.
  const ownerId = account?.id === ticket.client_id ? account.id : null
  const reply = await replyToTicket(services, system, originOf(mail, read.automatic !== undefined), ticket.id, {
    author: { population: 'client', id: ownerId, firstName, lastName },
    clientEmail: await addressOfReply(services.db, ticket, read.from.email),
    message: withOmitted(read.text, omitted),
    files,
    ...(read.automatic ? { status: null } : {})
  })
  await storeMessageEmail(services.db, {
    mail,
    read,
    files,
    omitted,
    messageId: reply.message_id,
    linkedTicketId: null
  })
  const { ticket_id: ticketId, message_id: messageId } = reply
  return { state: 'reply', clientId: ownerId, ticketId, messageId, reason: read.automatic ?? null }
}

/** Opens a ticket for it, if the desk accepts mails of this sender. `account`: the ticket's owner, if they have one. Throws `EmailUnconfirmed`. */
export async function openFromMail(
  services: Services,
  { mail, read, authentication, files, omitted, password, forward, releasedBy, ruled }: MailWithSender,
  account: SenderAccount | undefined,
  named: FoundTicket | undefined
): Promise<MailDecision> {
  const { db } = services
  const claim = account ? undefined : await accountClaiming(db, read.from.email)
  if (claim?.isByStaff) {
    if (releasedBy) throw EmailUnconfirmed()
    return { state: 'held', reason: 'email_unconfirmed', clientId: claim.id }
  }
  const known = account ?? claim
  const { settings } = await settingsOf(db)
  const automatic = read.automatic ?? read.automaticByWords
  const isAutomatic = automatic !== undefined
  // The sender of this mail, not the author that a forwarded mail claims.
  const sender = forward?.by.email ?? read.from.email
  const recipients = recipientsOf(mail, read)
  const mailbox = await mailboxOfMail(db, mail, recipients)
  const unknownSenders = mailbox?.unknown_senders ?? settings.mail_unknown_senders
  const isUnproven = unknownSenders === 'verified' && authentication.verdict !== 'pass'
  if (!known && !releasedBy && (unknownSenders === 'hold' || isUnproven))
    return { state: 'held', reason: 'unknown_sender' }
  if (!known && !releasedBy && unknownSenders === 'refuse') {
    if (!isAutomatic) await tellRefused(services, sender, languageAmong(read.languages))
    return { state: 'refused', reason: 'unknown_sender' }
  }
  if (known && !known.isActive && !releasedBy) return { state: 'held', reason: 'client_inactive', clientId: known.id }

  const isAcknowledged =
    !isAutomatic && !ruled?.isSilent && mailbox?.acknowledges !== false && (await mayAcknowledge(services, sender))
  const origin = originOf(mail, !isAcknowledged)
  const isInvited = !isAutomatic && !ruled?.isSilent && (isAcknowledged || !forward)
  const owner =
    known ??
    (await act(services, releasedBy ?? system, act =>
      openAccountForSender(services, act, read.from, {
        password: password!,
        isInvited,
        requestId: origin.requestId,
        // The headers of a forwarded mail describe the person who forwards it.
        language: forward ? null : languageAmong(read.languages)
      })
    ).catch(error => accountOpenedMeanwhile(db, read.from.email, error)))
  const opened = await openTicket(services, owner, origin, {
    cameBy: { clientEmail: owner.email },
    deptid: await departmentFor(db, mailbox ? [...recipients, mailbox.address] : recipients, ruled?.deptid),
    subject: read.subject || '(no subject)',
    priority: ruled?.priority ?? defaultPriority,
    message: withOmitted(read.text, omitted),
    files
  })
  const { ticket_id: ticketId, message_id: messageId } = opened
  const linkedTicketId = named?.id ?? null
  const passedOnBy = forward && { name: `${forward.by.firstName} ${forward.by.lastName}`, email: forward.by.email }
  await storeMessageEmail(db, { mail, read, files, omitted, messageId, linkedTicketId, forwardedBy: passedOnBy })
  if (forward) await addTextAboveForwarded(services, forward, { ticketId, origin })
  return { state: 'ticket', clientId: owner.id, ticketId, messageId, reason: automatic ?? null, isAutomatic }
}

/** If several mails of a stranger arrive at once, only one opens the account; the others use it. */
async function accountOpenedMeanwhile(db: Db, email: string, error: unknown): Promise<SenderAccount> {
  const account = error instanceof Failure && error.kind === EmailTaken ? await accountOfSender(db, email) : undefined
  if (!account) throw error
  return account
}
