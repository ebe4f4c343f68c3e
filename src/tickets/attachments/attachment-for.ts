import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { TicketAttachmentRow } from '../../core/tables/attachments.ts'
import { failure } from '../../kit/errors.ts'
import type { ByteRange } from '../../lib/byte-range.ts'
import { filePathPattern } from '../../platform/files/file-store.ts'
import {
  type BoundVisibility,
  isMessageSeen,
  isPartSeen,
  preparedForVisible,
  ticketsWith,
  type VisibleTickets
} from '../ticket/visibility.ts'

/** No such file, or a file of a ticket that the caller may not see: the response does not tell which (decision 29). */
export const FileNotFound = failure(404, 'file_not_found', 'There is no such file')

export type Attachment = Pick<TicketAttachmentRow, (typeof attachmentColumns)[number]>

/** The file at this path, if it belongs to a thread that the actor may see. */
export async function attachmentFor(db: Db, actor: Actor, path: string): Promise<Attachment | undefined> {
  const [attachment] = filePathPattern.test(path)
    ? await seenAtPath(db, ticketsWith(actor, 'tickets.view_all'), { path })
    : []
  return attachment
}

/** The path of an attachment, if it belongs to a thread that the actor may see. */
export async function attachmentPath(db: Db, actor: Actor, id: number): Promise<string | undefined> {
  const [attachment] = await seenById(db, ticketsWith(actor, 'tickets.view_all'), { id })
  return attachment?.file_path
}

/** The file at this path, if its ticket is not in the trash and this follower still follows it. */
export async function attachmentForFollower(db: Db, follower: number, path: string): Promise<Attachment | undefined> {
  const [attachment] = filePathPattern.test(path) ? await followedAtPath(db, { path, follower }) : []
  return attachment
}

/** A presigned URL of the store, valid for one minute for anybody who has it. Undefined if the store has none. */
export async function presignedLink(
  { files }: Pick<Services, 'files'>,
  { file_path, file_name: fileName, file_type: fileType }: Attachment
): Promise<string | undefined> {
  return await files.link(file_path, { fileName, fileType })
}

/**
 * The content of a file, or a range of it; read it to the end or destroy it. Throws `FileNotFound` if the file is missing or its size
 * differs from the stored one.
 */
export async function contentOf(
  { files, log }: Pick<Services, 'files' | 'log'>,
  { file_path: path, file_size }: Attachment,
  range: ByteRange | undefined
) {
  const opened = await files.open(path, range)
  if (opened?.sizeBytes === file_size) return opened.stream
  opened?.stream.destroy()
  log.error({ path, sizeBytes: opened?.sizeBytes }, 'A file that a ticket references is missing or damaged')
  throw FileNotFound()
}

/** The columns needed to send a file. */
export const attachmentColumns = ['file_name', 'file_path', 'file_type', 'file_size', 'sha256', 'scan_state'] as const

/** The files of the tickets and of those merged into them, without those of messages that the actor does not see. */
function withAttachments(tickets: VisibleTickets, boundVisibility: BoundVisibility) {
  const { visibility } = boundVisibility
  return tickets
    .innerJoin('tickets as part', join =>
      join.on(({ eb, ref }) => eb('tickets.id', 'in', [ref('part.id'), ref('part.merged_into_id')]))
    )
    .innerJoin('ticket_attachments', 'ticket_attachments.ticket_id', 'part.id')
    .where(isPartSeen(boundVisibility, 'part'))
    .where(
      sql<boolean>`not exists (select from ticket_messages as message
        where message.id = ticket_attachments.message_id and not ${isMessageSeen(visibility, 'message')})`
    )
}

const followedAtPath = prepared((db: Db, p: { path: string; follower: number }) =>
  db
    .selectFrom('ticket_attachments')
    .innerJoin('tickets', 'tickets.id', 'ticket_attachments.ticket_id')
    .innerJoin('tickets as followed', join =>
      join.on(({ eb, fn }) =>
        eb(
          fn.coalesce('followed.merged_into_id', 'followed.id'),
          '=',
          fn.coalesce('tickets.merged_into_id', 'tickets.id')
        )
      )
    )
    .innerJoin('ticket_followers as follower', 'follower.ticket_id', 'followed.id')
    .where('file_path', '=', p.path)
    .where('follower.id', '=', p.follower)
    .where('follower.ended_at', 'is', null)
    .where('tickets.trashed_at', 'is', null)
    .select(attachmentColumns)
)

const seenAtPath = preparedForVisible((tickets, p: { path: string }, _db, boundVisibility) =>
  withAttachments(tickets, boundVisibility).where('file_path', '=', p.path).select(attachmentColumns)
)

const seenById = preparedForVisible((tickets, p: { id: number }, _db, boundVisibility) =>
  withAttachments(tickets, boundVisibility).where('ticket_attachments.id', '=', p.id).select('file_path')
)
