import type { Db } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import type { Services } from '../../core/services.ts'
import {
  conversationOfMail,
  type FoundConversation,
  receiveSideMessage
} from '../../tickets/side-conversations/receive-side-message.ts'
import type { Clues } from './find-ticket.ts'
import type { MailDecision, MailWithSender } from './mail-decision.ts'
import { withImages, withOmitted } from './mail-files.ts'
import { originOf } from './mail-origin.ts'

/** The side conversation that a mail answers, whoever writes. */
export async function sideConversationOf(
  services: { db: Db; keys: Keys },
  { recipients, references, sender }: Clues
): Promise<FoundConversation | undefined> {
  const refs = references.map(reference => reference.split('@', 1)[0]!)
  return await conversationOfMail(services, { recipients, refs, references, sender })
}

/** Decides on a mail that answers a side conversation: only those who are in it write there. Undefined if it was removed meanwhile. */
export async function decideAside(
  services: Services,
  given: MailWithSender,
  side: FoundConversation,
  { isStaff }: { isStaff: boolean }
): Promise<MailDecision | undefined> {
  if (isStaff) return { state: 'held', reason: 'from_staff', ticketId: side.ticket_id }
  if (!side.is_participant) return { state: 'held', reason: 'side_stranger', ticketId: side.ticket_id }
  return await sideMessageFromMail(services, given, side)
}

/** Adds it to a side conversation; undefined if that was removed meanwhile. */
export async function sideMessageFromMail(
  services: Services,
  { mail, read, files, omitted }: MailWithSender,
  side: FoundConversation
): Promise<MailDecision | undefined> {
  const sideMessageId = await receiveSideMessage(services, side, {
    from: read.from,
    to: [...read.to, ...read.cc].map(({ email }) => email),
    text: withOmitted(read.text, omitted),
    quoted: read.quoted,
    html: withImages(read.html, files),
    files,
    isAutomatic: read.automatic !== undefined,
    requestId: originOf(mail, true).requestId
  })
  if (sideMessageId === undefined) return undefined
  return { state: 'reply', ticketId: side.ticket_id, sideMessageId, reason: read.automatic ?? null }
}
