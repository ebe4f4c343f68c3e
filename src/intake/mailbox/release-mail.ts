import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { Id, Nullable, OneOf } from '../../kit/schemas.ts'
import { ClientNotFound } from '../../people/clients/client-record.ts'
import { unusablePassword } from '../../people/clients/unusable-password.ts'
import { isOuterTransaction, outerTransaction } from '../../platform/db/outer-transaction.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import { asUnreadMail } from '../../platform/mail-reading/read-head.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { lockedForReply } from '../../tickets/ticket/locked-ticket.ts'
import { TicketNumber, type TicketRef } from '../../tickets/ticket/schemas.ts'
import { notChecked } from './authentication.ts'
import { openFromMail, replyFromMail } from './decide-mail.ts'
import { recipientsOf } from './department-for.ts'
import { isInThreadOf, ticketOfMail } from './find-ticket.ts'
import { followFromMail } from './follow-from-mail.ts'
import { forwardedBy } from './forwarded-mail.ts'
import { type HeldMail, heldMail, requireRightToDecide } from './held-mails.ts'
import { asKnown, authorOf } from './mail-author.ts'
import type { MailDecision, MailWithSender } from './mail-decision.ts'
import { stageFiles } from './mail-files.ts'
import { readStored, startOf } from './process-mail.ts'
import { accountOfId, accountOfSender } from './sender-account.ts'
import { sideConversationOf, sideMessageFromMail } from './side-mail.ts'
import { writeDecision } from './write-decision.ts'

const What = Type.Object({
  outcome: OneOf(['ticket', 'reply', 'dropped'] as const),
  ticket: Nullable(Type.Object({ id: Id(), ticket_number: TicketNumber }))
})

/** Somebody else has decided already. The error carries the result. */
export const MailSettled = failure(409, 'mail_settled', 'This e-mail has already been released or discarded', What)
export const SenderMissing = failure(
  409,
  'sender_missing',
  'This e-mail has no sender address: release it into a ticket, or for a client'
)

export interface Release {
  id: number
  /** The ticket whose thread receives it; undefined opens a new one. */
  into: TicketRef | undefined
  /** The owner of the new ticket, if not the sender. */
  clientId: number | undefined
}

export interface Released {
  outcome: 'ticket' | 'reply'
  ticketId: number
  ticketNumber: string
  /** Null: it went into a side conversation. */
  messageId: number | null
}

/**
 * Releases a held mail, as a new ticket or into one that the actor sees; the checks that held it are skipped. It happens once, whoever else
 * releases or discards it at the same time: the others get `MailSettled`. Throws `HeldMailNotFound`, `SenderMissing`, `ClientNotFound`, and what
 * replying to a ticket throws.
 */
export async function releaseMail(
  services: Services,
  actor: StaffActor,
  caller: Origin,
  release: Release
): Promise<Released> {
  requireRightToDecide(actor)
  const held = await heldMail(services.db, actor, release.id)
  if (held.state !== 'held' || held.file_path === null) throw settled(held)
  const mail = { ...held, file_path: held.file_path }
  const read = await readStored(services, mail)
  const given = typeof read === 'string' ? asUnreadMail(await startOf(services, mail)) : read
  const forward = release.into === undefined ? await forwardedBy(services, given) : undefined
  const { staged: files, omitted } = await stageFiles(services, forward?.read ?? given)
  // Hashed before the transaction, so that nobody waits for it.
  const password = await unusablePassword(services.passwords)
  try {
    return await asOne(services.db, async db => {
      const inside = { ...services, db }
      await requireHeld(db, actor, release.id)
      const decided = await decide(inside, actor, release, {
        mail,
        read: given,
        // The result from when it was received: keys and addresses may have changed since.
        authentication: held.authentication ?? notChecked(),
        forward,
        files,
        omitted,
        password,
        releasedBy: { actor, caller }
      })
      const by = { step: 'released', staff_id: actor.id } as const
      await writeDecision(db, { ...decided, by, id: mail.id, now: services.clock.now() })
      const after = { outcome: decided.state, ticket_id: decided.ticketId }
      await act(inside, { actor, caller }, async act =>
        act.happened({
          kind: 'mail.released',
          subject: { type: 'mail', id: mail.id },
          before: { reason: held.reason },
          after
        })
      )
      return await releasedAs(db, actor, mail.id)
    })
  } finally {
    // Files that a ticket uses stay.
    await services.files.unstage(files)
  }
}

/** With an idempotency key the whole request is one transaction already. */
async function asOne<R>(db: Db, work: (db: Db) => Promise<R>): Promise<R> {
  return isOuterTransaction(db) ? await work(db) : await outerTransaction(db, { isRepeatable: true }, work)
}

async function requireHeld(db: Db, actor: StaffActor, id: number): Promise<void> {
  const [held] = await lockedHeld(db, { id })
  if (!held) throw settled(await heldMail(db, actor, id))
}

const lockedHeld = prepared((db, p: { id: number }) =>
  db.selectFrom('inbound_mails').where('id', '=', p.id).where('state', '=', 'held').select('id').forUpdate()
)

function settled({ state, ticket_id: id, ticket_number }: HeldMail) {
  const outcome = state === 'ticket' || state === 'reply' ? state : 'dropped'
  const ticket = id === null || ticket_number === null || outcome === 'dropped' ? null : { id, ticket_number }
  const data: Static<typeof What> = { outcome, ticket }
  const what = ticket ? `released it: it is in ${ticket.ticket_number}` : 'discarded it'
  return MailSettled({ message: `Somebody has already ${what}`, data })
}

const nobody: Mailbox = { name: 'Unknown sender', email: '' }

async function decide(
  services: Services,
  actor: StaffActor,
  { into, clientId }: Release,
  given: Omit<MailWithSender, 'read'> & { read: ReadMail }
): Promise<MailDecision> {
  const { db } = services
  const { read } = given
  const author = (await authorOf(services, read)) ?? read.from
  const writer = author && (await asKnown(db, author))
  const from = writer ?? nobody
  const about = {
    sender: writer?.email ?? null,
    senderName: writer?.name ?? null,
    subject: read.subject,
    isAutomatic: read.automatic !== undefined,
    authentication: given.authentication
  }
  const released: MailWithSender = { ...given, read: { ...read, from } }
  const account = writer && (await accountOfSender(db, writer.email))
  const references = [...read.inReplyTo, ...read.references.toReversed()]
  const clues = { recipients: recipientsOf(given.mail, read), references, subject: read.subject, sender: from.email }
  const side = await sideConversationOf(services, clues)
  const isAside = side !== undefined && !(await isInThreadOf(db, side.ticket_id, from.email))
  const target = into === undefined ? undefined : await lockedForReply(db, actor, into, undefined)
  // A stranger's answer in a side conversation goes there, also where staff name its ticket: the client would read it in the thread.
  if (isAside && clientId === undefined && (target === undefined || target.id === side.ticket_id)) {
    const received = await sideMessageFromMail(services, released, side)
    if (received) return { ...about, ...received }
  }
  if (target) {
    const reply = await replyFromMail(services, released, target, account)
    return { ...about, ...reply }
  }
  const client = clientId === undefined ? account : await accountOfId(db, clientId)
  if (clientId !== undefined && !client) throw ClientNotFound()
  if (!client && !writer) throw SenderMissing()
  const { ticket, named } = await ticketOfMail(services, clues)
  const { forward } = given
  if (forward && clientId === undefined) {
    const opening = { ...released, read: forward.read }
    const written = await openFromMail(services, opening, await accountOfSender(db, forward.read.from.email), named)
    return { ...about, ...written }
  }
  const opened = await openFromMail(services, released, client, ticket ?? named)
  const { ticketId, clientId: owner } = opened
  if (ticketId && owner) await followFromMail(services, released, { id: ticketId, client_id: owner, isNew: true })
  return { ...about, ...opened }
}

async function releasedAs(db: Db, actor: StaffActor, id: number): Promise<Released> {
  const { state, ticket_id, ticket_number, message_id } = await heldMail(db, actor, id)
  return {
    outcome: state as Released['outcome'],
    ticketId: ticket_id!,
    ticketNumber: ticket_number!,
    messageId: message_id
  }
}
