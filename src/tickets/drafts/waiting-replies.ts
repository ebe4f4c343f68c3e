import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Format } from '../../core/formatted-text/format.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter, timestamp } from '../../lib/time.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { partsOf } from '../followers/followers.ts'

export const ReplyStopped = failure(
  409,
  'reply_stopped',
  'The reply did not go, because the client has written meanwhile'
)

export const AlreadySent = failure(409, 'already_sent', 'The reply has been sent already')

interface NewReply {
  ticketId: number
  actor: StaffActor
  caller: Origin
  message: string
  format: Format | null
  status: TicketStatus
  forceClose: boolean
  macroId: number | null
  macroWithout: readonly string[]
  recipients: Recipients | null
  files: readonly StagedFile[]
  now: Date
  seconds: number
}

/**
 * Has a reply wait until its time is over. It is in a table of its own, which nothing reads but what sends it and what shows it to its writer. It gets
 * the id that its message will have; the ticket has to be locked, so that a message of the client that comes later has a higher id.
 */
export async function addWaitingReply(
  db: Db,
  { ticketId, actor, caller, recipients, files, now, seconds, ...reply }: NewReply
): Promise<{ message_id: number; sends_at: Date }> {
  const [added] = await insertReply(db, {
    ...reply,
    ticket: ticketId,
    staff: actor.id,
    recipients: recipients && JSON.stringify(recipients),
    files: JSON.stringify(files),
    ip: caller.ip?.slice(0, 45) ?? null,
    request: caller.requestId,
    now,
    sendsAt: secondsAfter(now, seconds)
  })
  return added!
}

interface Inserted {
  ticket: number
  staff: number
  message: string
  format: Format | null
  status: TicketStatus
  forceClose: boolean
  macroId: number | null
  macroWithout: readonly string[]
  recipients: string | null
  files: string
  ip: string | null
  request: string | null
  now: Date
  sendsAt: Date
}

const insertReply = prepared((db, p: Inserted) =>
  db
    .insertInto('waiting_replies')
    .values({
      message_id: sql<number>`nextval(pg_get_serial_sequence('ticket_messages', 'id'))`,
      ticket_id: p.ticket,
      staff_id: p.staff,
      sends_at: p.sendsAt,
      message: p.message,
      format: p.format,
      status: p.status,
      force_close: p.forceClose,
      macro_id: p.macroId,
      macro_without: sql<string[]>`${p.macroWithout}::text[]`,
      recipients: p.recipients,
      files: p.files,
      ip_address: p.ip,
      request_id: p.request,
      created_at: p.now
    })
    .returning(['message_id', 'sends_at'])
)

const columns = [
  'reply.message_id',
  'reply.ticket_id',
  'reply.staff_id',
  'reply.state',
  'reply.sends_at',
  'reply.message',
  'reply.format',
  'reply.status',
  'reply.force_close',
  'reply.macro_id',
  'reply.macro_without',
  'reply.recipients',
  'reply.files',
  'reply.ip_address',
  'reply.request_id',
  'reply.stopped_reason'
] as const

/** Within a query on `waiting_replies as reply`: somebody who is not of the staff has written in the thread since. */
const hasClientWritten = sql<boolean>`exists (
  select from tickets as home
  join tickets as part on coalesce(part.merged_into_id, part.id) = coalesce(home.merged_into_id, home.id)
  join ticket_messages as newer on newer.ticket_id = part.id
  where home.id = reply.ticket_id and newer.id > reply.message_id and newer.sender_type = 'client')`

/** Whether the client, or somebody else who is not of the staff, has written since this reply began to wait. The ticket has to be locked. */
export async function isOvertaken(db: Db, messageId: number): Promise<boolean> {
  return (await overtaken(db, { messageId })).length > 0
}

const overtaken = prepared((db, p: { messageId: number }) =>
  db
    .selectFrom('waiting_replies as reply')
    .where('message_id', '=', p.messageId)
    .where(hasClientWritten)
    .select('message_id')
)

/** A reply that waits, as it is sent or given back. */
export type WaitingReply = Awaited<ReturnType<typeof claim>>[0]

/**
 * Takes a reply out of its waiting for whoever gets there first: to send it, before its time only by its writer. The row goes with the transaction
 * that sends it.
 */
export async function claimReply(
  db: Db,
  p: { messageId: number; now: Date; staff: number | null }
): Promise<WaitingReply | undefined> {
  return (await claim(db, p))[0]
}

const claim = prepared((db, p: { messageId: number; now: Date; staff: number | null }) =>
  db
    .updateTable('waiting_replies as reply')
    .set({ stopped_reason: null })
    .where('message_id', '=', p.messageId)
    .where('state', '=', 'waiting')
    .where(({ or, eb }) => or([eb('sends_at', '<=', p.now), eb('staff_id', '=', sql<number>`${p.staff}::bigint`)]))
    .returning(columns)
)

/** The reply has been sent: what is left of it is its message. */
export const removeWaitingReply = prepared((db, p: { messageId: number }) =>
  db.deleteFrom('waiting_replies').where('message_id', '=', p.messageId)
)

/** The reply does not go, for this reason: its writer gets it back. */
export const stopReply = prepared((db, p: { messageId: number; reason: string }) =>
  db
    .updateTable('waiting_replies')
    .set({ state: 'stopped', stopped_reason: p.reason })
    .where('message_id', '=', p.messageId)
    .where('state', '=', 'waiting')
    .returning(['message_id', 'ticket_id', 'staff_id', 'message', 'format', 'recipients'])
)

export type StoppedReply = Awaited<ReturnType<typeof stopReply>>[0]

/**
 * Takes a reply back for its writer, before its time is over or after it was stopped; once more it is the same. Undefined if it has gone.
 */
export async function undoReply(
  db: Db,
  p: { messageId: number; ticket: number; staff: number; now: Date }
): Promise<WaitingReply | undefined> {
  return (await undo(db, p))[0]
}

const undo = prepared((db, p: { messageId: number; ticket: number; staff: number; now: Date }) =>
  db
    .updateTable('waiting_replies as reply')
    .set({ state: 'undone' })
    .where('message_id', '=', p.messageId)
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('staff_id', '=', p.staff)
    .where(({ or, eb }) => or([eb('state', '<>', 'waiting'), eb('sends_at', '>', p.now), hasClientWritten]))
    .returning(columns)
)

/** Whether this member of staff has such a reply, waiting or sent, in the ticket or what was merged into it. */
export const isOwnReply = prepared((db, p: { messageId: number; ticket: number; staff: number }) =>
  db
    .selectFrom('waiting_replies')
    .where('message_id', '=', p.messageId)
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('staff_id', '=', p.staff)
    .select('message_id')
    .unionAll(
      db
        .selectFrom('ticket_messages')
        .where('id', '=', p.messageId)
        .where('staff_id', '=', p.staff)
        .where('ticket_id', '=', partsOf(p.ticket))
        .select('id as message_id')
    )
)

/** When the first reply goes; null if none waits. */
export async function nextReplyAt(db: Db): Promise<Date | null> {
  return (await earliest(db, {}))[0]?.sends_at ?? null
}

const earliest = prepared(db =>
  db
    .selectFrom('waiting_replies')
    .where('state', '=', sql.lit('waiting'))
    .select('sends_at')
    .orderBy('sends_at')
    .limit(1)
)

/** The replies whose time is over, the longest waiting first. */
export const dueReplies = prepared((db, p: { now: Date; limit: number }) =>
  db
    .selectFrom('waiting_replies')
    .where('state', '=', sql.lit('waiting'))
    .where('sends_at', '<=', p.now)
    .select('message_id')
    .orderBy('sends_at')
    .orderBy('message_id')
    .limit(p.limit)
)

/** A member of staff's own replies that have not gone, of one ticket or all, without those taken back. */
export async function ownWaitingReplies(db: Db, p: { staff: number; ticket: number | null }) {
  return (await own(db, p)).map(waitingReplyView)
}

const own = prepared((db, p: { staff: number; ticket: number | null }) =>
  db
    .selectFrom('waiting_replies as reply')
    .where('staff_id', '=', p.staff)
    .where('state', '<>', 'undone')
    .where(sql<boolean>`(${p.ticket}::bigint is null or ticket_id = ${partsOf(p.ticket)})`)
    .select(columns)
    .select(hasClientWritten.as('is_overtaken'))
    .orderBy('message_id')
    .limit(100)
)

/** A reply as its writer sees it. */
export function waitingReplyView(reply: WaitingReply & { is_overtaken?: boolean }) {
  const { from = null, client = true, to = [], cc = null, bcc = [], cc_once = [] } = reply.recipients ?? {}
  const isStopped = reply.state === 'stopped' || (reply.state === 'waiting' && reply.is_overtaken === true)
  return {
    message_id: reply.message_id,
    ticket_id: reply.ticket_id,
    state: isStopped ? ('stopped' as const) : reply.state,
    undo_until: timestamp(reply.sends_at),
    stopped_reason: isStopped ? (reply.stopped_reason ?? ReplyStopped.text) : null,
    message: reply.message,
    format: reply.format ?? ('plain' as const),
    status: reply.status,
    macro_id: reply.macro_id,
    from,
    to_client: client ? (1 as const) : (0 as const),
    to,
    cc,
    bcc,
    cc_once,
    attachments: (reply.files as StagedFile[]).map(({ fileName, fileType, fileSizeBytes }) => ({
      file_name: fileName,
      file_type: fileType,
      file_size: fileSizeBytes
    }))
  }
}
