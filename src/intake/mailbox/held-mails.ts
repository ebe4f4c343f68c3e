import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { InboundMailRow } from '../../core/tables/mails.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import type { Page } from '../../lib/page.ts'
import { seesAllTickets } from '../../tickets/ticket/visibility.ts'
import { type HoldReason, heldFor } from './hold-reasons.ts'

/** There is no such mail, or it was never held. */
export const HeldMailNotFound = failure(404, 'held_mail_not_found', 'There is no such held e-mail')

/** A held mail may be about a ticket of any department, so only staff who see all tickets see held mails. Throws `Forbidden`. */
export function requireAllTickets(actor: StaffActor): void {
  if (!seesAllTickets(actor)) throw Forbidden()
}

/** Deciding on held mails needs `tickets.edit_status` as well. Throws `Forbidden`. */
export function requireRightToDecide(actor: StaffActor): void {
  requireAllTickets(actor)
  if (!hasPermission(actor, 'tickets.edit_status')) throw Forbidden({ lacks: ['tickets.edit_status'] })
}

const columns = [
  'mail.id',
  'mail.held_reason',
  'mail.reason',
  'mail.state',
  'mail.via',
  'mail.sender',
  'mail.sender_name',
  'mail.subject',
  'mail.envelope_sender',
  'mail.envelope_recipient',
  'mail.is_automatic',
  'mail.size_bytes',
  'mail.received_at',
  'mail.settled_at'
] as const

export type HeldRow = Pick<
  InboundMailRow,
  | 'id'
  | 'held_reason'
  | 'reason'
  | 'state'
  | 'via'
  | 'sender'
  | 'sender_name'
  | 'subject'
  | 'envelope_sender'
  | 'envelope_recipient'
  | 'is_automatic'
  | 'size_bytes'
  | 'received_at'
  | 'settled_at'
>

/** Filters of the held mails. `discarded`: the discarded ones instead. */
export interface HeldFilter {
  reason?: HoldReason | undefined
  search?: string | undefined
  discarded: boolean
}

/** A page of the held mails, newest first, their number, and the number for each reason regardless of the filters. */
export async function heldMails(
  db: Db,
  actor: StaffActor,
  { reason, search, discarded }: HeldFilter,
  { limit, offset }: Page
): Promise<{ mails: HeldRow[]; total: number; reasons: { reason: HoldReason; count: number }[] }> {
  requireAllTickets(actor)
  const pattern = search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&').toLowerCase()}%`
  const wanted = { reason: reason ?? null, pattern }
  const [mails, [counted], reasons] = await Promise.all([
    (discarded ? discardedPage : heldPage)(db, { ...wanted, limit, offset }),
    (discarded ? discardedCount : heldCount)(db, wanted),
    (discarded ? discardedReasons : heldReasonCounts)(db, {})
  ])
  return { mails, total: counted!.count, reasons: reasons.map(ofKnownReason) }
}

function ofKnownReason({ reason, count }: { reason: string; count: number }) {
  return { reason: heldFor({ held_reason: null, reason }), count }
}

interface Wanted {
  reason: string | null
  pattern: string | null
}

/** The held mails, or the discarded ones; `why` is the reason for which they were held. */
function mailsThatWait(db: Db, discarded: boolean) {
  const mails = db.selectFrom('inbound_mails as mail')
  return discarded
    ? mails.where('mail.state', '=', 'dropped').where('mail.reason', '=', 'discarded')
    : mails.where('mail.state', '=', 'held')
}

const why = sql<string>`coalesce(mail.held_reason, mail.reason)`

function wantedMails(db: Db, discarded: boolean, p: Wanted) {
  return mailsThatWait(db, discarded)
    .where(sql<boolean>`(${p.reason}::text is null or ${why} = ${p.reason})`)
    .where(
      sql<boolean>`(${p.pattern}::text is null or lower(concat_ws(' ', mail.sender_name, mail.sender, mail.subject,
        mail.envelope_sender, mail.envelope_recipient)) like ${p.pattern} escape '\\')`
    )
}

function pageOfMails(discarded: boolean) {
  return prepared((db, p: Wanted & Pick<Page, 'limit' | 'offset'>) =>
    wantedMails(db, discarded, p)
      .select(columns)
      .orderBy('mail.received_at', 'desc')
      .orderBy('mail.id', 'desc')
      .limit(p.limit)
      .offset(p.offset)
  )
}

function countOfMails(discarded: boolean) {
  return prepared((db, p: Wanted) => wantedMails(db, discarded, p).select(sql<number>`count(*)`.as('count')))
}

function reasonsOfMails(discarded: boolean) {
  return prepared(db =>
    mailsThatWait(db, discarded)
      .select([why.as('reason'), sql<number>`count(*)`.as('count')])
      .groupBy(why)
      .orderBy('count', 'desc')
      .orderBy('reason')
  )
}

const [heldPage, discardedPage] = [pageOfMails(false), pageOfMails(true)]
const [heldCount, discardedCount] = [countOfMails(false), countOfMails(true)]
const [heldReasonCounts, discardedReasons] = [reasonsOfMails(false), reasonsOfMails(true)]

/** A mail that is or was held, with the path of its original and the decision on it. */
export type HeldMail = HeldRow &
  Pick<InboundMailRow, 'message_ref' | 'mailbox_id' | 'ticket_id' | 'client_id' | 'message_id' | 'authentication'> & {
    file_path: string | null
    ticket_number: string | null
  }

/** The mail with this id that is held, or was. Throws `HeldMailNotFound`. */
export async function heldMail(db: Db, actor: StaffActor, id: number): Promise<HeldMail> {
  requireAllTickets(actor)
  const [mail] = await mailOnceHeld(db, { id })
  if (!mail) throw HeldMailNotFound()
  return mail
}

const mailOnceHeld = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails as mail')
    .leftJoin('ticket_attachments as file', 'file.mail_id', 'mail.id')
    .leftJoin('tickets', 'tickets.id', 'mail.ticket_id')
    .where('mail.id', '=', p.id)
    .where(({ or, eb }) => or([eb('mail.state', '=', 'held'), eb('mail.held_reason', 'is not', null)]))
    .select(columns)
    .select([
      'mail.message_ref',
      'mail.mailbox_id',
      'mail.ticket_id',
      'mail.client_id',
      'mail.message_id',
      'mail.authentication'
    ])
    .select(['file.file_path', 'tickets.ticket_number'])
)
