import { type QueryCreator, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import type { Tables, TicketRow } from '../platform/db/tables.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import type { Services } from '../services.ts'

/** The parameters of a message with its attachments. */
export interface NewMessage {
  clientId: number | null
  staffId: number | null
  senderType: 'client' | 'support' | 'admin'
  firstName: string
  lastName: string
  message: string
  now: Date
  fileCount: number
  /** JSON: one list of files, because a statement with as many parameters as files could not be prepared. */
  files: string
}

/** The sender's name is kept with the message: it is shown once a staff member is deleted. */
export function newMessage(actor: Actor, message: string, uploads: StagedFile[], now: Date): NewMessage {
  const isClient = actor.population === 'client'
  return {
    clientId: isClient ? actor.id : null,
    staffId: isClient ? null : actor.id,
    senderType: isClient ? 'client' : actor.role === 'admin' ? 'admin' : 'support',
    firstName: actor.firstName,
    lastName: actor.lastName,
    message,
    now,
    fileCount: uploads.length,
    files: JSON.stringify(uploads)
  }
}

interface ListedFile extends StagedFile {
  ordinality: number
}

type WithTicket = Tables & { ticket: TicketRow }

/** Adds the tables `message` and `attachment`, inserted for the one row of `ticket`, to a statement. */
export function withMessage(db: QueryCreator<WithTicket>, p: NewMessage) {
  return db
    .with('message', db =>
      db
        .insertInto('ticket_messages')
        .columns([
          'ticket_id',
          'client_id',
          'staff_id',
          'sender_type',
          'sender_first_name',
          'sender_last_name',
          'message',
          'created_at'
        ])
        .expression(db =>
          db
            .selectFrom('ticket')
            .select(eb => [
              'ticket.id',
              eb.val(p.clientId).as('client_id'),
              eb.val(p.staffId).as('staff_id'),
              eb.val(p.senderType).as('sender_type'),
              eb.val(p.firstName).as('first_name'),
              eb.val(p.lastName).as('last_name'),
              eb.val(p.message).as('message'),
              eb.val(p.now).as('created_at')
            ])
        )
        .returning(['id', 'ticket_id', 'message', 'created_at'])
    )
    .with('attachment', db =>
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
          'created_at'
        ])
        .expression(db =>
          db
            .selectFrom(['message', listedFiles(p.files).as('file')])
            .select([
              'message.ticket_id',
              'message.id',
              'file.fileName',
              'file.path',
              'file.fileType',
              'file.fileSizeBytes',
              'file.sha256',
              'message.created_at'
            ])
            .orderBy('file.ordinality')
        )
        .returning(['id', 'file_name', 'file_path', 'file_size', 'file_type'])
    )
}

function listedFiles(files: string) {
  return sql<ListedFile>`rows from (json_to_recordset(${files}::json) as (
    "path" text, "fileName" text, "fileType" text, "fileSizeBytes" bigint, "sha256" text)) with ordinality`
}

/**
 * Runs `write`, which is one statement, and keeps the files of its rows. Without files the statement needs no transaction of
 * its own. With files they are kept as the last thing before the commit: no row ever names a file that is not there, and a
 * statement that fails leaves no file. Should the commit itself fail, nobody knows whether it took place: the kept files stay,
 * and `sweepUploads` removes them if no row names them.
 */
export async function writeWithFiles<T>(
  { db, files }: Pick<Services, 'db' | 'files'>,
  uploads: StagedFile[],
  write: (db: Db) => Promise<T>
): Promise<T> {
  if (uploads.length === 0) return await write(db)
  return await transaction(db, async db => {
    const written = await write(db)
    try {
      await files.keep(uploads)
    } catch (error) {
      await files.discard(uploads)
      throw error
    }
    return written
  })
}
