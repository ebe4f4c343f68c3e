import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Format } from '../../core/formatted-text/format.ts'
import type { GivenForwarding } from '../../core/tables/side-conversations.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { secondsAfter, timestamp } from '../../lib/time.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { WaitingReplyView } from '../drafts/schemas.ts'
import { partsOf } from '../followers/followers.ts'
import { stoppedSentence } from './refusals.ts'

// Like replies that wait (`drafts/waiting-replies.ts`), in a table of their own: nothing that sends to clients reads it.

interface NewWaiting {
  ticketId: number
  /** Null: it begins one, as `forwarding` says. */
  conversationId: number | null
  forwarding: GivenForwarding | null
  actor: StaffActor
  caller: Origin
  message: string
  format: Format | null
  files: readonly StagedFile[]
  now: Date
  seconds: number
}

/** Has a message to a third party wait until its time is over, under the id that it will have. */
export async function addWaitingSideMessage(
  db: Db,
  { ticketId, conversationId, forwarding, actor, caller, message, format, files, now, seconds }: NewWaiting
): Promise<{ side_message_id: number; sends_at: Date }> {
  const [added] = await insertWaiting(db, {
    ticket: ticketId,
    conversation: conversationId,
    forwarding: forwarding && JSON.stringify(forwarding),
    staff: actor.id,
    message,
    format,
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
  conversation: number | null
  forwarding: string | null
  staff: number
  message: string
  format: Format | null
  files: string
  ip: string | null
  request: string | null
  now: Date
  sendsAt: Date
}

const insertWaiting = prepared((db: Db, p: Inserted) =>
  db
    .insertInto('waiting_side_messages')
    .values({
      side_message_id: sql<number>`nextval(pg_get_serial_sequence('side_messages', 'id'))`,
      ticket_id: p.ticket,
      conversation_id: p.conversation,
      forwarding: p.forwarding,
      staff_id: p.staff,
      sends_at: p.sendsAt,
      message: p.message,
      format: p.format,
      files: p.files,
      ip_address: p.ip,
      request_id: p.request,
      created_at: p.now
    })
    .returning(['side_message_id', 'sends_at'])
)

const columns = [
  ...(['side_message_id', 'ticket_id', 'conversation_id', 'staff_id', 'state', 'sends_at', 'message'] as const),
  ...(['format', 'forwarding', 'files', 'ip_address', 'request_id', 'stopped_reason'] as const),
  ...(['stopped_code', 'stopped_about'] as const)
] as const

/** A message that waits, as it is sent or given back. */
export type WaitingSideMessage = Awaited<ReturnType<typeof claimSideMessage>>[0]

/** Takes it out of its waiting for whoever gets there first: to send it, before its time only by its writer. The row goes with the transaction that sends it. */
export const claimSideMessage = prepared((db: Db, p: { id: number; now: Date; staff: number | null }) =>
  db
    .updateTable('waiting_side_messages')
    .set({ stopped_reason: null, stopped_code: null, stopped_about: null })
    .where('side_message_id', '=', p.id)
    .where('state', '=', 'waiting')
    .where(({ or, eb }) => or([eb('sends_at', '<=', p.now), eb('staff_id', '=', sql<number>`${p.staff}::bigint`)]))
    .returning(columns)
)

export const removeWaitingSideMessage = prepared((db: Db, p: { id: number }) =>
  db.deleteFrom('waiting_side_messages').where('side_message_id', '=', p.id)
)

/** It does not go, for this reason: its writer gets it back. */
export const stopSideMessage = prepared((db: Db, p: { id: number; code: string; about: string | null }) =>
  db
    .updateTable('waiting_side_messages')
    .set({ state: 'stopped', stopped_code: p.code, stopped_about: p.about })
    .where('side_message_id', '=', p.id)
    .where('state', '=', 'waiting')
)

/** Takes it back for its writer, before its time is over or after it was stopped; once more it is the same. None if it has gone. */
export const undoSideMessage = prepared((db: Db, p: { id: number; ticket: number; staff: number; now: Date }) =>
  db
    .updateTable('waiting_side_messages')
    .set({ state: 'undone' })
    .where('side_message_id', '=', p.id)
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('staff_id', '=', p.staff)
    .where(({ or, eb }) => or([eb('state', '<>', 'waiting'), eb('sends_at', '>', p.now)]))
    .returning(columns)
)

/** Whether this member of staff has such a message, waiting or sent, in the ticket or what was merged into it. */
export const isOwnSideMessage = prepared((db: Db, p: { id: number; ticket: number; staff: number }) =>
  db
    .selectFrom('waiting_side_messages')
    .where('side_message_id', '=', p.id)
    .where('staff_id', '=', p.staff)
    .where('ticket_id', '=', partsOf(p.ticket))
    .select('side_message_id as id')
    .unionAll(
      db
        .selectFrom('side_messages')
        .innerJoin('side_conversations', 'side_conversations.id', 'side_messages.conversation_id')
        .where('side_messages.id', '=', p.id)
        .where('side_messages.staff_id', '=', p.staff)
        .where('side_conversations.ticket_id', '=', partsOf(p.ticket))
        .select('side_messages.id')
    )
)

/** When the first one goes; null if none waits. */
export async function nextSideMessageAt(db: Db): Promise<Date | null> {
  return (await earliest(db, {}))[0]?.sends_at ?? null
}

const earliest = prepared(db =>
  db
    .selectFrom('waiting_side_messages')
    .where('state', '=', sql.lit('waiting'))
    .select('sends_at')
    .orderBy('sends_at')
    .limit(1)
)

/** Those whose time is over, the longest waiting first. */
export const dueSideMessages = prepared((db: Db, p: { now: Date; limit: number }) =>
  db
    .selectFrom('waiting_side_messages')
    .where('state', '=', sql.lit('waiting'))
    .where('sends_at', '<=', p.now)
    .select('side_message_id as id')
    .orderBy('sends_at')
    .orderBy('side_message_id')
    .limit(p.limit)
)

/** One's own that have not gone, of a ticket and of those merged into it, without those taken back. */
export async function ownWaitingSideMessages(db: Db, p: { staff: number; ticket: number }) {
  return (await own(db, p)).map(waitingSideMessageView)
}

const own = prepared((db: Db, p: { staff: number; ticket: number }) =>
  db
    .selectFrom('waiting_side_messages')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('staff_id', '=', p.staff)
    .where('state', '<>', 'undone')
    .select(columns)
    .orderBy('side_message_id')
    .limit(100)
)

const Address = OutputText('service@sungrid.example')

/** To whom a message goes that begins a side conversation, and what goes along. */
export const ForwardingView = Type.Object({
  to: Type.Array(Address),
  cc: Type.Array(Address),
  subject: OutputText('Error E-042 after the update'),
  message_ids: Type.Array(Id(12)),
  attachment_ids: Type.Array(Id(3)),
  waits: Flag(),
  hide_client: Flag()
})

/** A message to a third party that has not gone, as its writer sees it, and nobody else. */
export const WaitingSideMessageView = Type.Object({
  // That the message will have.
  side_message_id: Id(31),
  ticket_id: Id(),
  // Null: it begins one.
  conversation_id: Nullable(Id(7)),
  // `stopped`: it does not go, because of `stopped_reason`. `undone`: its writer has taken it back.
  state: OneOf(['waiting', 'stopped', 'undone']),
  undo_until: Timestamp(),
  stopped_reason: Nullable(OutputText('service@sungrid.example: They follow the ticket. Write a reply instead.')),
  // The same for programs: a `code` as when it is refused at once, else the `reason` of a failure; and the address or file.
  stopped_code: Nullable(OutputText('follower')),
  stopped_about: Nullable(OutputText('service@sungrid.example')),
  message: OutputText('Is it safe?'),
  format: OneOf(['plain', 'markdown']),
  // Null where it is written in a conversation.
  forwarding: Nullable(ForwardingView),
  attachments: WaitingReplyView.properties.attachments
})

/** Only with `undo`: the id that the message will have, and until when it can be taken back; null if it has gone at once. */
export const WaitingFields = {
  side_message_id: Type.Optional(Id(31)),
  undo_until: Type.Optional(Nullable(Timestamp()))
}

export function waitingSideMessageView(waiting: WaitingSideMessage): Static<typeof WaitingSideMessageView> {
  const { forwarding, stopped_code: code, stopped_about: about } = waiting
  const isStopped = waiting.state === 'stopped'
  return {
    side_message_id: waiting.side_message_id,
    ticket_id: waiting.ticket_id,
    conversation_id: waiting.conversation_id,
    state: waiting.state,
    undo_until: timestamp(waiting.sends_at),
    // Older rows have the sentence itself.
    stopped_reason: isStopped ? (code === null ? waiting.stopped_reason : stoppedSentence({ code, about })) : null,
    stopped_code: isStopped ? code : null,
    stopped_about: isStopped ? about : null,
    message: waiting.message,
    format: waiting.format ?? 'plain',
    forwarding: forwarding && {
      to: [...forwarding.to],
      cc: [...forwarding.cc],
      subject: forwarding.subject,
      message_ids: [...forwarding.messageIds],
      attachment_ids: [...forwarding.attachmentIds],
      waits: bit(forwarding.waits),
      hide_client: bit(forwarding.hidesClient)
    },
    attachments: (waiting.files as StagedFile[]).map(({ fileName, fileType, fileSizeBytes }) => ({
      file_name: fileName,
      file_type: fileType,
      file_size: fileSizeBytes
    }))
  }
}
