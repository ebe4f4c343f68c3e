import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { DeskActor, NamedActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import { type Format, formattedHtml } from '../../core/formatted-text/format.ts'
import type { ScanState } from '../../core/tables/attachments.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { endSnooze } from '../snooze/end-snooze.ts'
import { lockedUnmerged } from '../ticket/locked-ticket.ts'
import { mentionsIn } from '../ticket/mentions.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { actWithFiles, listedFiles, type TicketServices } from './add-message.ts'
import { noteView } from './ticket-detail.ts'

/**
 * A note and its files are for staff only. It leaves the ticket unchanged, even its time of update and its counts, because clients see
 * those. The system writes it on behalf of its author. Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`.
 */
export async function writeNote(
  services: TicketServices,
  actor: DeskActor,
  caller: Origin,
  ref: TicketRef,
  {
    note,
    format,
    expectedVersion,
    author = actor
  }: { note: string; format?: Format | undefined; expectedVersion?: number | undefined; author?: NamedActor },
  uploads: StagedFile[]
) {
  const { id: staffId, firstName, lastName } = author
  const scanState: ScanState = services.scanner ? 'pending' : 'clean'
  const html = await formattedHtml(format, note, uploads, 'note')
  const given = { staffId, firstName, lastName, note, html, scanState, files: JSON.stringify(uploads) }
  return await actWithFiles(services, { actor: author, caller }, uploads, async act => {
    const { id } = await lockedUnmerged(act.db, actor, deskVisibility(actor), ref, expectedVersion)
    return noteView(await noteLocked(act, { ...given, id, now: act.now }))
  })
}

/** Writes a note without files on a locked ticket. */
export async function noteWithoutFiles(act: Act, id: number, author: NamedActor, note: string): Promise<void> {
  const { id: staffId, firstName, lastName } = author
  await noteLocked(act, { id, staffId, firstName, lastName, note, ...plain, now: act.now })
}

const plain = { html: null, scanState: 'clean', files: '[]' } as const

async function noteLocked(act: Act, given: NewNote) {
  const [written] = await insertNote(act.db, given)
  if (given.note.includes('@')) await wakeByMention(act, given.id, given)
  act.happened({ kind: 'ticket.noted', ticket: given.id, after: { note_id: written!.id } })
  return written!
}

interface NewNote {
  /** The ticket's id. */
  id: number
  staffId: number | null
  firstName: string
  lastName: string
  note: string
  html: string | null
  scanState: ScanState
  /** JSON: one list of files. */
  files: string
  now: Date
}

/** A ticket wakes if its note mentions a colleague. */
async function wakeByMention(act: Act, id: number, { note, staffId }: Pick<NewNote, 'note' | 'staffId'>) {
  const colleagues = await mentionable(act.db, { ticket: id, author: staffId })
  if (colleagues.some(mentionsIn(note))) await endSnooze(act, id, 'mention')
}

/** The other members of staff, if the ticket is snoozed; otherwise nobody. */
const mentionable = prepared((db, p: { ticket: number; author: number | null }) =>
  db
    .selectFrom('snoozes')
    .innerJoin('staff', join => join.onTrue())
    .where('snoozes.ticket_id', '=', p.ticket)
    .where('snoozes.woken_at', 'is', null)
    .where('staff.is_active', '=', true)
    .where('staff.is_service_account', '=', false)
    .where('staff.id', 'is distinct from', p.author)
    .select(['staff.first_name', 'staff.last_name', 'staff.email'])
)

const insertNote = prepared((db, p: NewNote) =>
  db
    .with('note', db =>
      db
        .insertInto('ticket_notes')
        .values({
          ticket_id: p.id,
          staff_id: p.staffId,
          author_first_name: p.firstName,
          author_last_name: p.lastName,
          note: p.note,
          formatted_html: p.html,
          created_at: p.now
        })
        .returning([
          'id',
          'ticket_id',
          'staff_id',
          'author_first_name',
          'author_last_name',
          'note',
          'formatted_html',
          'created_at'
        ])
    )
    .with('attachment', db =>
      db
        .insertInto('ticket_attachments')
        .columns(['note_id', 'file_name', 'file_path', 'file_type', 'file_size', 'sha256', 'scan_state', 'created_at'])
        .expression(db =>
          db
            .selectFrom(['note', listedFiles(p.files).as('file')])
            .select(eb => [
              'note.id',
              'file.fileName',
              'file.path',
              'file.fileType',
              'file.fileSizeBytes',
              'file.sha256',
              sql<ScanState>`${p.scanState}`.as('scan_state'),
              eb.ref('note.created_at').as('created_at')
            ])
            .orderBy('file.ordinality')
        )
        .returning(['id', 'file_name', 'file_path', 'file_size', 'file_type'])
    )
    .selectFrom('note')
    .selectAll('note')
    .select(db => jsonArrayFrom(db.selectFrom('attachment').selectAll('attachment').orderBy('id')).as('attachments'))
)
