import { type QueryCreator, type RawBuilder, type Selectable, sql } from 'kysely'
import type { NamedActor } from '../../core/actor.ts'
import { type Act, act, type By } from '../../core/acts/act.ts'
import { auditActorOf, type Origin } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ScanState } from '../../core/tables/attachments.ts'
import type { EventCause } from '../../core/tables/events.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { TicketRow, TicketStatus } from '../../core/tables/tickets.ts'
import { afterRollback } from '../../platform/db/outer-transaction.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { type TimelineEvent, timelineEvent } from '../ticket/timeline.ts'

/** The services that writing a message with files and recording it needs. */
export type TicketServices = Pick<Services, 'db' | 'files' | 'jobs' | 'scanner' | 'clock'>

/** The parameters of a message with its attachments, and of its event. */
export interface NewMessage extends TimelineEvent {
  clientId: number | null
  staffId: number | null
  senderType: 'client' | 'support' | 'admin'
  firstName: string
  lastName: string
  message: string
  /** What was made of a formatted text; null for a plain one. */
  html: string | null
  /** The client's address, if it came by e-mail or by the form. */
  clientEmail: string | null
  /** When it came, as ISO 8601: an e-mail may have waited to be read. */
  receivedAt: string
  fileCount: number
  scanState: ScanState
  /** The id that it gets, if it has been promised one. */
  messageId: number | null
  /** JSON: files are one parameter, because the number of parameters of a prepared statement is fixed. */
  files: string
}

interface MessageFacts {
  clientEmail?: string | undefined
  cause?: EventCause | undefined
  html?: string | null
  messageId?: number | null | undefined
}

/** The sender's name is stored with the message: it is shown after the staff member is deleted. */
export function newMessage(
  { clock, scanner }: TicketServices,
  author: NamedActor,
  caller: Origin,
  message: string,
  uploads: StagedFile[],
  { clientEmail, cause, html = null, messageId = null }: MessageFacts = {}
): NewMessage {
  const { population, id, role, firstName, lastName } = author
  const now = clock.now()
  return {
    clientId: population === 'client' ? id : null,
    staffId: population === 'staff' ? id : null,
    senderType: population === 'client' ? 'client' : role === 'admin' ? 'admin' : 'support',
    firstName,
    lastName,
    message,
    html,
    clientEmail: clientEmail ?? null,
    messageId,
    receivedAt: (caller.receivedAt ?? now).toISOString(),
    ...timelineEvent(auditActorOf(author, caller), now, cause),
    fileCount: uploads.length,
    scanState: scanner ? 'pending' : 'clean',
    files: JSON.stringify(uploads)
  }
}

/** As the database compares addresses; JavaScript lowercases some letters differently. */
export function inLowerCase(email: string | null): RawBuilder<string | null> {
  return sql<string | null>`lower(${email})`
}

/** What the event of a written message says of it; the statement has the row `message`. */
export function writtenFacts({ senderType, receivedAt }: Pick<NewMessage, 'senderType' | 'receivedAt'>) {
  return {
    message_id: sql.ref('message.id'),
    sender_type: sql`${senderType}::text`,
    received_at: sql`${receivedAt}::text`
  }
}

interface ListedFile extends StagedFile {
  ordinality: number
}

/** `former_status` is the ticket's status before the statement, if the ticket existed. */
type WithTicket = Tables & { ticket: TicketRow & { former_status: TicketStatus | null } }

/**
 * Adds the tables `message` and `attachment`, inserted for the one row of `ticket`, to a statement. Without files `attachment` is left out:
 * most messages have none, and the statement costs the database a twelfth less.
 */
export function withMessage(db: QueryCreator<WithTicket>, p: NewMessage, { hasFiles, hasId }: MessageParts) {
  const withRow = db.with('message', db =>
    db
      .insertInto('ticket_messages')
      .columns([
        ...(hasId ? (['id'] as never[]) : []),
        'ticket_id',
        'client_id',
        'staff_id',
        'sender_type',
        'sender_first_name',
        'sender_last_name',
        'message',
        'formatted_html',
        'client_email',
        'created_at'
      ])
      .expression(db => {
        const row = db
          .selectFrom('ticket')
          .$if(hasId, query => query.select(sql<number>`${p.messageId}::bigint`.as('promised_id')))
          .select(eb => [
            'ticket.id',
            eb.val(p.clientId).as('client_id'),
            eb.val(p.staffId).as('staff_id'),
            eb.val(p.senderType).as('sender_type'),
            eb.val(p.firstName).as('first_name'),
            eb.val(p.lastName).as('last_name'),
            eb.val(p.message).as('message'),
            eb.val(p.html).as('formatted_html'),
            inLowerCase(p.clientEmail).as('client_email'),
            eb.val(p.now).as('created_at')
          ])
        return hasId ? sql`overriding system value ${row}` : row
      })
      .returning(['id', 'ticket_id', 'message', 'created_at'])
  )
  const withFiles = withRow.with('attachment', db =>
    db
      .insertInto('ticket_attachments')
      .columns([
        'ticket_id',
        'message_id',
        'file_name',
        'file_path',
        'file_type',
        'file_size',
        'sha256',
        'scan_state',
        'created_at'
      ])
      .expression(db =>
        db
          .selectFrom(['message', listedFiles(p.files).as('file')])
          .select(eb => [
            'message.ticket_id',
            'message.id',
            'file.fileName',
            'file.path',
            'file.fileType',
            'file.fileSizeBytes',
            'file.sha256',
            eb.val(p.scanState).as('scan_state'),
            'message.created_at'
          ])
          .orderBy('file.ordinality')
      )
      .returning(['id', 'file_name', 'file_path', 'file_size', 'file_type'])
  )
  return hasFiles ? withFiles : (withRow as typeof withFiles)
}

type WrittenFile = Pick<
  Selectable<Tables['ticket_attachments']>,
  'id' | 'file_name' | 'file_path' | 'file_size' | 'file_type'
>

/** What a message has that most do not. */
interface MessageParts {
  hasFiles: boolean
  hasId: boolean
}

/** Prepares a statement with and without files, and with an id or without; each message uses the one that it needs. */
export function withAndWithoutFiles<A extends unknown[], P extends NewMessage, R>(
  form: (has: MessageParts) => (...given: [...A, P]) => R
): (...given: [...A, P]) => R {
  const [usual, promised] = [false, true].map(hasId => ({
    withFiles: form({ hasFiles: true, hasId }),
    without: form({ hasFiles: false, hasId })
  })) as [Forms, Forms]
  type Forms = Record<'withFiles' | 'without', (...given: [...A, P]) => R>
  return (...given) => {
    const { fileCount, messageId } = given.at(-1) as P
    const forms = messageId === null ? usual : promised
    return (fileCount > 0 ? forms.withFiles : forms.without)(...given)
  }
}

/** The rows of `attachment` in the result of such a statement. */
export function writtenFiles({ hasFiles }: Pick<MessageParts, 'hasFiles'>): RawBuilder<WrittenFile[]> {
  if (!hasFiles) return sql`'[]'::json`
  return sql`(select coalesce(json_agg(attachment order by id), '[]') from attachment)`
}

/** Uploaded files as rows, in their order. */
export function listedFiles(files: string) {
  return sql<ListedFile>`rows from (json_to_recordset(${files}::json) as (
    "path" text, "fileName" text, "fileType" text, "fileSizeBytes" bigint, "sha256" text)) with ordinality`
}

type Attached = { attachments: { id: number }[] }

/** Runs `write`, one statement that records its own event, and stores the files of its rows. Without files there is no transaction. */
export async function writeWithFiles<T extends Attached>(
  services: TicketServices,
  by: By,
  uploads: StagedFile[],
  write: (db: Db) => Promise<T>
): Promise<T> {
  if (uploads.length === 0) return await write(services.db)
  return await actWithFiles(services, by, uploads, act => write(act.db))
}

/**
 * An act that stores the files of the rows it writes as the last step before the commit: no row ever names a missing file, and failed work
 * leaves no file. If the commit itself fails, its outcome is unknown: the files stay, and `sweepUploads` removes them if no row names them.
 * With a virus scanner, the same commit queues their scan.
 */
export async function actWithFiles<T extends Attached>(
  services: TicketServices,
  by: By,
  uploads: StagedFile[],
  work: (act: Act) => Promise<T>,
  cause?: EventCause
): Promise<T> {
  const { db, files, jobs, scanner } = services
  let kept: 'none' | 'some' | 'all' = 'none'
  let isDone = false
  try {
    const written = await act(
      services,
      by,
      async act => {
        isDone = false
        const written = await work(act)
        if (scanner) {
          for (const { id } of written.attachments) await jobs.send(act.db, 'scan-attachment', { attachmentId: id })
        }
        act.beforeCommit(async () => {
          // The transaction may be retried; files are stored once.
          if (uploads.length > 0 && kept !== 'all') {
            kept = 'some'
            await files.keep(uploads)
            kept = 'all'
          }
          isDone = true
        })
        return written
      },
      cause
    )
    if (uploads.length > 0) afterRollback(db, () => files.discard(uploads))
    return written
  } catch (error) {
    if (!isDone && kept !== 'none') await files.discard(uploads)
    throw error
  }
}
