import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { filePathPattern } from '../../platform/files/file-store.ts'
import { deskVisibility, preparedForVisible, type TicketVisibility, type VisibleTickets } from '../ticket/visibility.ts'
import { type Attachment, attachmentColumns, attachmentFor, attachmentPath, FileNotFound } from './attachment-for.ts'

/** The file at this path, if the actor may see its ticket; for staff also files of notes and side conversations, and raw e-mails. Throws `FileNotFound`. */
export async function fileFor(db: Db, actor: Actor, path: string): Promise<Attachment> {
  const file =
    (await attachmentFor(db, actor, path)) ??
    (await noteFileFor(db, actor, path)) ??
    (await sideFileFor(db, actor, path)) ??
    (await rawMailFor(db, actor, path))
  if (!file) throw FileNotFound()
  return file
}

/** The path of a file, if the actor may see its ticket; for staff also files of notes. Throws `FileNotFound`. */
export async function filePathFor(db: Db, actor: Actor, id: number): Promise<string> {
  const path =
    (await attachmentPath(db, actor, id)) ?? (await noteFilePath(db, actor, id)) ?? (await sideFilePath(db, actor, id))
  if (!path) throw FileNotFound()
  return path
}

async function noteFileFor(db: Db, actor: Actor, path: string): Promise<Attachment | undefined> {
  const visibility = noteVisibility(actor)
  const [file] = visibility && filePathPattern.test(path) ? await noteFileAtPath(db, visibility, { path }) : []
  return file
}

async function rawMailFor(db: Db, actor: Actor, path: string): Promise<Attachment | undefined> {
  const visibility = noteVisibility(actor)
  const [file] = visibility && filePathPattern.test(path) ? await rawMailAtPath(db, visibility, { path }) : []
  return file
}

async function noteFilePath(db: Db, actor: Actor, id: number): Promise<string | undefined> {
  const visibility = noteVisibility(actor)
  const [file] = visibility ? await noteFileById(db, visibility, { id }) : []
  return file?.file_path
}

async function sideFileFor(db: Db, actor: Actor, path: string): Promise<Attachment | undefined> {
  const visibility = noteVisibility(actor)
  const [file] = visibility && filePathPattern.test(path) ? await sideFileAtPath(db, visibility, { path }) : []
  return file
}

async function sideFilePath(db: Db, actor: Actor, id: number): Promise<string | undefined> {
  const visibility = noteVisibility(actor)
  const [file] = visibility ? await sideFileById(db, visibility, { id }) : []
  return file?.file_path
}

/** The tickets whose notes and side conversations the actor sees: none for clients. */
function noteVisibility(actor: Actor): TicketVisibility | undefined {
  return actor.population === 'staff' ? deskVisibility(actor) : undefined
}

function withNoteFiles(tickets: VisibleTickets) {
  return tickets
    .innerJoin('tickets as part', join =>
      join.on(({ eb, ref }) => eb('tickets.id', 'in', [ref('part.id'), ref('part.merged_into_id')]))
    )
    .innerJoin('ticket_notes as note', 'note.ticket_id', 'part.id')
    .innerJoin('ticket_attachments', 'ticket_attachments.note_id', 'note.id')
}

const noteFileAtPath = preparedForVisible((tickets, p: { path: string }) =>
  withNoteFiles(tickets).where('file_path', '=', p.path).select(attachmentColumns)
)

const noteFileById = preparedForVisible((tickets, p: { id: number }) =>
  withNoteFiles(tickets).where('ticket_attachments.id', '=', p.id).select('file_path')
)

function withSideFiles(tickets: VisibleTickets) {
  return tickets
    .innerJoin('tickets as part', join =>
      join.on(({ eb, ref }) => eb('tickets.id', 'in', [ref('part.id'), ref('part.merged_into_id')]))
    )
    .innerJoin('side_conversations as conversation', 'conversation.ticket_id', 'part.id')
    .innerJoin('side_messages as aside', 'aside.conversation_id', 'conversation.id')
    .innerJoin('ticket_attachments', 'ticket_attachments.side_message_id', 'aside.id')
}

const sideFileAtPath = preparedForVisible((tickets, p: { path: string }) =>
  withSideFiles(tickets).where('file_path', '=', p.path).select(attachmentColumns)
)

const sideFileById = preparedForVisible((tickets, p: { id: number }) =>
  withSideFiles(tickets).where('ticket_attachments.id', '=', p.id).select('file_path')
)

const rawMailAtPath = preparedForVisible((tickets, p: { path: string }) =>
  tickets
    .innerJoin('inbound_mails as mail', 'mail.ticket_id', 'tickets.id')
    .innerJoin('ticket_attachments', 'ticket_attachments.mail_id', 'mail.id')
    .where('file_path', '=', p.path)
    .select(attachmentColumns.map(column => `ticket_attachments.${column}` as const))
)
