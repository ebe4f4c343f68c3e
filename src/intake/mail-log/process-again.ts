import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { doAndUndo } from '../../core/acts/do-and-undo.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { MailState } from '../../core/tables/mails.ts'
import { failure } from '../../kit/errors.ts'
import { inOneTransaction } from '../../platform/db/outer-transaction.ts'
import { requireRightToDecide } from '../mailbox/held-mails.ts'
import { notifyOfHeldMail } from '../mailbox/notify-of-held-mail.ts'
import { type Decide, readStored, withDecision } from '../mailbox/process-mail.ts'
import { type Receipt, receiptOf } from '../mailbox/receipt.ts'
import type { BegunMail } from '../mailbox/store-mail.ts'
import { writeDecision } from '../mailbox/write-decision.ts'
import { mayBeProcessed, requiredLoggedMail } from './logged-mail-detail.ts'

export const NotProcessable = failure(409, 'not_processable', 'This e-mail cannot be processed again')
export const RawMailGone = failure(410, 'mail_gone', 'The raw message of this e-mail is not kept any more')

/** What became of a mail, or would. */
export interface ProcessedAgain {
  receipt: Receipt
  /** It is in a ticket already: nothing was done, and nothing would be. */
  isSettled: boolean
}

/**
 * Decides on an e-mail that came in once more, by the settings, rules and tickets of now, as if it came now. `isDryRun`: does it and undoes it. What is in
 * a ticket already stays there: each mail is taken in once. Throws `Forbidden`, `LoggedMailNotFound`, `NotProcessable` and `RawMailGone`.
 */
export async function processAgain(
  services: Services,
  actor: StaffActor,
  caller: Origin,
  { id, isDryRun }: { id: number; isDryRun: boolean }
): Promise<ProcessedAgain> {
  requireRightToDecide(actor)
  const { mail_id: mailId, direction, is_erased } = await requiredLoggedMail(services.db, actor, id)
  if (direction === 'out') throw NotProcessable({ message: 'This e-mail went out: it can be sent again' })
  if (mailId === null || is_erased) throw RawMailGone()
  const [mail] = await storedMail(services.db, { id: mailId })
  if (!mail) throw RawMailGone()
  if (mail.state === 'received') throw NotProcessable({ message: 'This e-mail is just being read' })
  if (!mayBeProcessed(mail.state)) return await settledAlready(services.db, mailId, isDryRun)
  if (mail.file_path === null) throw RawMailGone()

  // Of what could not be fetched or read whole, only the beginning is there.
  const held = [mail.held_reason, mail.reason].find(reason => reason && asTaken.includes(reason)) ?? null
  const begun: BegunMail = { ...mail, file_path: mail.file_path, reason: held, held_reason: null }
  const read = await readStored(services, begun)
  return await withDecision(services, begun, read, async decide => {
    const again = async (db: Db) => await decideAgain({ ...services, db }, actor, caller, mailId, decide)
    return await (isDryRun ? doAndUndo(services.db, again) : inOneTransaction(services.db, again))
  })
}

const asTaken = ['too_large', 'not_fetched', 'no_message']

async function settledAlready(db: Db, mailId: number, isDryRun: boolean): Promise<ProcessedAgain> {
  const receipt = (await receiptOf(db, mailId))!
  if (isDryRun) return { receipt, isSettled: true }
  throw NotProcessable({ message: `This e-mail is in a ticket already: ${receipt.ticket_number ?? 'it was moved'}` })
}

async function decideAgain(
  services: Services,
  actor: StaffActor,
  caller: Origin,
  mailId: number,
  decide: Decide
): Promise<ProcessedAgain> {
  const { db, clock } = services
  const [former] = await lockedMail(db, { id: mailId })
  if (!former) throw RawMailGone()
  if (!mayBeProcessed(former.state)) throw NotProcessable({ message: 'Somebody else has just decided on this e-mail' })
  const decided = await decide(db)
  const by = { step: 'processed_again', staff_id: actor.id } as const
  await writeDecision(db, { ...decided, by, id: mailId, now: clock.now() })
  if (decided.state === 'held' && former.state !== 'held')
    await notifyOfHeldMail(services, { id: mailId, reason: decided.reason })
  await act(services, { actor, caller }, async act =>
    act.happened({
      kind: 'mail.processed_again',
      subject: { type: 'mail', id: mailId },
      before: { outcome: former.state, reason: former.reason },
      after: { outcome: decided.state, reason: decided.reason ?? null, ticket_id: decided.ticketId ?? null }
    })
  )
  return { receipt: (await receiptOf(db, mailId))!, isSettled: false }
}

const storedMail = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails as mail')
    .leftJoin('ticket_attachments as file', 'file.mail_id', 'mail.id')
    .where('mail.id', '=', p.id)
    .select(['mail.id', 'mail.state', 'mail.attempts', 'mail.via', 'mail.envelope_recipient', 'mail.envelope_sender'])
    .select(['mail.peer_address', 'mail.peer_name', 'mail.message_ref', 'mail.received_at', 'mail.size_bytes'])
    .select(['mail.reason', 'mail.held_reason', 'mail.mailbox_id', 'file.file_path'])
)

const lockedMail = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails')
    .where('id', '=', p.id)
    .select(['state', 'reason'])
    .$castTo<{ state: MailState; reason: string | null }>()
    .forUpdate()
)
